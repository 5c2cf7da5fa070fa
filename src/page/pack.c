/* Arrays inside JSON: deflated by zlib, then base64 (RFC 4648). */
#include "page/pack.h"

#include <zlib.h>

#include "base/error.h"
#include "base/memory.h"

static void append_base64(text *t, const unsigned char *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        unsigned group = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);
        char four[4] = {digits[group >> 18], digits[group >> 12 & 63],
                        left > 1 ? digits[group >> 6 & 63] : '=', left > 2 ? digits[group & 63] : '='};
        text_append_n(t, four, sizeof four);
    }
}

costab_status page_pack(json *out, const char *key, const void *bytes, size_t size, costab_error *error) {
    uLongf packed = compressBound((uLong)size);
    memory_local unsigned char *to = memory_alloc(packed, 1);
    text_local base64 = {0};
    if (to == NULL) return error_memory(error);
    int failed = compress2(to, &packed, bytes, (uLong)size, Z_BEST_COMPRESSION);
    if (failed == Z_OK) append_base64(&base64, to, packed);
    bool done = failed == Z_OK && !base64.failed;
    if (done) json_text(out, key, base64.data);
    return done ? COSTAB_OK : error_memory(error);
}
