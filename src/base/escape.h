/* base/escape.h - escaping of untrusted texts (titles, names, paths) in generated scripts, data, figures,
 * pages and tables. The characters of an escaped text cannot end a string, line, cell or element, or start a
 * command. All generated output must write such texts with these functions. */
#pragma once

#include "base/text.h"

/* Place of the text. Quotes are included for targets described as `string`, `word` or `cell`. */
typedef enum escape_target {
    ESCAPE_GNUPLOT,        /* a string of a gnuplot script or command, byte by byte the same */
    ESCAPE_GNUPLOT_MARKUP, /* text in gnuplot's enhanced mode, itself in a string */
    ESCAPE_COMMENT,        /* the rest of a line that starts with #; different texts stay different */
    ESCAPE_SHELL,          /* a word of sh, byte for byte the same; quoted if necessary */
    ESCAPE_TEX,            /* text of LaTeX */
    ESCAPE_XML,            /* text or an attribute's value of XML, SVG and HTML */
    ESCAPE_JSON,           /* a string of JSON, also inside HTML's element script */
    ESCAPE_YAML,           /* a string of YAML */
    ESCAPE_MARKDOWN,       /* text of Markdown, also in a table */
    ESCAPE_CSV,            /* a cell (RFC 4180), byte for byte the same; quoted if necessary */
    ESCAPE_TARGETS
} escape_target;

/* Append a string, or n bytes. XML, JSON and YAML take UTF-8 only: an invalid byte becomes U+FFFD. In XML so
 * do control characters except line ends, and the characters that XML forbids. Control characters that
 * GNUPLOT_MARKUP, TEX and MARKDOWN cannot express become blanks. */
void escape(text *to, escape_target target, const char *string);
void escape_n(text *to, escape_target target, const char *bytes, size_t n);

/* Returns true only if the string is written unchanged, apart from quotes around it; without quotes for
 * ESCAPE_CSV. May return false for a string that is written unchanged. */
bool escape_keeps(escape_target target, const char *string);
