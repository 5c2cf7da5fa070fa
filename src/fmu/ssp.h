/* fmu/ssp.h - a system of FMUs (SSP 1.0 and 2.0, OspSystemStructure 0.1) as it stands in its files. */
#pragma once

#include "fmu/archive.h"
#include "fmu/description.h"
#include "fmu/xml.h"

#define SSP_PARTS_MAX 1000 /* components, connections, connectors, parameters: of each */
#define SSP_DEPTH_MAX 16

/* An FMU of the system. */
typedef struct ssp_component {
    char *name; /* with those of the systems around it before it: "chassis/wheel" */
    char *path; /* of the FMU, as costab opens it */
    costab_fmu_kind kind;
    costab_fmu *fmu;
    int stride; /* it exchanges values every so many macro steps; 0: every one */
} ssp_component;

/* A connector of a component, or one that passes on what comes to it: of a system (whose element is the
 * system's name, "" for the outermost) or of a function. */
typedef struct ssp_connector {
    char *element, *name, *unit; /* unit: NULL where none is given */
    bool real, system, sums;     /* sums: it takes several connections */
} ssp_connector;

/* From one connector to another; numbers in the list of connectors. The factor is that of its transformation
 * and of its units. */
typedef struct ssp_connection {
    int from, to;
    double factor;
} ssp_connection;

/* Two connections, there and back, whose product is a power; numbers in the list of connections. */
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
    double step_size; /* 0: none is given */
    text warnings;    /* "FILE:LINE:COLUMN: warning: ..." in lines */
} ssp;

/* Reads a system from SYSTEM.ssp, a loose SYSTEM.ssd or an OspSystemStructure.xml. COSTAB_INVALID for
 * what is wrong, leads out of the archive or is not supported; COSTAB_UNREADABLE where it cannot be read.
 * To be cleared even where this fails. */
costab_status ssp_read(ssp *system, const char *path, costab_error *error);
void ssp_clear(ssp *system);

/* The same from the bytes of an .ssd, in an archive or (NULL) loose; `shown` names it in messages. */
costab_status ssp_parse(ssp *system, archive *a, const char *path, const char *shown, const char *bytes,
                        size_t size, costab_error *error);

/* Makes the document of a model of a system, or of NAME.fmu alone: for model exchange where it offers that.
 * macro_step: of the parameter H; else the system's, else the smallest that its FMUs propose. Nothing of an
 * FMU is run. Errors as ssp_read. */
costab_status ssp_model(const char *path, double macro_step, struct spec_file *document, costab_error *error);

/* ---- Between the files that read it ---- */

typedef struct ssp_reader {
    ssp *system;
    archive *archive; /* NULL: a loose .ssd */
    const char *path; /* of the .ssp or .ssd */
    xml *x;
} ssp_reader;

/* What a proxy of the Open Simulation Platform on this machine is for, "proxyfmu://localhost?file=a.fmu";
 * else the source itself. */
const char *ssp_behind_proxy(const char *source);

/* The path of a file that the system names, as costab opens it, to be freed with memory_free. False after
 * noting why there is none. */
bool ssp_locate(ssp_reader *r, const xmlNode *at, const char *source, char **where);

/* The bytes of a file that the system names, in the archive of the component of that name where it is not
 * NULL. `shown`: its path for messages. False after noting why not. */
bool ssp_load(ssp_reader *r, const xmlNode *at, const char *source, const char *component, char **bytes,
              size_t *size, text *shown);

/* A name inside a system, "" the outermost, to be freed with memory_free; NULL after noting a mistake. */
char *ssp_inside(ssp_reader *r, const char *system, const char *name);

/* One more component, whose name is handed over, with its FMU; one more connector, real and of a component;
 * one more connection, whose input has no other source. NULL, -1 after noting a mistake; -1 also for one of
 * texts or of what does not vary, which is left out with a warning. */
ssp_component *ssp_add_component(ssp_reader *r, const xmlNode *at, char *name, const char *source);
ssp_connector *ssp_add_connector(ssp_reader *r, const xmlNode *at, const char *element, const char *name,
                                 const char *unit);
int ssp_add_connection(ssp_reader *r, const xmlNode *at, const ssp_connection *added);

/* The number of a connector; -1: there is none. */
int ssp_find_connector(const ssp *s, const char *element, const char *name);

/* Reads an OspSystemStructure. */
void ssp_read_osp(ssp_reader *r, const xmlNode *root);

/* Room for one more of a list, which grows to SSP_PARTS_MAX; NULL after noting a mistake, also one before. */
void *ssp_add(xml *x, const xmlNode *at, const char *what, void **list, int *count, size_t size);

/* The unit that a component's parameter is in: as its connector says, else the FMU; NULL: none is given. */
const char *ssp_unit_of(const ssp *s, const ssp_component *c, const fmu_variable *v);

/* Units of a list of definitions, which may be NULL. */
void ssp_read_units(xml *x, const xmlNode *definitions, ssp_units *units);
void ssp_free_units(ssp_units *units);

/* From one unit to another: factor * value + offset. 1 and 0 where one is not given (NULL or ""), and, with a
 * warning, where neither list defines it; units of different quantities are a mistake. */
void ssp_convert(xml *x, const xmlNode *at, const ssp_units *own, const ssp_units *of_system,
                 const char *from, const char *to, double *factor, double *offset);

/* The linear transformation of an element, 1 and 0 where it has none; others are mistakes. */
void ssp_read_linear(xml *x, const xmlNode *at, double *factor, double *offset);

/* The value of a component's variable, in a child such as <Real value="1"/>. */
void ssp_give(ssp_reader *r, const xmlNode *at, const char *component, const char *variable);

/* Values of a component or a system, whose name is `element`; those of outer systems come later and count. */
void ssp_bindings(ssp_reader *r, const xmlNode *owner, const char *element);
