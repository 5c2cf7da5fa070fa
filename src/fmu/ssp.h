/* fmu/ssp.h - a system of FMUs (SSP 1.0 and 2.0, OspSystemStructure 0.1) as read from its files. */
#pragma once

#include "fmu/archive.h"
#include "fmu/description.h"
#include "fmu/xml.h"

#define SSP_PARTS_MAX 1000 /* components, connections, connectors, parameters: of each */
#define SSP_DEPTH_MAX 16

/* An FMU of the system. */
typedef struct ssp_component {
    char *name; /* prefixed by the enclosing systems: "chassis/wheel" */
    char *path; /* of the FMU, for opening */
    costab_fmu_kind kind;
    costab_fmu *fmu;
    int stride; /* exchanges values every `stride` macro steps; 0: every step */
} ssp_component;

/* A connector of a component, or a pass-through connector of a system (`element` is the system's name, "" for
 * the outermost) or of a function. */
typedef struct ssp_connector {
    char *element, *name, *unit; /* unit: NULL if not given */
    bool real, system, sums;     /* sums: accepts several connections */
} ssp_connector;

/* From one connector to another, as indices in the list of connectors: factor * value + offset, which combine
 * transformation and units. */
typedef struct ssp_connection {
    int from, to;
    double factor, offset;
} ssp_connection;

/* Two connections in opposite directions whose product is a power, as indices in the list of connections. */
typedef struct ssp_bond {
    char *name;
    int connections[2], count;
    const xmlNode *at; /* while it is read */
} ssp_bond;

typedef struct ssp_value {
    char *component, *variable;
    double value;
} ssp_value;

typedef struct ssp_unit {
    char *name;
    int dimensions[8]; /* kg m s A K mol cd rad */
    double factor, offset;
} ssp_unit;

typedef struct ssp_units {
    ssp_unit *list;
    int count;
} ssp_units;

typedef struct ssp {
    char *name;
    ssp_component *components;
    ssp_connector *connectors;
    ssp_connection *connections;
    ssp_bond *bonds;
    ssp_value *values;
    ssp_units units;
    int component_count, connector_count, connection_count, bond_count, value_count;
    double step_size; /* in seconds; 0: not given */
    text warnings;    /* lines "FILE:LINE: warning: ..." */
} ssp;

/* Reads a system from SYSTEM.ssp, a loose SYSTEM.ssd or an OspSystemStructure.xml. Returns COSTAB_INVALID for
 * errors, unsupported features and paths out of the archive; COSTAB_UNREADABLE if it cannot be read. Call
 * ssp_clear even after a failure. */
costab_status ssp_read(ssp *system, const char *path, costab_error *error);
void ssp_clear(ssp *system);

/* Like ssp_read() for the bytes of an .ssd, in an archive or (NULL) loose; `shown` names it in messages. */
costab_status ssp_parse(ssp *system, archive *a, const char *path, const char *shown, const char *bytes,
                        size_t size, costab_error *error);

/* Builds the document of a model from a system, or from NAME.fmu alone, for model exchange if offered.
 * macro_step: value of the parameter H (s). If it is not positive: the system's step, otherwise the smallest
 * proposed by its FMUs, otherwise 0.01 with a warning. Runs no FMU. Errors as in ssp_read. */
costab_status ssp_model(const char *path, double macro_step, struct spec_file *document, costab_error *error);

/* ---- Internal functions of the readers ---- */

typedef struct ssp_reader {
    ssp *system;
    archive *archive; /* NULL: a loose .ssd */
    const char *path; /* of the .ssp or .ssd */
    xml *x;
} ssp_reader;

/* Returns the file of a local proxy of the Open Simulation Platform, "proxyfmu://localhost?file=a.fmu";
 * otherwise the source itself. */
const char *ssp_behind_proxy(const char *source);

/* Computes the path of a file named by the system; free with memory_free. Returns false after an error. */
bool ssp_locate(ssp_reader *r, const xmlNode *at, const char *source, char **where);

/* Reads a file named by the system; if `component` is not NULL, from that component's archive. `shown`: its
 * path for messages. Returns false after an error. */
bool ssp_load(ssp_reader *r, const xmlNode *at, const char *source, const char *component, char **bytes,
              size_t *size, text *shown);

/* Returns a name inside a system, "" for the outermost; free with memory_free. Returns NULL after an
 * error. */
char *ssp_inside(ssp_reader *r, const char *system, const char *name);

/* Add a component with its FMU (taking ownership of the name), a real connector of a component, and a
 * connection to an input without another source. Return NULL or -1 after an error. A connection of texts or
 * constants is skipped with a warning and -1. */
ssp_component *ssp_add_component(ssp_reader *r, const xmlNode *at, char *name, const char *source);
ssp_connector *ssp_add_connector(ssp_reader *r, const xmlNode *at, const char *element, const char *name,
                                 const char *unit);
int ssp_add_connection(ssp_reader *r, const xmlNode *at, const ssp_connection *added);

/* Returns the index of a connector; -1 if there is none. */
int ssp_find_connector(const ssp *s, const char *element, const char *name);

/* Reads an OspSystemStructure. */
void ssp_read_osp(ssp_reader *r, const xmlNode *root);

/* Allocates another item of a list, at most SSP_PARTS_MAX; NULL after an error, including earlier ones. */
void *ssp_add(xml *x, const xmlNode *at, const char *what, void **list, int *count, size_t size);

/* Returns the unit of a component's parameter: from its connector, otherwise from the FMU; NULL if not
 * given. */
const char *ssp_unit_of(const ssp *s, const ssp_component *c, const fmu_variable *v);

/* Read and free the units of a list of definitions (may be NULL). */
void ssp_read_units(xml *x, const xmlNode *definitions, ssp_units *units);
void ssp_free_units(ssp_units *units);

/* Converts units: factor * value + offset. The result is 1 and 0 if a unit is missing (NULL or "") or, with a
 * warning, undefined in both lists. Different quantities are an error. */
void ssp_convert(xml *x, const xmlNode *at, const ssp_units *own, const ssp_units *of_system,
                 const char *from, const char *to, double *factor, double *offset);

/* Reads the linear transformation of an element, 1 and 0 by default; other transformations are errors. */
void ssp_read_linear(xml *x, const xmlNode *at, double *factor, double *offset);

/* Reads the value of a component's variable from a child such as <Real value="1"/>. */
void ssp_give(ssp_reader *r, const xmlNode *at, const char *component, const char *variable);

/* Reads the bindings of a component or a system named `element`; outer systems come later and override. */
void ssp_bindings(ssp_reader *r, const xmlNode *owner, const char *element);
