/* Writing a script: strings, comments, numbers. */
#include "plot/words.h"

#include <string.h>

#include "plot/markup.h"
#include "plots.h"

static void put_quoted(text *script, const char *string, bool one_line) {
    text_append(script, "'");
    for (const char *c = string; *c; c++) {
        if (*c == '\'')
            text_append(script, c > string && c[-1] != '\'' ? "''" : "'.\"'\".'");
        else if (one_line && ((unsigned char)*c < 0x20 || *c == 0x7f))
            text_append(script, " ");
        else
            text_append_n(script, c, 1);
    }
    text_append(script, "'");
}

void script_string(text *script, const char *string) {
    put_quoted(script, string, true);
}

void script_verbatim(text *command, const char *string) {
    put_quoted(command, string, false);
}

/* A text twice: as it is for gnuplot, and with LaTeX's mark-up. */
void script_twice(text *script, const char *name, const char *shown, const char *tex) {
    text_printf(script, "%s = ", name);
    script_string(script, shown);
    if (strcmp(shown, tex) != 0) {
        text_printf(script, "\nif (FMT eq 'tex') { %s = ", name);
        script_string(script, tex);
        text_append(script, " }");
    }
    text_append(script, "\n");
}

/* A comment: one line, whatever is in it; a backslash at its end would join the next. */
void script_comment(text *script, const char *before, const char *string) {
    text_append(script, before);
    for (const char *c = string; *c; c++)
        text_append_n(script, (unsigned char)*c < 0x20 || *c == 0x7f || *c == '\\' ? " " : c, 1);
    text_append(script, "\n");
}

void script_number(text *script, const char *name, double value, const char *what) {
    text_printf(script, what[0] ? "%-13s = %-10.6g  # %s\n" : "%-13s = %.6g\n", name, value, what);
}

void script_head(text *script, const char *title, const char *source, const char *name) {
    script_comment(script, "# ", title[0] ? title : "A figure of costab");
    script_comment(script, "# Grid computed by ", source);
    text_append(script,
                "#\n# A script for gnuplot 5.2 or newer. It draws the data file beside it; run it in its own "
                "folder:\n#\n"
                "#     gnuplot THIS.gp                    the PDF\n"
                "#     gnuplot -e \"FMT='png'\" THIS.gp     pdf, png, svg or tex\n#\n"
                "# For LaTeX, \\input the .tex file: it reads the two files with -inc in their names.\n\n"
                "if (!exists(\"FMT\")) FMT = 'pdf'\nif (!exists(\"NAME\")) NAME = ");
    script_string(script, name);
    text_append(script, "\nif (!exists(\"DATA\")) DATA = NAME.'.dat'\n");
}

void script_texts(text *script, const char *title) {
    text tex = {0};
    text_append(&tex, "");
    markup_tex(&tex, title);
    text_append(script, "\n# ---- Texts: as they are (the title), with gnuplot's mark-up, or LaTeX's.\n\n");
    if (tex.failed)
        script->failed = true;
    else
        script_twice(script, "TITLE", title, tex.data);
    text_free(&tex);
}

void script_layout(text *script, const script_sizes *sizes) {
    text_printf(script, "\n# ---- Size and layout, in cm.%s\n\n", sizes->remark);
    script_number(script, "WIDTH", sizes->unit * sizes->width, "of the whole figure");
    script_number(script, "HEIGHT", sizes->unit * sizes->height, "");
    script_number(script, "LEFT", sizes->unit * sizes->left, "from the figure's edge to the panels");
    script_number(script, "RIGHT", sizes->unit * sizes->right, "");
    script_number(script, "TOP", sizes->unit * sizes->top, "");
    script_number(script, "BOTTOM", sizes->unit * sizes->bottom, "with the legend");
    script_number(script, "GAP_X", sizes->unit * sizes->gap_x, "between panels");
    script_number(script, "GAP_Y", sizes->unit * sizes->gap_y, "");
    script_number(script, "UNIT", sizes->unit, "of the legend's coordinates");
    text_printf(script, "COLUMNS       = %d\nROWS          = %d\n", sizes->columns, sizes->rows);
}

const char *script_title(const costab_style *style, const char *sweep) {
    return style->title != NULL ? style->title : sweep;
}

void script_look(text *script, const costab_style *style) {
    text_append(script, "\n# ---- Look\n\n");
    if (style->font[0]) {
        text_append(script, "if (!exists(\"FONT\")) FONT = ");
        script_string(script, style->font);
        text_append(script, "\n");
    }
    if (style->font_size > 0)
        text_printf(script, "if (!exists(\"FONTSIZE\")) FONTSIZE = %.6g\n", style->font_size);
    text_printf(script, "if (!exists(\"COLOURS\")) COLOURS = '%s'   # colour, grey, black\n",
                costab_colours_name(style->colours));
    text_printf(script, "if (!exists(\"HATCHING\")) HATCHING = %d     # 0: without\n", !style->plain);
    text_append(script, plot_template_begin);
}

void script_finish(text *script) {
    text_append(script, plot_template_finish);
}
