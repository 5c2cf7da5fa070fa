/* Reads the cells of a row by its description (costab/record.h): the number or the word of a column, for
 * tables, results files and Python. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/column.h"

static const uint8_t classes[] = {
    COSTAB_UU, COSTAB_US, COSTAB_SU, COSTAB_SS, COSTAB_NU, COSTAB_NS,           COSTAB_SN,
    COSTAB_UN, COSTAB_NN, COSTAB_XU, COSTAB_XS, COSTAB_XN, COSTAB_CLASS_FAILED, COSTAB_CLASS_UNDECIDED};

const costab_code_words costab_class_codes = {costab_class_name, sizeof classes, classes,
                                              COSTAB_NOT_COMPUTED};

int record_round_down(const void *row) {
    (void)row;
    return -1;
}

int record_round_up(const void *row) {
    (void)row;
    return 1;
}

/* Returns the struct member of a column, or an entry of the array to which the member points. */
static const char *member_of(const costab_column *column, const void *row, size_t entry) {
    const char *at = (const char *)row + column->offset;
    if (column->stride == 0) return at;
    memcpy(&at, at, sizeof at);
    return at + entry * column->stride + column->element;
}

/* Returns the whole number, code or yes (1) in a member of the column's size. */
static int whole_of(const costab_column *column, const char *at) {
    int whole;
    long longer;
    if (column->size == sizeof(uint8_t)) return *(const uint8_t *)at;
    memcpy(&whole, at, sizeof whole);
    if (column->size == sizeof longer) memcpy(&longer, at, sizeof longer), whole = (int)longer;
    return whole;
}

double costab_column_number(const costab_column *column, const void *row, size_t entry) {
    const char *at = member_of(column, row, entry);
    double real;
    switch (column->type) {
    case COSTAB_COLUMN_REAL:
        memcpy(&real, at, sizeof real);
        return real;
    case COSTAB_COLUMN_WHOLE:
    case COSTAB_COLUMN_CODE:
    case COSTAB_COLUMN_YES:
        return whole_of(column, at);
    case COSTAB_COLUMN_INDEX:
        return whole_of(column, at) >= 0 ? whole_of(column, at) : (double)NAN;
    default:
        return (double)NAN;
    }
}

const char *costab_column_word(const costab_column *column, const void *row, size_t entry,
                               const costab_names *names, char space[COSTAB_CELL_MAX]) {
    const char *at = member_of(column, row, entry), *word = NULL;
    int number;
    switch (column->type) {
    case COSTAB_COLUMN_NAME:
        memcpy(&word, at, sizeof word);
        break;
    case COSTAB_COLUMN_CHARS:
        return at;
    case COSTAB_COLUMN_CODE:
        word = column->codes->word(whole_of(column, at));
        break;
    case COSTAB_COLUMN_YES:
        return whole_of(column, at) ? "yes" : "no";
    case COSTAB_COLUMN_INDEX:
        number = whole_of(column, at);
        if (number >= 0 && number < names->counts[column->list]) word = names->of[column->list][number];
        break;
    case COSTAB_COLUMN_WORDS:
        return column->words(row, names, space);
    default:
        break;
    }
    return word != NULL ? word : "";
}

size_t costab_record_entries(const costab_record *record, int axis, const void *row,
                             const costab_names *names) {
    const costab_record_axis *of = &record->axes[axis];
    size_t count = 1;
    if (of->place == COSTAB_PLACE_ARRAY) memcpy(&count, (const char *)row + of->offset, sizeof count);
    return of->place == COSTAB_PLACE_LISTED ? (size_t)names->counts[of->list] : count;
}
