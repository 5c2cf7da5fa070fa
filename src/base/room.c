#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* MAP_ANONYMOUS, MADV_HUGEPAGE */
#endif
#ifdef __linux__
#include <sys/mman.h>
#endif
#include "base/room.h"

#include <stdint.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ALL_ALONE 1 /* each block is watched by the sanitizer */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ALL_ALONE 1
#endif
#endif

#if defined(MADV_HUGEPAGE) && !defined(ALL_ALONE)

#define LARGE ((size_t)2 << 20)

/* What stands in front of each block. */
typedef struct header {
    _Alignas(max_align_t) size_t bytes;
    struct header *below; /* the block in front of it */
    bool left;
} header;

static _Thread_local struct {
    char *mapped; /* NULL: the room is closed */
    char *begin, *end;
    char *next;    /* what begins here is free */
    char *touched; /* what begins here is 0 */
    header *top;   /* the last block; NULL: the room is empty */
} room;

void room_open(void) {
    if (room.mapped != NULL) return;
    char *mapped = mmap(NULL, 2 * LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return;
    char *begin = mapped + (LARGE - (uintptr_t)mapped % LARGE) % LARGE;
    if (madvise(begin, LARGE, MADV_HUGEPAGE) != 0) {
        (void)munmap(mapped, 2 * LARGE);
        return;
    }
    *begin = 0; /* now, while this thread may have to wait anyway */
    room.mapped = mapped;
    room.begin = room.next = room.touched = begin;
    room.end = begin + LARGE;
    room.top = NULL;
}

void room_close(void) {
    if (room.mapped == NULL || room.top != NULL) return;
    (void)munmap(room.mapped, 2 * LARGE);
    room.mapped = room.begin = room.next = room.end = NULL;
}

void *room_take(size_t bytes, bool zero) {
    if (room.mapped == NULL || bytes > LARGE) return NULL;
    if (bytes == 0) bytes = 1; /* room_has looks at the block's first byte: it must not be the room's end */
    const size_t length = sizeof(header) + (bytes + sizeof(header) - 1) / sizeof(header) * sizeof(header);
    if (length > (size_t)(room.end - room.next)) return NULL;
    header *h = (header *)(void *)room.next;
    char *block = room.next + sizeof *h;
    room.next += length;
    if (zero && block < room.touched) {
        const size_t dirty = (size_t)(room.touched - block);
        memset(block, 0, dirty < bytes ? dirty : bytes);
    }
    if (room.touched < room.next) room.touched = room.next;
    *h = (header){.bytes = length - sizeof *h, .below = room.top};
    room.top = h;
    return block;
}

bool room_has(const void *block, size_t *bytes) {
    const char *at = block;
    if ((uintptr_t)at - (uintptr_t)room.begin >= (uintptr_t)(room.end - room.begin)) return false;
    *bytes = ((const header *)block - 1)->bytes;
    return true;
}

void room_leave(void *block) {
    ((header *)block - 1)->left = true;
    for (; room.top != NULL && room.top->left; room.top = room.top->below) room.next = (char *)room.top;
}

#else

void room_open(void) {}

void room_close(void) {}

void *room_take(size_t bytes, bool zero) {
    (void)bytes, (void)zero;
    return NULL;
}

bool room_has(const void *block, size_t *bytes) {
    (void)block, (void)bytes;
    return false;
}

void room_leave(void *block) {
    (void)block;
}

#endif
