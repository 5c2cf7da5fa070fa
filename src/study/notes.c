/* A list of notes by tile, from the thread that makes one to the one that stores it. */
#include "study/notes.h"

#include "base/error.h"
#include "base/memory.h"
#include "sweep/packed.h"

/* The list has the tiles in flight only. */
static study_note **find(study_note **notes, size_t tile) {
    while (*notes != NULL && (*notes)->tile != tile) notes = &(*notes)->next;
    return notes;
}

static void remove_note(study_note **at) {
    study_note *note = *at;
    *at = note->next;
    text_free(&note->body);
    memory_free(note);
}

study_note *study_note_of(study_note **notes, size_t tile) {
    study_note **at = find(notes, tile);
    if (*at == NULL) *at = memory_alloc(1, sizeof **at);
    if (*at != NULL) (*at)->tile = tile;
    return *at;
}

costab_status study_note_take(study_note **notes, size_t tile, costab_packed *to, costab_error *error) {
    study_note **at = find(notes, tile);
    if (*at == NULL) return COSTAB_OK;
    costab_status status = packed_set(to, (*at)->body.data, (*at)->body.size, error);
    remove_note(at);
    return status;
}

costab_status study_note_give(study_note **notes, size_t tile, const void *bytes, size_t size,
                              costab_error *error) {
    study_note *note = study_note_of(notes, tile);
    if (note == NULL) return error_memory(error);
    note->body.size = 0;
    text_append_n(&note->body, bytes, size);
    return note->body.failed ? error_memory(error) : COSTAB_OK;
}

void study_notes_free(study_note **notes) {
    while (*notes != NULL) remove_note(notes);
}
