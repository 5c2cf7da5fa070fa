/* Makes, reads and compares the header of a log (checkpoint.h), so that a sweep continues only from its own
 * log. The header has a fixed part of numbers, and then texts, each with a final NUL.
 *   1. Making: the numbers and texts follow from the plan, the program's version and the texts of the spec;
 *      both parts get a checksum.
 *   2. Reading: the fixed part is checked first, because it gives the size of the texts; then the checksum of
 *      the texts.
 *   3. Comparing: two logs belong to one sweep if the hashes of their plans, the versions, the slices, and
 *      text, path, title and references of the spec are the same. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "store/checkpoint.h"
#include "store/chunk.h"
#include "sweep/hash.h"

#define ORDER      0x01020304u         /* shows the byte order of the machine */
#define FORMAT     5u                  /* number of this format */
#define HEAD_LIMIT ((uint64_t)1 << 31) /* largest size; more than any spec */

typedef struct fixed {
    char magic[16];
    uint32_t order, format;
    uint64_t size; /* of the whole header, in bytes */
    uint64_t plan, first, step;
    uint32_t texts_sum, sum; /* checksums of the texts, and of this struct up to `sum` */
} fixed;

static const char magic[16] = CHECKPOINT_MARK "log\r\n\x1a\n";

/* First bytes of a log of version 0.1.0, which had format 3. */
static const char older_front[sizeof magic] = CHECKPOINT_MARK;

#define TEXTS_AT sizeof(fixed)

enum { VERSION, TITLE, REFERENCES, SPEC_PATH, SPEC_TEXT, FIGURE, TEXTS };

void checkpoint_version(text *version) {
    text_printf(version, "costab %s (%s) with zlib %s", COSTAB_VERSION, costab_revision(), zlibVersion());
}

/* Sets the members of a header that point into its bytes. */
static void point_into(checkpoint_head *head) {
    const char *texts[TEXTS], *next = head->bytes + TEXTS_AT;
    for (int i = 0; i < TEXTS; i++) {
        texts[i] = next;
        next += strlen(next) + 1;
    }
    head->version = texts[VERSION];
    head->info = (costab_store_info){.title = texts[TITLE],
                                     .references = *texts[REFERENCES] ? texts[REFERENCES] : NULL,
                                     .spec_path = texts[SPEC_PATH],
                                     .spec_text = texts[SPEC_TEXT],
                                     .figure = *texts[FIGURE] ? texts[FIGURE] : NULL};
}

costab_status checkpoint_head_make(const costab_checkpoint_key *key, checkpoint_head *head,
                                   costab_error *error) {
    const size_t step = key->step > 0 ? key->step : 1;
    fixed f = {
        .order = ORDER, .format = FORMAT, .plan = hash_plan(key->plan), .first = key->first, .step = step};
    const costab_store_info *info = key->info;
    const char *more[] = {info->title, info->references ? info->references : "", info->spec_path,
                          info->spec_text, info->figure ? info->figure : ""};
    text_local bytes = {0};
    memcpy(f.magic, magic, sizeof magic);
    text_append_n(&bytes, (const char *)&f, sizeof f);
    checkpoint_version(&bytes);
    text_append_n(&bytes, "", 1);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        text_append_n(&bytes, more[i], strlen(more[i]) + 1);
    if (bytes.failed) return error_memory(error);
    f.size = bytes.size;
    f.texts_sum = store_sum(bytes.data + TEXTS_AT, bytes.size - TEXTS_AT);
    f.sum = store_sum(&f, offsetof(fixed, sum));
    memcpy(bytes.data, &f, sizeof f);
    *head = (checkpoint_head){
        .bytes = bytes.data, .size = bytes.size, .plan = f.plan, .first = key->first, .step = step};
    bytes.data = NULL; /* *head owns the bytes */
    point_into(head);
    return COSTAB_OK;
}

static costab_status damaged(const char *path, costab_error *error) {
    return error_invalid(error,
                         "'%s' is damaged at its beginning: nothing of it can be used; remove it, or run "
                         "without --resume, which replaces it",
                         path);
}

static costab_status other_format(const char *path, unsigned format, costab_error *error) {
    return error_invalid(
        error,
        "'%s' was written by a version of costab with another format (%u, this version has %u): continue "
        "with that version, or run without --resume",
        path, format, FORMAT);
}

static bool is_blank(const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != '\0') return false;
    return true;
}

