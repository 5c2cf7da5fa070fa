/* planar/area_pieces.h - the stable rows of a co-simulation scheme at one a, as runs that end at the same
 * bounds. */
#ifndef PLANAR_AREA_PIECES_H
#define PLANAR_AREA_PIECES_H

#include "planar/area_rows.h"

/* A run of rows whose intervals end at the same two bounds. from and to are values of d and may be infinite.
 */
typedef struct area_piece {
    wide from, to;
    int lower, upper;
    bool ss; /* the rows are SS, else US */
} area_piece;

enum { AREA_PIECES_MAX = 512 };

typedef struct area_pieces {
    const area_plan *plan; /* borrowed */
    wide from, to;         /* range of d asked for */
    wide points[AREA_BREAKS_MAX];
    int point_count;
    area_piece piece[AREA_PIECES_MAX];
    int count;
} area_pieces;

/* Finds all pieces with d from `from` to `to`, which may be infinite; false where break points could not be
 * told or are too many. [out] pieces, a large struct that needs no clearing. */
bool area_pieces_find(const area_plan *plan, wide from, wide to, area_pieces *pieces);

/* Whether the area of a piece is infinite. */
bool area_piece_infinite(const area_plan *plan, const area_piece *piece);

#endif
