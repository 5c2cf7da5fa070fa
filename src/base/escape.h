/* base/escape.h - escaping of texts from strangers (titles, names, paths) in scripts, data, figures, pages
 * and tables that costab generates. Whatever characters they have, they end no string, line, cell or element
 * there, and begin no command. Whatever is generated has to write such texts by these functions. */
#pragma once

#include "base/text.h"

/* Where the text will stand. Quotes belong to what is written where a target says `string`, `word` or `cell`.
 */
typedef enum escape_target {
    ESCAPE_GNUPLOT,        /* a string of a gnuplot script or command, byte by byte the same */
    ESCAPE_GNUPLOT_MARKUP, /* text in gnuplot's enhanced mode, itself in a string */
    ESCAPE_COMMENT,        /* the rest of a line that begins with #, different texts in different ways */
    ESCAPE_SHELL,          /* a word of sh, byte by byte the same; in quotes where it needs them */
    ESCAPE_TEX,            /* text of LaTeX */
    ESCAPE_XML,            /* text or an attribute's value of XML, SVG and HTML */
    ESCAPE_JSON,           /* a string of JSON, also inside HTML's element script */
    ESCAPE_YAML,           /* a string of YAML */
    ESCAPE_MARKDOWN,       /* text of Markdown, also in a table */
    ESCAPE_CSV,            /* a cell (RFC 4180), byte by byte the same; in quotes where it needs them */
    ESCAPE_TARGETS
} escape_target;

/* Appends a string, or n bytes. XML, JSON and YAML take UTF-8 alone: a byte that is none becomes U+FFFD, as
 * does a character that XML has no way to write. Control characters that a target has no way to write become
 * blanks. */
void escape(text *to, escape_target target, const char *string);
void escape_n(text *to, escape_target target, const char *bytes, size_t n);

/* Whether the string is written as it is, in quotes where its target has them around all. May be false where
 * it is, never true where it is not. */
bool escape_keeps(escape_target target, const char *string);
