/* Whether a file is text at all. This is checked before the bytes are used, so that a binary file gets one
 * clear word. */
#include <string.h>

#include "spec/yaml.h"

/* Length of the UTF-8 sequence at s[0..n), its character in *c; 0 if it is none. */
static size_t decode(const unsigned char *s, size_t n, uint32_t *c) {
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        if ((s[0] & forms[f].mask) != forms[f].lead) continue;
        if (f >= n) return 0;
        uint32_t value = s[0] & (unsigned char)~forms[f].mask;
        for (size_t i = 1; i <= f; i++) {
            if ((s[i] & 0xc0) != 0x80) return 0;
            value = value << 6 | (s[i] & 0x3f);
        }
        bool surrogate = value >= 0xd800 && value <= 0xdfff;
        if (value < forms[f].least || value > 0x10ffff || surrogate) return 0;
        *c = value;
        return f + 1;
    }
    return 0;
}

static bool is_printable(uint32_t c) {
    if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
    if (c >= 0x7f && c <= 0x9f) return c == 0x85;
    return c != 0xfeff && c != 0xfffe && c != 0xffff;
}

static bool is_wide_text(const char *bytes, size_t size) {
    return size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0);
}

bool spec_check_encoding(spec_file *file, const char *bytes, size_t size) {
    if (is_wide_text(bytes, size))
        return spec_complain_at(file, 1, 1, "this is UTF-16 or UTF-32 text; save the file as UTF-8");
    size_t line = 1, column = 1;
    for (size_t i = 0; i < size;) {
        uint32_t c = 0;
        size_t n = decode((const unsigned char *)bytes + i, size - i, &c);
        if (n == 0)
            return spec_complain_at(file, line, column,
                                    "expected UTF-8 text, found the byte 0x%02x; is this a binary file?",
                                    (unsigned)(unsigned char)bytes[i]);
        if (!is_printable(c))
            return spec_complain_at(file, line, column,
                                    "expected text, found the character U+%04X; is this a binary file?",
                                    (unsigned)c);
        if (c == '%' && column == 1)
            return spec_complain_at(file, line, column,
                                    "directives such as %%YAML are not read; leave this line out");
        bool ends_line = c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029 ||
                         (c == '\r' && !(i + 1 < size && bytes[i + 1] == '\n'));
        line += ends_line;
        column = ends_line ? 1 : column + 1;
        i += n;
    }
    return true;
}
