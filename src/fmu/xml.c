/* XML by libxml2 without network and entities; errors have file and line. */
#include "fmu/xml.h"

#include <libxml/parser.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

/* Limit of untrusted text in a message. */
#define WORDS_MAX 200
/* Limit of all warnings in bytes. */
#define WARNINGS_MAX 4000

const xmlNode *xml_parse(xml *x, const char *path, const char *bytes, size_t size, costab_error *error) {
    *x = (xml){.path = path, .error = error};
    if (size > XML_BYTES_MAX) {
        x->status = error_invalid(error, "%s: it is longer than %zu bytes", path, XML_BYTES_MAX);
        return NULL;
    }
    xmlResetLastError();
    x->document = xmlReadMemory(bytes, (int)size, NULL, NULL,
                                XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (x->document == NULL) {
        const xmlError *last = xmlGetLastError();
        char words[WORDS_MAX] = "no document";
        if (last != NULL && last->message != NULL) (void)snprintf(words, sizeof words, "%s", last->message);
        words[strcspn(words, "\n")] = '\0';
        text_make_plain(words, sizeof words);
        x->status = error_invalid(error, "%s:%d: error: it is not valid XML: %s", path,
                                  last != NULL ? last->line : 1, words);
        return NULL;
    }
    const xmlNode *root = xmlDocGetRootElement(x->document);
    if (x->document->intSubset != NULL)
        x->status = error_invalid(error,
                                  "%s:1: error: it has a document type with definitions of its own, which is "
                                  "not supported",
                                  path);
    return x->status ? NULL : root;
}

void xml_free(xml *x) {
    if (x->document != NULL) xmlFreeDoc(x->document);
    x->document = NULL;
}

/* Writes "FILE:LINE" with the line of the end of the start tag, as recorded by libxml2. */
static void show_place(const xml *x, const xmlNode *at, text *place) {
    text_printf(place, "%s:%ld", x->path, xmlGetLineNo(at));
}

#define SAID_MAX (2 * WORDS_MAX + 200)

void xml_refuse(xml *x, const xmlNode *at, const char *format, ...) {
    char words[SAID_MAX];
    text_local place = {0};
    va_list arguments;
    if (x->status) return;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    text_make_plain(words, sizeof words);
    show_place(x, at, &place);
    x->status =
        place.failed ? error_memory(x->error) : error_invalid(x->error, "%s: error: %s", place.data, words);
}

bool xml_is_heard(const xml *x) {
    return x->warnings != NULL && x->warnings->size <= WARNINGS_MAX;
}

void xml_warn(xml *x, const xmlNode *at, const char *format, ...) {
    char words[SAID_MAX];
    va_list arguments;
    if (!xml_is_heard(x)) return;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    text_make_plain(words, sizeof words);
    if (x->warnings->size > 0) text_append(x->warnings, "\n");
    show_place(x, at, x->warnings);
    text_printf(x->warnings, ": warning: %s", words);
    if (x->warnings->size > WARNINGS_MAX)
        text_printf(x->warnings, "\n%s: further warnings are not shown", x->path);
    if (x->warnings->failed) xml_no_memory(x);
}

void xml_no_memory(xml *x) {
    if (!x->status) x->status = error_memory(x->error);
}

/* An undeclared prefix stays in the name. */
bool xml_is(const xmlNode *element, const char *name) {
    if (element->type != XML_ELEMENT_NODE) return false;
    const char *own = (const char *)element->name, *colon = strchr(own, ':');
    return strcmp(colon != NULL ? colon + 1 : own, name) == 0;
}

static const xmlNode *find(const xmlNode *node, const char *name) {
    while (node != NULL && (node->type != XML_ELEMENT_NODE || (name != NULL && !xml_is(node, name))))
        node = node->next;
    return node;
}

const xmlNode *xml_child(const xmlNode *parent, const char *name) {
    return parent != NULL ? find(parent->children, name) : NULL;
}

const xmlNode *xml_next(const xmlNode *element, const char *name) {
    return find(element->next, name);
}

/* Without entities an attribute is a single text, or empty. */
const char *xml_get(const xmlNode *element, const char *name) {
    for (const xmlAttr *a = element->properties; a != NULL; a = a->next) {
        if (a->ns != NULL || strcmp((const char *)a->name, name) != 0) continue;
        if (a->children == NULL || a->children->content == NULL) return "";
        return (const char *)a->children->content;
    }
    return NULL;
}

const char *xml_need(xml *x, const xmlNode *element, const char *name) {
    const char *found = xml_get(element, name);
    if (found == NULL)
        xml_refuse(x, element, "%.100s: the attribute '%s' is missing", (const char *)element->name, name);
    return found;
}

/* Returns true for line separators and characters invalid in YAML and terminals. */
static bool breaks_line(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x2028 || code == 0x2029;
}

const char *xml_name(xml *x, const xmlNode *element, const char *name) {
    const char *found = xml_need(x, element, name);
    uint32_t code;
    for (const char *c = found; c != NULL && *c != '\0'; c += text_character(c, TEXT_CHARACTER_MAX, &code))
        if (text_character(c, TEXT_CHARACTER_MAX, &code) == 0 || breaks_line(code)) {
            xml_refuse(x, element, "%.100s: %s = '%.*s' has control characters or ends of lines in it",
                       (const char *)element->name, name, WORDS_MAX, found);
            return NULL;
        }
    return found;
}

char *xml_copy(xml *x, const xmlNode *element, const char *name) {
    const char *found = xml_get(element, name);
    char *copy = found != NULL ? memory_copy(found) : NULL;
    if (found != NULL && copy == NULL) xml_no_memory(x);
    return copy;
}

static bool wrong(xml *x, const xmlNode *element, const char *name, const char *found, const char *expected) {
    xml_refuse(x, element, "%.100s: %s = '%.*s' is not %s", (const char *)element->name, name, WORDS_MAX,
               found, expected);
    return false;
}

/* Trims XML's blanks around a number. */
static const char *trim(const char *found, size_t *length) {
    static const char blanks[] = " \t\r\n";
    found += strspn(found, blanks);
    *length = strlen(found);
    while (*length > 0 && strchr(blanks, found[*length - 1]) != NULL) --*length;
    return found;
}

static bool parse(xml *x, const xmlNode *element, const char *name, const char *found, double *value) {
    size_t length;
    if (found == NULL) return false;
    const char *at = trim(found, &length);
    if (length > 0 && *at == '+') at++, length--;
    return number_parse_double(at, length, value) || wrong(x, element, name, found, "a finite number");
}

bool xml_number(xml *x, const xmlNode *element, const char *name, double *value) {
    return parse(x, element, name, xml_get(element, name), value);
}

bool xml_content(xml *x, const xmlNode *element, double *value) {
    const xmlNode *inner = element->children;
    bool words = inner != NULL && inner->type == XML_TEXT_NODE && inner->content != NULL;
    return parse(x, element, "content", words ? (const char *)inner->content : "", value);
}

bool xml_whole(xml *x, const xmlNode *element, const char *name, uint32_t *value) {
    const char *found = xml_get(element, name);
    size_t length, parsed;
    if (found == NULL) return false;
    const char *at = trim(found, &length);
    if (!number_parse_size(at, length, &parsed) || parsed > UINT32_MAX)
        return wrong(x, element, name, found, "a whole number of at most 32 bits");
    *value = (uint32_t)parsed;
    return true;
}

bool xml_flag(xml *x, const xmlNode *element, const char *name, bool *value) {
    static const char *const words[] = {"false", "0", "true", "1"};
    int which = *value ? 2 : 0;
    if (!xml_choice(x, element, name, words, 4, &which)) return false;
    *value = which >= 2;
    return true;
}

bool xml_choice(xml *x, const xmlNode *element, const char *name, const char *const *words, int count,
                int *value) {
    const char *found = xml_get(element, name);
    if (found == NULL) return false;
    for (int i = 0; i < count; i++)
        if (strcmp(found, words[i]) == 0) {
            *value = i;
            return true;
        }
    return wrong(x, element, name, found, "a word that is known here");
}
