/* base/removed.h - names that version 0.1.0 had and later versions do not: commands, options, keys, fields,
 * kinds of figures and formats, each with its replacement. */
#pragma once

typedef enum removed_kind {
    REMOVED_COMMAND,
    REMOVED_OPTION, /* without its dashes */
    REMOVED_KEY,    /* of a spec or a model */
    REMOVED_FIELD,
    REMOVED_FIGURE, /* a kind of figure */
    REMOVED_FORMAT  /* of an export */
} removed_kind;

/* " (removed after 0.1.0: use ...)" for a name that was removed, to be appended to the message that the name
 * is unknown; NULL for any other name. The string is static. */
const char *removed_hint(removed_kind kind, const char *name);
