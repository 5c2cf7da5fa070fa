/* page/wasm/export.h - what the functions share that a page calls. Numbers go in and out by value or through
 * arrays in the module's memory (page_room). A page is one thread. */
#pragma once

#include "costab/spec.h"

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name)))
#else
#define EXPORT(name)
#endif

/* What the last call that failed said. */
costab_error *page_error(void);

/* The page's spec; NULL before it was read. */
const costab_spec *page_spec(void);
