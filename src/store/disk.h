/* store/disk.h - the file under a store: an HDF5 file driver that HDF5 cannot trip over.
 *
 * After a write that failed, HDF5 1.10 crashes or loops when it closes the file. This driver never tells it:
 * the first failure is kept, everything after it is dropped, and the store asks for it after each of its
 * steps. Files that it writes are plain HDF5 files. */
#pragma once

#include <hdf5.h>

#include "costab/base.h"

/* It must not move while a file is open on it. */
typedef struct store_disk {
    int descriptor; /* borrowed, open for reading and writing; -1: none */
    int number;     /* errno of the first failure; 0: none */
    hid_t driver;
    uint64_t taken; /* bytes that are in the file already: a new HDF5 file puts its first block before them,
                       for which there must be room, and all others behind them */
    struct {
        uint64_t at;
        size_t size;
        bool placed, wanted; /* HDF5 has asked for its place, and has written it */
    } chunk;                 /* that is being adopted; size 0: none */
} store_disk;

#define STORE_DISK_NONE ((store_disk){.descriptor = -1, .driver = -1})

/* Makes files of the access list `access` live on disk->descriptor. False where HDF5 fails. */
bool store_disk_use(store_disk *disk, hid_t access);

/* The next chunk that HDF5 is given is not written: it has this size and is in the file already, at `at`.
 * Returns what to give HDF5 in its place, which it does not read. */
const void *store_disk_adopt(store_disk *disk, uint64_t at, size_t size);

/* Whether HDF5 has taken it, to be asked after that; what it writes from then on is written. */
bool store_disk_adopted(store_disk *disk);

/* Forgets the descriptor, after the file was closed. */
void store_disk_close(store_disk *disk);

/* `status`, or the disk's own failure where there is one: it is the cause of whatever HDF5 said. */
costab_status store_disk_status(const store_disk *disk, const char *path, costab_status status,
                                costab_error *error);
