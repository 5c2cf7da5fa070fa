/* Texts escaped for every target: what each rule says, and what reads them back. */
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "support/support.h"

static void check(escape_target target, const char *string, const char *written) {
    text t = {0};
    escape(&t, target, string);
    assert_string_equal(t.data, written);
    text_free(&t);
}

TEST(each_target_has_its_rules) {
    check(ESCAPE_GNUPLOT, "it's", "'it''s'");
    check(ESCAPE_GNUPLOT, "'''", "''.\"\\047\".''.\"\\047\".''.\"\\047\".''");
    check(ESCAPE_GNUPLOT, "a\n'\\`x`\1", "'a'.\"\\n\".''.\"\\047\".'\\`x`'.\"\\001\".''");
    check(ESCAPE_GNUPLOT_MARKUP, "a_b^{c}@d&e~\\", "a\\_b\\^\\{c\\}\\@d\\&e\\~\\\\");
    check(ESCAPE_GNUPLOT_MARKUP, "]]>a>", "]]{\\76}a>");
    check(ESCAPE_COMMENT, "a\n!b\\", "a\\x0a!b\\x5c");
    check(ESCAPE_SHELL, "a/b-c.h5", "a/b-c.h5");
    check(ESCAPE_SHELL, "", "''");
    check(ESCAPE_SHELL, "it's $(x)\n", "'it'\\''s $(x)\n'");
    check(ESCAPE_TEX, "50 % of {$x_1} \\a^b~c`",
          "50 \\% of \\{\\$x\\_1\\} \\textbackslash{}a\\textasciicircum{}b\\textasciitilde{}c\\`{}");
    check(ESCAPE_XML, "<a b='c' d=\"e\">&\n\1",
          "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;&#10;\xEF\xBF\xBD");
    check(ESCAPE_JSON, "</script>\"\\\n\x7f", "\"\\u003c/script>\\\"\\\\\\u000a\\u007f\"");
    check(ESCAPE_YAML, "a: 'b', \"c\"\n\\", "\"a: 'b', \\\"c\\\"\\x0a\\\\\"");
    check(ESCAPE_MARKDOWN, "a|b\n[c](d) *e* <f> `g`\\", "a\\|b<br>\\[c\\](d) \\*e\\* \\<f> \\`g\\`\\\\");
    check(ESCAPE_CSV, "a b;c", "a b;c");
    check(ESCAPE_CSV, "a,\"b\"\n", "\"a,\"\"b\"\"\n\"");
}

/* Kept characters are written unchanged, in every target, except for quotes around it. */
TEST(what_is_kept_is_not_written_in_another_way) {
    rng r = rng_start("kept");
    size_t kept = 0;
    for (size_t i = 0; i < effort(5000); i++) {
        escape_target target = (escape_target)rng_int(&r, 0, ESCAPE_TARGETS - 1);
        char string[8] = "";
        for (int k = rng_int(&r, 1, 4); k-- > 0;)
            string[k] = (char)(rng_int(&r, 0, 3) > 0 ? "a Z09"[rng_int(&r, 0, 4)] : rng_int(&r, 1, 127));
        text written = {0};
        if (!escape_keeps(target, string)) continue;
        escape(&written, target, string);
        size_t quotes = written.size - strlen(string);
        assert_true(quotes == 0 || quotes == 2);
        assert_memory_equal(written.data + quotes / 2, string, strlen(string));
        text_free(&written);
        kept++;
    }
    assert_true(kept > 100);
    assert_true(escape_keeps(ESCAPE_CSV, "a_b (input)"));
    assert_false(escape_keeps(ESCAPE_CSV, "a,b"));
    assert_false(escape_keeps(ESCAPE_JSON, "a\"b"));
}

TEST(texts_of_unicode_are_utf_8) {
    check(ESCAPE_JSON, "ü\xff∞\xe2\x88", "\"ü\xEF\xBF\xBD∞\xEF\xBF\xBD\xEF\xBF\xBD\"");
    check(ESCAPE_JSON, "\xc2\x85", "\"\\u0085\"");
    check(ESCAPE_YAML, "\xc2\x85ü", "\"\\x85ü\"");
    check(ESCAPE_XML, "\xef\xbf\xbe\xed\xa0\x80ü", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDü");
    check(ESCAPE_CSV, "\xff\xc2\x85", "\xff\xc2\x85");
}

TEST(comments_are_one_line) {
    rng r = rng_start("escape");
    for (size_t i = 0; i < effort(2000); i++) {
        char bytes[40];
        size_t n = rng_bits(&r) % sizeof bytes;
        for (size_t k = 0; k < n; k++)
            bytes[k] = (char)(rng_int(&r, 0, 2) == 0 ? "\\x0a\n\r"[rng_int(&r, 0, 5)] : rng_int(&r, 0, 255));
        text written = {0};
        escape_n(&written, ESCAPE_COMMENT, bytes, n);
        assert_true(n == 0 || (memchr(written.data, '\n', written.size) == NULL &&
                               memchr(written.data, '\r', written.size) == NULL));
        text_free(&written);
    }
}
