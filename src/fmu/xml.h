/* fmu/xml.h - XML that a stranger may have written: without entities, network or unbounded depth. Messages
 * name the file and the line. */
#pragma once

#include <libxml/tree.h>
#include <stdint.h>

#include "base/text.h"
#include "costab/base.h"

#define XML_BYTES_MAX ((size_t)1 << 26)

/* A document, and the first mistake in it. */
typedef struct xml {
    xmlDocPtr document;
    const char *path; /* in messages; borrowed */
    text *warnings;   /* NULL: nobody hears them */
    costab_status status;
    costab_error *error;
} xml;

/* Parses a document, whose path is borrowed until xml_free. `x` is to be freed with xml_free, whatever
 * happens. NULL where it is no XML, too large, or where it defines entities; else its root. */
const xmlNode *xml_parse(xml *x, const char *path, const char *bytes, size_t size, costab_error *error);
void xml_free(xml *x);

/* Notes the first mistake, and a warning, at an element's place. */
void xml_refuse(xml *x, const xmlNode *at, const char *format, ...) COSTAB_PRINTF(3, 4);
void xml_warn(xml *x, const xmlNode *at, const char *format, ...) COSTAB_PRINTF(3, 4);
void xml_no_memory(xml *x);

/* Whether a further warning would be shown. */
bool xml_is_heard(const xml *x);

/* The first child element of that name (NULL: of any), and the next of its siblings; NULL where there is
 * none. The namespace does not matter. */
const xmlNode *xml_child(const xmlNode *parent, const char *name);
const xmlNode *xml_next(const xmlNode *element, const char *name);
bool xml_is(const xmlNode *element, const char *name);

/* Over the children of that name (NULL: of any), up to a mistake in the document. */
#define XML_EACH(at, x, parent, name)                                                                        \
    for (const xmlNode *at = xml_child(parent, name); at != NULL && !(x)->status; at = xml_next(at, name))

/* The text of an attribute without a namespace; NULL where it is absent. Borrowed. */
const char *xml_get(const xmlNode *element, const char *name);

/* The same, but a mistake where it is absent. */
const char *xml_need(xml *x, const xmlNode *element, const char *name);

/* The same of a name, which has to be one line: control characters and separators of lines are a mistake. */
const char *xml_name(xml *x, const xmlNode *element, const char *name);

/* A copy of the attribute, to be freed with memory_free; NULL where it is absent. */
char *xml_copy(xml *x, const xmlNode *element, const char *name);

/* Numbers and flags. Each returns whether the attribute is there and right; where it is absent *value stays
 * as it is, and what is wrong is noted as a mistake. */
bool xml_number(xml *x, const xmlNode *element, const char *name, double *value);
bool xml_content(xml *x, const xmlNode *element, double *value); /* between its tags */
bool xml_whole(xml *x, const xmlNode *element, const char *name, uint32_t *value);
bool xml_flag(xml *x, const xmlNode *element, const char *name, bool *value);

/* The number of a word among `count`; *value stays as it is where the attribute is absent. */
bool xml_choice(xml *x, const xmlNode *element, const char *name, const char *const *words, int count,
                int *value);
