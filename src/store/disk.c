/* A file driver of HDF5 that keeps the first failure, and places chunks where the file has them already:
 *
 *  1. After a failed write nothing is written any more, and HDF5 is told that all went well; the store asks
 *     for the failure.
 *  2. For a chunk that is being adopted, HDF5's request for its address is answered by where it lies, and its
 *     write is dropped. All other blocks are placed one behind the other at the end of the file. */
#include "store/disk.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "base/file.h"
#include "base/memory.h"

/* off_t has at least this many bytes' worth of addresses wherever large files are enabled. */
#define ADDRESS_MAX ((haddr_t)INT64_MAX)

/* An open file as HDF5 knows it. */
typedef struct handle {
    H5FD_t head;
    store_disk *disk;
    haddr_t eoa, eof; /* end of what is allocated, and of the file */
} handle;

static handle *handle_of(const H5FD_t *file) {
    union {
        const H5FD_t *head;
        handle *whole;
    } u = {.head = file}; /* `head` is the first member */
    return u.whole;
}

/* Without `cmp` HDF5 opens a new file once only; `name` is that of the file behind the descriptor. A new file
 * is empty for HDF5, whatever lies there. */
static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t maxaddr) {
    store_disk *const *known = H5Pget_driver_info(access), *disk = known ? *known : NULL;
    struct stat info;
    bool there = disk && disk->descriptor >= 0 && fstat(disk->descriptor, &info) == 0;
    handle *h = there ? memory_alloc(1, sizeof *h) : NULL;
    (void)name;
    (void)maxaddr;
    if (!h) {
        if (there) disk->number = ENOMEM;
        return NULL;
    }
    h->eof = (flags & H5F_ACC_TRUNC) != 0 ? 0 : (haddr_t)info.st_size;
    h->disk = disk;
    return &h->head;
}

static herr_t close_file(H5FD_t *file) {
    memory_free(handle_of(file));
    return 0;
}

static herr_t query(const H5FD_t *file, unsigned long *flags) {
    (void)file;
    *flags = H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

/* Blocks one behind the other, but for a chunk that has its place. (HDF5 asks once per block, as it does not
 * collect small ones: the flags above.) */
static haddr_t allocate(H5FD_t *file, H5FD_mem_t type, hid_t transfer, hsize_t size) {
    handle *h = handle_of(file);
    store_disk *disk = h->disk;
    (void)transfer;
    if (type == H5FD_MEM_DRAW && size == disk->chunk.size && !disk->chunk.placed) {
        disk->chunk.placed = true;
        return disk->chunk.at;
    }
    if (h->eoa > 0 && h->eoa < disk->taken) h->eoa = disk->taken;
    haddr_t at = h->eoa;
    h->eoa += size;
    return at;
}

static haddr_t get_eoa(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return handle_of(file)->eoa;
}

static herr_t set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address) {
    (void)type;
    handle_of(file)->eoa = address;
    return 0;
}

static haddr_t get_eof(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return handle_of(file)->eof;
}

/* What lies beyond the end of the file, or was dropped, reads as zeros. */
static herr_t read_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                         void *buffer) {
    store_disk *disk = handle_of(file)->disk;
    char *next = buffer;
    (void)type;
    (void)transfer;
    while (size > 0) {
        ssize_t n = pread(disk->descriptor, next, size, (off_t)address);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && !disk->number) disk->number = errno;
        if (n <= 0) break;
        next += n;
        address += (haddr_t)n;
        size -= (size_t)n;
    }
    memset(next, 0, size);
    return 0;
}

/* Stands for the bytes of a chunk that is being adopted. (While HDF5 is given one it may write others of its
 * data, such as texts that it keeps in memory no longer, as of the same type.) */
static const char adopted;

static herr_t write_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                          const void *buffer) {
    handle *h = handle_of(file);
    (void)transfer;
    (void)type;
    if (buffer == &adopted) {
        h->disk->chunk.wanted = address == h->disk->chunk.at && size == h->disk->chunk.size;
        return 0;
    }
    if (!h->disk->number) h->disk->number = file_write_at(h->disk->descriptor, buffer, size, address);
    if (address + size > h->eof) h->eof = address + size;
    return 0;
}

static herr_t truncate_file(H5FD_t *file, hid_t transfer, hbool_t closing) {
    handle *h = handle_of(file);
    (void)transfer;
    (void)closing;
    if (h->eoa == h->eof) return 0;
    if (!h->disk->number && ftruncate(h->disk->descriptor, (off_t)h->eoa) != 0) h->disk->number = errno;
    h->eof = h->eoa;
    return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)400, /* of the range that HDF5 leaves to drivers which are not registered
                                         with it */
#endif
    .name = "costab",
    .maxaddr = ADDRESS_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(store_disk *),
    .open = open_file,
    .close = close_file,
    .query = query,
    .alloc = allocate,
    .get_eoa = get_eoa,
    .set_eoa = set_eoa,
    .get_eof = get_eof,
    .read = read_bytes,
    .write = write_bytes,
    .truncate = truncate_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

bool store_disk_use(store_disk *disk, hid_t access) {
    if (disk->driver < 0) disk->driver = H5FDregister(&driver);
    return disk->driver >= 0 && H5Pset_driver(access, disk->driver, &disk) >= 0;
}

const void *store_disk_adopt(store_disk *disk, uint64_t at, size_t size) {
    disk->chunk.at = at;
    disk->chunk.size = size;
    disk->chunk.placed = disk->chunk.wanted = false;
    return &adopted;
}

bool store_disk_adopted(store_disk *disk) {
    disk->chunk.size = 0;
    return disk->chunk.placed && disk->chunk.wanted;
}

void store_disk_close(store_disk *disk) {
    if (disk->driver >= 0) (void)H5FDunregister(disk->driver);
    disk->driver = -1;
    disk->descriptor = -1;
}

costab_status store_disk_status(const store_disk *disk, const char *path, costab_status status,
                                costab_error *error) {
    return disk->number ? file_error(error, "write", path, disk->number) : status;
}
