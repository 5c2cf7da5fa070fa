/* page/page.h - pages: one HTML file each, a template of plots/ with one block of JSON filled in. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "base/text.h"

/* Appends the template with the JSON in its block of data. */
void page_fill(const char *template, const text *data, text *html);

#endif
