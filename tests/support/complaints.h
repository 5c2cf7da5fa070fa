/* complaints.h - whether a reader says of a broken text just what it should. */
#pragma once

#include "costab/model.h"
#include "support/support.h"

/* The first mistake of a model at its own values, of which those that parameters may mend are reported where
 * the values are used: an instance is made, and its couplings are checked. */
costab_status complaint_use(const costab_model *model, costab_error *error);

/* Reads a text as the spec `path`, uses its model, and looks whether its figure goes with the sweep where
 * there is one. */
costab_status complaint_read(const char *path, const char *text, size_t size, costab_error *error);
