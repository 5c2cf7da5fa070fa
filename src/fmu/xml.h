/* fmu/xml.h - untrusted XML: without entities, network or unbounded depth. Messages contain the file and the
 * line. */
#pragma once

#include <libxml/tree.h>
#include <stdint.h>

#include "base/text.h"
#include "costab/base.h"

#define XML_BYTES_MAX ((size_t)1 << 26)

/* A document, and its first error. */
typedef struct xml {
    xmlDocPtr document;
    const char *path; /* in messages; borrowed */
    text *warnings;   /* NULL: warnings are dropped */
    costab_status status;
    costab_error *error;
} xml;

/* Parses a document; the path is borrowed until xml_free, which must be called in any case. Returns the root;
 * NULL if the text is not XML, is too large, or defines entities. */
const xmlNode *xml_parse(xml *x, const char *path, const char *bytes, size_t size, costab_error *error);
void xml_free(xml *x);

/* Record the first error, or a warning, at an element's position. */
void xml_refuse(xml *x, const xmlNode *at, const char *format, ...) COSTAB_PRINTF(3, 4);
void xml_warn(xml *x, const xmlNode *at, const char *format, ...) COSTAB_PRINTF(3, 4);
void xml_no_memory(xml *x);

/* Returns true if a further warning would be shown. */
bool xml_is_heard(const xml *x);

/* Return the first child element of that name (NULL: any), and the next such sibling; NULL if there is none.
 * Namespaces are ignored. */
const xmlNode *xml_child(const xmlNode *parent, const char *name);
const xmlNode *xml_next(const xmlNode *element, const char *name);
bool xml_is(const xmlNode *element, const char *name);

/* Iterates over the children of that name (NULL: any), until an error in the document. */
#define XML_EACH(at, x, parent, name)                                                                        \
    for (const xmlNode *at = xml_child(parent, name); at != NULL && !(x)->status; at = xml_next(at, name))

/* Returns the text of an attribute without namespace; NULL if absent. Borrowed. */
const char *xml_get(const xmlNode *element, const char *name);

/* Like xml_get(), with an error for an absent attribute. */
const char *xml_need(xml *x, const xmlNode *element, const char *name);

/* Like xml_need() for a one-line name: control characters and line separators are errors. */
const char *xml_name(xml *x, const xmlNode *element, const char *name);

/* Returns a copy of the attribute; free with memory_free. NULL if absent. */
char *xml_copy(xml *x, const xmlNode *element, const char *name);

/* Read numbers and flags. Return true if the attribute is present and valid. An absent attribute leaves
 * *value unchanged; an invalid one is an error. */
bool xml_number(xml *x, const xmlNode *element, const char *name, double *value);
bool xml_content(xml *x, const xmlNode *element, double *value); /* between its tags */
bool xml_whole(xml *x, const xmlNode *element, const char *name, uint32_t *value);
bool xml_flag(xml *x, const xmlNode *element, const char *name, bool *value);

/* Reads the index of a word among `count`; an absent attribute leaves *value unchanged. */
bool xml_choice(xml *x, const xmlNode *element, const char *name, const char *const *words, int count,
                int *value);