/* Reads the fixed part, which describes the rest. [out] *cut: the file ends in it or, in a log open for
 * writing, a loss of power has left zeros in its place. */
static costab_status read_fixed(int descriptor, const char *path, bool writing, fixed *f, bool *foreign,
                                bool *cut, costab_error *error) {
    ssize_t size;
    memset(f, 0, sizeof *f);
    do size = pread(descriptor, f, sizeof *f, 0);
    while (size < 0 && errno == EINTR);
    if (size < 0) return file_read_error(error, path, errno);
    size_t found = (size_t)size, marked = found < sizeof magic ? found : sizeof magic;
    *foreign = false;
    *cut = writing && is_blank((const char *)f, found);
    if (*cut) return COSTAB_OK;
    if (found >= sizeof magic && memcmp(f->magic, older_front, sizeof magic) == 0)
        return other_format(path, 3, error);
    *foreign = memcmp(f->magic, magic, marked) != 0;
    if (*foreign)
        return error_invalid(
            error,
            writing
                ? "'%s' is not a checkpoint of costab: move it elsewhere, or choose another output"
                : "'%s' is neither a checkpoint of costab nor a slice, such as costab sweep --slice writes",
            path);
    *cut = found < sizeof *f;
    if (*cut) return COSTAB_OK;
    if (f->order != ORDER)
        return error_invalid(error,
                             "'%s' was written on a machine of another byte order: continue it there, or run "
                             "without --resume",
                             path);
    if (f->format != FORMAT) return other_format(path, f->format, error);
    if (f->sum != store_sum(f, offsetof(fixed, sum)) || f->size <= TEXTS_AT || f->size > HEAD_LIMIT)
        return damaged(path, error);
    return COSTAB_OK;
}

static bool texts_are_whole(const char *texts, size_t size, uint32_t sum) {
    size_t found = 0;
    for (size_t i = 0; i < size; i++) found += texts[i] == '\0';
    return found == TEXTS && texts[size - 1] == '\0' && sum == store_sum(texts, size);
}

costab_status checkpoint_head_read(int descriptor, const char *path, bool writing, checkpoint_head *head,
                                   bool *foreign, costab_error *error) {
    fixed f;
    bool cut = false;
    *head = (checkpoint_head){.bytes = NULL};
    TRY(read_fixed(descriptor, path, writing, &f, foreign, &cut, error));
    if (cut) return COSTAB_OK;
    off_t there = lseek(descriptor, 0, SEEK_END);
    if (there < 0) return file_read_error(error, path, errno);
    if ((uint64_t)there < f.size) return COSTAB_OK; /* cut short */
    size_t size = (size_t)f.size;
    memory_local_array(char, bytes, size, error);
    int number = file_read_at(descriptor, bytes, size, 0);
    if (number > 0) return file_read_error(error, path, number);
    if (number < 0 || !texts_are_whole(bytes + TEXTS_AT, size - TEXTS_AT, f.texts_sum))
        return damaged(path, error);
    *head = (checkpoint_head){
        .bytes = bytes, .size = size, .plan = f.plan, .first = (size_t)f.first, .step = (size_t)f.step};
    bytes = NULL; /* *head owns the bytes */
    point_into(head);
    return COSTAB_OK;
}

static bool same_text(const char *one, const char *other) {
    return strcmp(one ? one : "", other ? other : "") == 0;
}

costab_status checkpoint_head_same(const checkpoint_head *found, const checkpoint_head *wanted,
                                   const char *path, costab_error *error) {
    const costab_store_info *a = &found->info, *b = &wanted->info;
    if (!same_text(a->spec_text, b->spec_text) || !same_text(a->spec_path, b->spec_path) ||
        !same_text(a->title, b->title) || !same_text(a->references, b->references))
        return error_invalid(
            error,
            "'%s' is of another spec (%s, which may have been edited since): choose another output, or run "
            "without --resume",
            path, a->spec_path);
    if (!same_text(found->version, wanted->version))
        return error_invalid(
            error,
            "'%s' was written by %s, and this is %s: continue with that version, or run without --resume",
            path, found->version, wanted->version);
    if (found->plan != wanted->plan || found->first != wanted->first || found->step != wanted->step)
        return error_invalid(
            error, "'%s' is of another grid or part of it: choose another output, or run without --resume",
            path);
    return COSTAB_OK;
}

void checkpoint_head_free(checkpoint_head *head) {
    memory_free(head->bytes);
    *head = (checkpoint_head){.bytes = NULL};
}
