/* study/notes.h - what evaluators note of tiles, until it is taken. The callers hold a lock. */
#pragma once

#include "base/text.h"
#include "costab/sweep.h"

typedef struct study_note {
    struct study_note *next;
    size_t tile;
    text body; /* the bytes that costab_notes hands over */
} study_note;

/* The note of a tile, an empty one where there was none. NULL: memory is out. */
study_note *study_note_of(study_note **notes, size_t tile);

/* Moves the note of a tile into *to, which keeps its size of 0 where there is none. */
costab_status study_note_take(study_note **notes, size_t tile, costab_packed *to, costab_error *error);

/* Makes the bytes the note of a tile, to be taken again. */
costab_status study_note_give(study_note **notes, size_t tile, const void *bytes, size_t size,
                              costab_error *error);

void study_notes_free(study_note **notes);
