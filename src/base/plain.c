/* Reads the characters of untrusted text, and replaces harmful characters for safe output on a terminal. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

size_t text_character(const char *string, size_t n, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)string;
    if (n == 0) return 0;
    size_t length = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (length == 0 || length > n) return 0;
    *code = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (s[i] >> 6 != 2) return 0;
        *code = *code << 6 | (s[i] & 0x3fu);
    }
    bool wrong = *code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff);
    return wrong ? 0 : length;
}

/* Returns true if a character moves the cursor, commands a terminal or changes the direction of writing. */
static bool is_harmful(uint32_t code) {
    static const uint32_t ranges[][2] = {{0x00, 0x08},     {0x0b, 0x1f},     {0x7f, 0x9f},
                                         {0x061c, 0x061c}, {0x200e, 0x200f}, {0x2028, 0x202e},
                                         {0x2066, 0x2069}, {0xfeff, 0xfeff}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1]) return true;
    return false;
}

/* Returns the length of the character that starts here if it is safe to print; 0 otherwise. */
static size_t harmless(const char *string) {
    uint32_t code = 0;
    if (string[0] == '\r' && string[1] == '\n') return 2;
    size_t length = text_character(string, TEXT_CHARACTER_MAX, &code);
    return length > 0 && !is_harmful(code) ? length : 0;
}

size_t text_plain(const char *string, size_t *harmful) {
    uint32_t code;
    size_t length = harmless(string),
           whole = length == 0 ? text_character(string, TEXT_CHARACTER_MAX, &code) : 0;
    *harmful = length > 0 ? 0 : whole > 0 ? whole : 1;
    return length;
}

void text_make_plain(char *string, size_t size) {
    size_t at = 0;
    while (string[at]) {
        size_t harmful, length = text_plain(string + at, &harmful), rest;
        at += length;
        for (size_t i = 0; i < harmful; i++) {
            char shown[5];
            (void)snprintf(shown, sizeof shown, "\\x%02x", (unsigned char)string[at]);
            rest = strlen(string + at + 1);
            if (at + 4 >= size) {
                string[at] = '\0';
                return;
            }
            if (at + 4 + rest >= size) rest = size - at - 5;
            memmove(string + at + 4, string + at + 1, rest);
            memcpy(string + at, shown, 4);
            string[at + 4 + rest] = '\0';
            at += 4;
        }
    }
}
