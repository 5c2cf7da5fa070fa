/* record/column.h - writing descriptions of rows (costab/record.h).
 *
 *     static const costab_column columns[] = {
 *         REAL(costab_margin, frequency, "frequency", .unit = "Hz", .meaning = "..", .over = OVER), ...
 *
 * For REAL, YES and INDEX the compiler refuses a member of another type. */
#pragma once

#include "costab/record.h"

#define COLUMN_PLACE(row, member, of)                                                                        \
    .offset = offsetof(row, member), .size = sizeof(*(1 ? &((row *)0)->member : (of *)0))
#define COLUMN_ANY(row, member) .offset = offsetof(row, member), .size = sizeof(((row *)0)->member)

/* Members of a costab_record: the row and an array of its columns. */
#define ROWS_OF(row, columns_)                                                                               \
    .size = sizeof(row), .columns = (columns_), .column_count = (int)(sizeof(columns_) / sizeof *(columns_))

#define REAL(row, member, ...)                                                                               \
    { .type = COSTAB_COLUMN_REAL, COLUMN_PLACE(row, member, double), .name = __VA_ARGS__ }
#define WHOLE(row, member, ...)                                                                              \
    { .type = COSTAB_COLUMN_WHOLE, COLUMN_ANY(row, member), .name = __VA_ARGS__ }
#define YES(row, member, ...)                                                                                \
    { .type = COSTAB_COLUMN_YES, COLUMN_PLACE(row, member, bool), .name = __VA_ARGS__ }
#define NAME(row, member, ...)                                                                               \
    { .type = COSTAB_COLUMN_NAME, COLUMN_ANY(row, member), .name = __VA_ARGS__ }
#define CHARS(row, member, ...)                                                                              \
    { .type = COSTAB_COLUMN_CHARS, COLUMN_ANY(row, member), .name = __VA_ARGS__ }
#define CODE(row, member, words, ...)                                                                        \
    { .type = COSTAB_COLUMN_CODE, COLUMN_ANY(row, member), .codes = &(words), .name = __VA_ARGS__ }
#define INDEX(row, member, names, ...)                                                                       \
    { .type = COSTAB_COLUMN_INDEX, COLUMN_PLACE(row, member, int), .list = (names), .name = __VA_ARGS__ }
#define WORDS(make, ...)                                                                                     \
    { .type = COSTAB_COLUMN_WORDS, .words = (make), .name = __VA_ARGS__ }
/* Pointers to arrays. ARRAY: `member` points to values of this type. ENTRIES: it points to structs of type
 * `entry`, whose member `value` has this type. */
#define ARRAY(kind, row, member, ...)                                                                        \
    {                                                                                                        \
        .type = COSTAB_COLUMN_##kind, .offset = offsetof(row, member), .size = sizeof(*((row *)0)->member),  \
        .stride = sizeof(*((row *)0)->member), .name = __VA_ARGS__                                           \
    }
#define ENTRIES(kind, row, member, entry, value, ...)                                                        \
    {                                                                                                        \
        .type = COSTAB_COLUMN_##kind, .offset = offsetof(row, member), .size = sizeof(((entry *)0)->value),  \
        .stride = sizeof(entry), .element = offsetof(entry, value), .name = __VA_ARGS__                      \
    }

/* costab_column.side of lower bounds, rounded down, and of upper bounds, rounded up: the printed bound holds,
 * too. */
int record_round_down(const void *row);
int record_round_up(const void *row);
