/* base/removed.h - names of version 0.1.0 that later versions removed: commands, options, keys, fields, kinds
 * of figures and formats, each with its replacement. */
#pragma once

typedef enum removed_kind {
    REMOVED_COMMAND,
    REMOVED_OPTION, /* without its dashes */
    REMOVED_KEY,    /* of a spec or a model */
    REMOVED_FIELD,
    REMOVED_FIGURE, /* a kind of figure */
    REMOVED_FORMAT  /* of an export */
} removed_kind;

/* Returns " (removed after 0.1.0: use ...)" for a removed name, to be appended to the message about an
 * unknown name; NULL for any other name. The string is static. */
const char *removed_hint(removed_kind kind, const char *name);
