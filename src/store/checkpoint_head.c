/* The front and the head of a log (checkpoint.h). The head is a fixed part of numbers and then texts, each
 * with a final NUL.
 *
 *  1. Made: from the plan, the program's version and the texts of the spec; with checksums of both parts.
 *  2. Read: the fixed part is checked first, as it makes the rest readable; then the texts' checksum.
 *  3. Compared: two logs belong to one sweep if their plans' hashes, versions, slices and texts are the same.
 */
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

#define ORDER      0x01020304u
#define FORMAT     4u
#define HEAD_LIMIT ((uint64_t)1 << 31)

typedef struct fixed {
    char magic[16];
    uint32_t order, format;
    uint64_t size; /* of the front and the whole head */
    uint64_t plan, first, step;
    uint32_t texts_sum, sum; /* of the texts, and of this before `sum` */
} fixed;

static const char magic[16] = FILE_LOG_HEAD "log\r\n\x1a\n";
static const char front[CHECKPOINT_FRONT] = FILE_LOG_HEAD;
static const char finished[] = FILE_HDF5_HEAD;

#define MARK     (sizeof FILE_LOG_HEAD - 1) /* the first bytes of a file, by which it is known */
#define TEXTS_AT (CHECKPOINT_FRONT + sizeof(fixed))

enum { VERSION, TITLE, REFERENCES, SPEC_PATH, SPEC_TEXT, TEXTS };

void checkpoint_version(text *version) {
    text_printf(version, "costab %s (%s) with zlib %s", COSTAB_VERSION, costab_revision(), zlibVersion());
}

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
                                     .spec_text = texts[SPEC_TEXT]};
}

costab_status checkpoint_head_make(const costab_checkpoint_key *key, checkpoint_head *head,
                                   costab_error *error) {
    const size_t step = key->step > 0 ? key->step : 1;
    fixed f = {
        .order = ORDER, .format = FORMAT, .plan = hash_plan(key->plan), .first = key->first, .step = step};
    const costab_store_info *info = key->info;
    const char *more[] = {info->title, info->references ? info->references : "", info->spec_path,
                          info->spec_text};
    text_local bytes = {0};
    memcpy(f.magic, magic, sizeof magic);
    text_append_n(&bytes, front, sizeof front);
    text_append_n(&bytes, (const char *)&f, sizeof f);
    checkpoint_version(&bytes);
    text_append_n(&bytes, "", 1);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        text_append_n(&bytes, more[i], strlen(more[i]) + 1);
    if (bytes.failed) return error_memory(error);
    f.size = bytes.size;
    f.texts_sum = store_sum(bytes.data + TEXTS_AT, bytes.size - TEXTS_AT);
    f.sum = store_sum(&f, offsetof(fixed, sum));
    memcpy(bytes.data + CHECKPOINT_FRONT, &f, sizeof f);
    *head = (checkpoint_head){
        .bytes = bytes.data, .size = bytes.size, .plan = f.plan, .first = key->first, .step = step};
    bytes.data = NULL; /* they are the head's */
    point_into(head);
    return COSTAB_OK;
}

static costab_status damaged(const char *path, costab_error *error) {
    return error_invalid(error,
                         "'%s' is damaged at its beginning: nothing of it can be used; remove it, or run "
                         "without --resume, which replaces it",
                         path);
}

uint32_t checkpoint_head_sum(const checkpoint_head *head) {
    return store_sum(head->bytes + CHECKPOINT_FRONT, head->size - CHECKPOINT_FRONT);
}

static costab_status other_format(const char *path, unsigned format, costab_error *error) {
    return error_invalid(
        error,
        "'%s' was written by a version of costab with another format (%u, this one has %u): continue "
        "with that one, or run without --resume",
        path, format, FORMAT);
}

static bool differ(const char *found, const char *expected, size_t size, size_t most) {
    return memcmp(found, expected, size < most ? size : most) != 0;
}

static bool is_blank(const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != '\0') return false;
    return true;
}

/* The fixed part: all that makes the rest unreadable. *cut: the file ends in it, or a loss of power has left
 * zeros in its place. */
static costab_status read_fixed(int descriptor, const char *path, checkpoint_purpose purpose, fixed *f,
                                bool *foreign, bool *cut, costab_error *error) {
    char bytes[TEXTS_AT] = {0};
    ssize_t size;
    do size = pread(descriptor, bytes, sizeof bytes, 0);
    while (size < 0 && errno == EINTR);
    if (size < 0) return file_read_error(error, path, errno);
    size_t found = (size_t)size, behind = found > CHECKPOINT_FRONT ? found - CHECKPOINT_FRONT : 0;
    bool begun = !differ(bytes, front, found, purpose == CHECKPOINT_LOOK ? sizeof front : MARK),
         ended =
             purpose == CHECKPOINT_GO_ON && !differ(bytes, finished, found, MARK) && behind >= sizeof magic;
    if (found >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0) /* a head without a front */
        return other_format(path, 1, error);
    *foreign = false;
    *cut = purpose == CHECKPOINT_GO_ON && is_blank(bytes, found);
    if (*cut) return COSTAB_OK;
    memcpy(f, bytes + CHECKPOINT_FRONT, sizeof *f);
    *foreign = (!begun && !ended) || differ(f->magic, magic, behind, sizeof magic);
    if (*foreign)
        return error_invalid(
            error,
            purpose == CHECKPOINT_GO_ON
                ? "'%s' is no checkpoint of costab: move it elsewhere, or choose another output"
                : "'%s' is no checkpoint of costab and no slice, such as costab sweep --slice writes",
            path);
    *cut = behind < sizeof *f;
    if (*cut) return COSTAB_OK;
    if (f->order != ORDER)
        return error_invalid(error,
                             "'%s' was written on a machine of another word order: continue it there, or run "
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

costab_status checkpoint_head_read(int descriptor, const char *path, checkpoint_purpose purpose,
                                   checkpoint_head *head, bool *foreign, costab_error *error) {
    fixed f;
    bool cut = false;
    *head = (checkpoint_head){.bytes = NULL};
    TRY(read_fixed(descriptor, path, purpose, &f, foreign, &cut, error));
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
    memcpy(bytes, front, sizeof front);
    *head = (checkpoint_head){
        .bytes = bytes, .size = size, .plan = f.plan, .first = (size_t)f.first, .step = (size_t)f.step};
    bytes = NULL; /* they are the head's */
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
            error, "'%s' was written by %s, and this is %s: continue with that one, or run without --resume",
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
