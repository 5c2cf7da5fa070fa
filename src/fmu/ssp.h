/* fmu/ssp.h - a system of FMUs (SSP 1.0) as it stands in its files. */
#ifndef FMU_SSP_H
#define FMU_SSP_H

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
} ssp_component;

/* A connector of a component, or of a system (whose element is the system's name, "" for the outermost). */
typedef struct ssp_connector {
    char *element, *name, *unit; /* unit: NULL where none is given */
    bool real, system;
} ssp_connector;

/* From one connector to another; numbers in the list of connectors. */
typedef struct ssp_connection {
    int from, to;
    double factor;
    bool keep_units;
} ssp_connection;

typedef struct ssp_value {
    char *component, *variable;
    double value;
} ssp_value;

typedef struct ssp_unit {
    char *name;
    int dimensions[8]; /* kg m s A K mol cd rad */
    double factor;
} ssp_unit;

typedef struct ssp {
    char *name;
    ssp_component *components;
    ssp_connector *connectors;
    ssp_connection *connections;
    ssp_value *values;
    ssp_unit *units;
    int component_count, connector_count, connection_count, value_count, unit_count;
    double step_size; /* 0: none is given */
} ssp;

/* Reads a system from SYSTEM.ssp or a loose SYSTEM.ssd. Errors as costab_ssp_text. To be cleared even where
 * this fails. */
costab_status ssp_read(ssp *system, const char *path, costab_error *error);
void ssp_clear(ssp *system);

/* The same from the bytes of an .ssd, in an archive or (NULL) loose; `shown` names it in messages. */
costab_status ssp_parse(ssp *system, archive *a, const char *path, const char *shown, const char *bytes,
                        size_t size, costab_error *error);

/* ---- Between the files that read it ---- */

typedef struct ssp_reader {
    ssp *system;
    archive *archive; /* NULL: a loose .ssd */
    const char *path; /* of the .ssp or .ssd */
    xml *x;
} ssp_reader;

/* The bytes of a file that the system names. `where` is the path as costab opens it. False after noting why
 * not.
 */
bool ssp_locate(ssp_reader *r, const xmlNode *at, const char *source, char **where);
bool ssp_load(ssp_reader *r, const xmlNode *at, const char *source, char **bytes, size_t *size);

/* Values of a component or a system, whose name is `element`; those of outer systems come later and count. */
void ssp_bindings(ssp_reader *r, const xmlNode *owner, const char *element);

#endif
