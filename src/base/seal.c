/* CRC-32 by zlib over the file's bytes, read in blocks. */
#include "base/seal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/file.h"
#include "base/memory.h"

#define BLOCK ((size_t)1 << 18)

void seal_line(char line[SEAL_SIZE + 1], size_t size, uint32_t sum) {
    (void)snprintf(line, SEAL_SIZE + 1, SEAL_BEGIN ", size %016jx, crc32 %08lx\n", (uintmax_t)size,
                   (unsigned long)sum);
}

int seal_sum(int descriptor, size_t from, size_t to, uint32_t *sum) {
    memory_local unsigned char *block = memory_alloc(BLOCK, 1);
    if (!block) return ENOMEM;
    int number = 0;
    for (size_t at = from; at < to && !number; at += BLOCK) {
        size_t n = to - at < BLOCK ? to - at : BLOCK;
        number = file_read_at(descriptor, block, n, at);
        if (!number) *sum = (uint32_t)crc32(*sum, block, (uInt)n);
    }
    return number;
}

bool seal_is_whole(int descriptor) {
    char found[SEAL_SIZE], right[SEAL_SIZE + 1];
    struct stat about;
    uint32_t sum = 0;
    if (fstat(descriptor, &about) != 0 || (uintmax_t)about.st_size <= SEAL_SIZE) return false;
    size_t size = (size_t)about.st_size - SEAL_SIZE;
    if (file_read_at(descriptor, found, SEAL_SIZE, size) != 0 ||
        memcmp(found, SEAL_BEGIN, strlen(SEAL_BEGIN)) != 0 || seal_sum(descriptor, 0, size, &sum) != 0)
        return false;
    seal_line(right, size, sum);
    return memcmp(found, right, SEAL_SIZE) == 0;
}
