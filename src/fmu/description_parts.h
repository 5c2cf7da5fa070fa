/* fmu/description_parts.h - what the readers of FMI 2.0 and of 3.0 share, and these readers. */
#pragma once

#include "fmu/description.h"
#include "fmu/xml.h"

/* ModelVariables and ModelStructure (which may be NULL) of FMI 2.0 and of 3.0. */
void description_read_2(xml *x, costab_fmu *fmu, const xmlNode *variables, const xmlNode *structure);
void description_read_3(xml *x, costab_fmu *fmu, const xmlNode *variables, const xmlNode *structure);

/* Room for so many variables. False after noting a mistake. */
bool description_room(xml *x, costab_fmu *fmu, size_t count);

/* The words of fmu_causality. */
extern const char *const description_causalities[];

/* Name, reference, causality, variability (which is `usual` where the file gives none) and initial. */
void description_variable(xml *x, const xmlNode *element, fmu_variability usual, fmu_variable *v);

/* Sorts the variables, once all are known, by their names and by their references: the functions that find
 * one rely on it. Two of one name are a mistake. */
void description_index(xml *x, const xmlNode *variables, costab_fmu *fmu);

/* The number of the first variable of that value reference; -1 where there is none. One number may stand for
 * variables of several types in FMI 2.0, but not in 3.0. */
int description_find_reference(const costab_fmu *fmu, uint32_t reference);

/* Start, nominal and derivative, of the element that has them; v->type and v->size are known. */
void description_number(xml *x, const xmlNode *element, fmu_variable *v);

/* The unit of a real number's variable: its own, or its type's. */
void description_unit(xml *x, const xmlNode *element, fmu_variable *v);

/* What an output of this number depends on: sets `no_feedthrough` where the element lists its dependencies,
 * and none of them is an input. The numbers listed are those of variables, from 1 (2.0), or value references.
 */
void description_dependencies(xml *x, const xmlNode *at, costab_fmu *fmu, int output);

/* What is to be done with an element of the structure, whose variable has this number. */
typedef void description_take(xml *x, const xmlNode *at, costab_fmu *fmu, int variable);

/* Takes each element of a name in a list, which may be NULL. */
void description_unknowns(xml *x, costab_fmu *fmu, const xmlNode *list, const char *element,
                          description_take take);

/* Adds the state of which the variable of this number is the derivative. */
void description_add_state(xml *x, const xmlNode *at, costab_fmu *fmu, int derivative);
