/* page/pack.h - bytes as text: deflated (zlib's format), then in base64. A page unpacks them with the
 * browser's DecompressionStream. */
#pragma once

#include "base/json.h"

/* Adds to `out` an element of this key (NULL in an array): a text, `size` bytes deflated and in base64.
 * Nothing is kept of `bytes`. COSTAB_MEMORY. */
costab_status page_pack(json *out, const char *key, const void *bytes, size_t size, costab_error *error);

/* The kernels that pages run, compiled for WebAssembly (page/wasm), gzipped and in base64; "" where the tools
 * were missing when costab was built (src/build.mk).
 */
extern const char page_kernels[];
