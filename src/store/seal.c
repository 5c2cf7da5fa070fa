/* The seal behind a results file: the size and the checksum (CRC-32) of all before it.
 *   1. Written: the sum goes on from the bytes that are summed already, as those of a log of tiles are.
 *   2. Opened: the last line is read, the size compared, and the checksum over all of the file.
 * Cost: one pass over the file. It tells accidents, not forgeries. */
#include "store/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/seal.h"

static const char signature[8] = FILE_HDF5_HEAD;

costab_status store_seal(int fd, const char *path, size_t size, const store_summed *summed,
                         costab_error *error) {
    char line[SEAL_SIZE + 1], head[sizeof signature];
    const store_summed nothing = {.from = 0}, *known = summed ? summed : &nothing;
    struct stat info;
    uint32_t sum = 0;
    int number = fstat(fd, &info) == 0 ? 0 : errno;
    if (!number) number = file_read_at(fd, head, sizeof head, 0);
    if (!number && ((uintmax_t)info.st_size != size || memcmp(head, signature, sizeof head) != 0))
        number = -1;
    if (!number) number = seal_sum(fd, 0, known->from, &sum);
    sum = (uint32_t)crc32_combine(sum, known->sum, (z_off_t)(known->to - known->from));
    if (!number) number = seal_sum(fd, known->to, size, &sum);
    if (!number) {
        seal_line(line, size, sum);
        number = file_write_at(fd, line, SEAL_SIZE, size);
    }
    if (number > 0) return file_error(error, "write", path, number);
    if (number == 0) return COSTAB_OK;
    return error_set(error, COSTAB_IO, "cannot write '%s': the file on the disk is not as HDF5 left it",
                     path);
}

static costab_status invalid(costab_error *error, const char *path, const char *what) {
    return error_invalid(error, "'%s': %s; give a file that costab sweep wrote", path, what);
}

static costab_status check(int fd, const char *path, size_t *size, costab_error *error) {
    char head[sizeof signature], found[SEAL_SIZE + 1] = {0}, right[SEAL_SIZE + 1];
    struct stat info;
    uint32_t sum = 0;
    if (fstat(fd, &info) != 0) return file_read_error(error, path, errno);
    if (S_ISDIR(info.st_mode)) return invalid(error, path, "a folder, not a results file");
    if (!S_ISREG(info.st_mode)) return invalid(error, path, "not a regular file");
    if (info.st_size == 0) return invalid(error, path, "an empty file, not a results file");
    int number = file_read_at(fd, head, sizeof head, 0);
    if (number > 0) return file_read_error(error, path, number);
    if (number == 0 && memcmp(head, FILE_LOG_HEAD, sizeof head) == 0)
        return invalid(
            error, path,
            "not a results file, but tiles of a sweep that is not finished (continue with costab sweep "
            "--resume), or a slice of one (for costab merge)");
    if (number < 0 || memcmp(head, signature, sizeof head) != 0)
        return invalid(error, path, "not an HDF5 file, or damaged at its beginning");
    if ((uintmax_t)info.st_size > SIZE_MAX || (size_t)info.st_size <= SEAL_SIZE)
        return invalid(error, path, "too short or too long for a results file");
    *size = (size_t)info.st_size - SEAL_SIZE;
    number = file_read_at(fd, found, SEAL_SIZE, *size);
    if (!number && memcmp(found, SEAL_BEGIN, strlen(SEAL_BEGIN)) != 0)
        return invalid(
            error, path,
            "an HDF5 file, but not as costab sweep wrote it: it is cut short, changed or from elsewhere");
    if (!number) number = seal_sum(fd, 0, *size, &sum);
    if (number > 0) return file_read_error(error, path, number);
    if (number < 0) return invalid(error, path, "it became shorter while it was read");
    seal_line(right, *size, sum);
    if (memcmp(found, right, SEAL_SIZE) != 0)
        return error_invalid(
            error,
            "'%s': changed or damaged since costab sweep wrote it (size or checksum); run the sweep again",
            path);
    return COSTAB_OK;
}

costab_status store_open_sealed(const char *path, int *descriptor, size_t *size, costab_error *error) {
    /* Not blocking, so that a named pipe is refused and not waited for. */
    *descriptor = file_open(path, O_RDONLY | O_NONBLOCK);
    if (*descriptor < 0) return file_read_error(error, path, errno);
    costab_status status = check(*descriptor, path, size, error);
    if (!status) return COSTAB_OK;
    (void)close(*descriptor);
    *descriptor = -1;
    return status;
}
