/* page/pack.h - bytes as text: deflated (zlib's format), then in base64. A page unpacks them with the
 * browser's DecompressionStream. */
#pragma once

#include "base/json.h"

/* Adds to `out` an element of this key (NULL in an array): a text, `size` bytes deflated and in base64.
 * Nothing is kept of `bytes`. COSTAB_MEMORY. */
costab_status page_pack(json *out, const char *key, const void *bytes, size_t size, costab_error *error);
