/* Whether a file is text at all, before its bytes are used: a binary file gets one clear word, and text that
 * is no UTF-8, or has control characters, the place of the first such byte. */
#include <string.h>

#include "model/yaml.h"

static bool is_printable(uint32_t c) {
    if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
    if (c >= 0x7f && c <= 0x9f) return c == 0x85;
    return c != 0xfeff && c != 0xfffe && c != 0xffff;
}

static bool is_wide_text(const char *bytes, size_t size) {
    return size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0);
}

#define NO_BREAK_SPACE 0xa0

/* Does the character at a place stand where YAML expects a space: in an indentation, behind the sign of an
 * entry, or behind a colon? */
static bool separates(const char *bytes, size_t at) {
    while (at > 0 && bytes[at - 1] == ' ') at--;
    if (at > 0 && bytes[at - 1] == ':') return true;
    while (at > 0 && (bytes[at - 1] == ' ' || bytes[at - 1] == '-')) at--;
    return at == 0 || bytes[at - 1] == '\n' || bytes[at - 1] == '\r';
}

bool spec_check_encoding(spec_file *file, const char *bytes, size_t size) {
    if (is_wide_text(bytes, size))
        return spec_complain_at(file, 1, 1, "this is UTF-16 or UTF-32 text; save the file as UTF-8");
    size_t line = 1, column = 1;
    for (size_t i = 0; i < size;) {
        uint32_t c = 0;
        size_t n = text_character(bytes + i, size - i, &c);
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
        if (c == NO_BREAK_SPACE && separates(bytes, i))
            return spec_complain_at(file, line, column,
                                    "here is a no-break space (U+00A0), which YAML takes for a letter; "
                                    "write an ordinary space");
        bool ends_line = c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029 ||
                         (c == '\r' && !(i + 1 < size && bytes[i + 1] == '\n'));
        line += ends_line;
        column = ends_line ? 1 : column + 1;
        i += n;
    }
    return true;
}
