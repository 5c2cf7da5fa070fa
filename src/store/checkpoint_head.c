/* The head of a log: fixed numbers, then texts, each with a final NUL. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "store/checkpoint.h"
#include "sweep/hash.h"

#define ORDER      0x01020304u
#define FORMAT     1u
#define HEAD_LIMIT ((uint64_t)1 << 31)

typedef struct fixed {
    char magic[16];
    uint32_t order, format;
    uint64_t size; /* of the whole head */
    uint64_t plan, first, last;
    uint32_t texts_sum, sum; /* of the texts, and of this before `sum` */
} fixed;

static const char magic[16] = FILE_LOG_HEAD "log\r\n\x1a\n";

enum { VERSION, TITLE, REFERENCES, SPEC_PATH, SPEC_TEXT, TEXTS };

static uint32_t sum_of(const void *bytes, size_t size) {
    return (uint32_t)crc32_z(crc32(0, NULL, 0), bytes, size);
}

void checkpoint_version(text *version) {
    text_printf(version, "costab %s (%s) with zlib %s", COSTAB_VERSION, costab_revision(), zlibVersion());
}

static void point_into(checkpoint_head *head) {
    const char *texts[TEXTS], *next = head->bytes + sizeof(fixed);
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

costab_status checkpoint_head_make(const costab_checkpoint_key *key, size_t last, checkpoint_head *head,
                                   costab_error *error) {
    fixed f = {
        .order = ORDER, .format = FORMAT, .plan = hash_plan(key->plan), .first = key->first, .last = last};
    const costab_store_info *info = key->info;
    const char *more[] = {info->title, info->references ? info->references : "", info->spec_path,
                          info->spec_text};
    text bytes = {0};
    memcpy(f.magic, magic, sizeof magic);
    text_append_n(&bytes, (const char *)&f, sizeof f);
    checkpoint_version(&bytes);
    text_append_n(&bytes, "", 1);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        text_append_n(&bytes, more[i], strlen(more[i]) + 1);
    if (bytes.failed) {
        text_free(&bytes);
        return error_memory(error);
    }
    f.size = bytes.size;
    f.texts_sum = sum_of(bytes.data + sizeof f, bytes.size - sizeof f);
    f.sum = sum_of(&f, offsetof(fixed, sum));
    memcpy(bytes.data, &f, sizeof f);
    *head = (checkpoint_head){
        .bytes = bytes.data, .size = bytes.size, .plan = f.plan, .first = key->first, .last = last};
    point_into(head);
    return COSTAB_OK;
}

static costab_status damaged(const char *path, costab_error *error) {
    return error_set(error, COSTAB_INVALID,
                     "'%s' is damaged at its beginning: nothing of it can be used; remove it, or run "
                     "without --resume, which replaces it",
                     path);
}

/* The fixed part: all that makes the rest unreadable. *cut: the file ends in it. */
static costab_status read_fixed(int descriptor, const char *path, fixed *f, bool *foreign, bool *cut,
                                costab_error *error) {
    memset(f, 0, sizeof *f);
    ssize_t size;
    do size = pread(descriptor, f, sizeof *f, 0);
    while (size < 0 && errno == EINTR);
    if (size < 0) return file_error(error, "read", path, errno);
    *foreign = memcmp(f->magic, magic, (size_t)size < sizeof magic ? (size_t)size : sizeof magic) != 0;
    if (*foreign)
        return error_set(error, COSTAB_INVALID,
                         "'%s' is no checkpoint of costab: move it elsewhere, or choose another output",
                         path);
    *cut = (size_t)size < sizeof *f;
    if (*cut) return COSTAB_OK;
    if (f->order != ORDER)
        return error_set(error, COSTAB_INVALID,
                         "'%s' was written on a machine of another word order: continue it there, or run "
                         "without --resume",
                         path);
    if (f->format != FORMAT)
        return error_set(
            error, COSTAB_INVALID,
            "'%s' was written by a version of costab with another format (%u, this one has %u): continue "
            "with that one, or run without --resume",
            path, (unsigned)f->format, FORMAT);
    if (f->sum != sum_of(f, offsetof(fixed, sum)) || f->size <= sizeof *f || f->size > HEAD_LIMIT)
        return damaged(path, error);
    return COSTAB_OK;
}

static bool texts_are_whole(const checkpoint_head *head, uint32_t sum) {
    const char *texts = head->bytes + sizeof(fixed);
    size_t size = head->size - sizeof(fixed), found = 0;
    for (size_t i = 0; i < size; i++) found += texts[i] == '\0';
    return found == TEXTS && texts[size - 1] == '\0' && sum == sum_of(texts, size);
}

costab_status checkpoint_head_read(int descriptor, const char *path, checkpoint_head *head, bool *foreign,
                                   costab_error *error) {
    fixed f;
    bool cut = false;
    *head = (checkpoint_head){.bytes = NULL};
    costab_status status = read_fixed(descriptor, path, &f, foreign, &cut, error);
    if (status || cut) return status;
    off_t there = lseek(descriptor, 0, SEEK_END);
    if (there < 0) return file_error(error, "read", path, errno);
    if ((uint64_t)there < f.size) return COSTAB_OK; /* cut short */
    head->size = (size_t)f.size;
    head->bytes = memory_alloc(head->size, 1);
    if (!head->bytes) return error_memory(error);
    int number = file_read_at(descriptor, head->bytes, head->size, 0);
    if (number)
        status = number > 0 ? file_error(error, "read", path, number) : damaged(path, error);
    else if (!texts_are_whole(head, f.texts_sum))
        status = damaged(path, error);
    if (status) {
        checkpoint_head_free(head);
        return status;
    }
    head->plan = f.plan;
    head->first = (size_t)f.first;
    head->last = (size_t)f.last;
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
        return error_set(
            error, COSTAB_INVALID,
            "'%s' is of another spec (%s, which may have been edited since): choose another output, or run "
            "without --resume",
            path, a->spec_path);
    if (!same_text(found->version, wanted->version))
        return error_set(
            error, COSTAB_INVALID,
            "'%s' was written by %s, and this is %s: continue with that one, or run without --resume", path,
            found->version, wanted->version);
    if (found->plan != wanted->plan || found->first != wanted->first || found->last != wanted->last)
        return error_set(
            error, COSTAB_INVALID,
            "'%s' is of another grid or part of it: choose another output, or run without --resume", path);
    return COSTAB_OK;
}

void checkpoint_head_free(checkpoint_head *head) {
    memory_free(head->bytes);
    *head = (checkpoint_head){.bytes = NULL};
}
