/* page/page.h - pages: one HTML file each, a template of plots/ with one block of JSON filled in. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "base/text.h"

/* Appends the template with the JSON in its block of data. */
void page_fill(const char *template, const text *data, text *html);

/* Writes a page as the file `path`, whole or not at all, where a file may be written (base/file.h). */
costab_status page_write(const char *path, bool force, const text *html, costab_error *error);

#endif
