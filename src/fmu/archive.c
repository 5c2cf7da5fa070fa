/* Reads FMUs and systems from untrusted zip archives, with limits.
 * 1. Entries are listed once and found by name. Their number, and the size of an entry that is read into
 * memory, are checked before the allocation.
 * 2. Data are inflated block by block, at most to the size in the header.
 * 3. Symbolic links, and names that leave the target folder, are refused.
 * Cost: one pass over the requested entries, read by libzip. */
#include "fmu/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

/* Size of a name in messages. */
#define SHOWN_MAX 300
#define BLOCK     ((size_t)1 << 16)

/* An entry with its name. */
typedef struct named {
    const char *name;
    size_t i;
} named;

struct archive {
    zip_t *zip;
    const char *path;
    size_t count;
    char **names;  /* names of the entries, with / between folders */
    named *sorted; /* sorted by name */
    char *own;     /* the archive's bytes if owned in memory; otherwise NULL */
};

/* Makes untrusted text fit for a message. */
static const char *plain(const char *words, char shown[SHOWN_MAX]) {
    (void)snprintf(shown, SHOWN_MAX, "%s", words);
    text_make_plain(shown, SHOWN_MAX);
    return shown;
}

static costab_status refuse(const archive *a, const char *name, const char *why, costab_error *error) {
    char shown[SHOWN_MAX];
    return error_invalid(error, "'%s': its entry '%s' %s", a->path, plain(name, shown), why);
}

/* Returns true if a name stays in the folder. */
static bool stays(const char *name) {
    if (name[0] == '/' || name[0] == '\0' || strchr(name, ':') != NULL) return false;
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        if (*part == '/') part++;
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return false;
    }
    return true;
}

static bool is_link(zip_t *zip, zip_uint64_t i) {
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    if (zip_file_get_external_attributes(zip, i, 0, &system, &attributes) != 0) return true;
    return system == ZIP_OPSYS_UNIX && S_ISLNK((mode_t)(attributes >> 16));
}

/* Reads the name of an entry; some packers write \ between folders. */
static costab_status take_entry(archive *a, size_t i, costab_error *error) {
    const char *raw = zip_get_name(a->zip, i, ZIP_FL_ENC_RAW);
    if (raw == NULL) return refuse(a, "?", "has no name", error);
    char *name = a->names[i] = memory_copy(raw);
    if (name == NULL) return error_memory(error);
    for (char *c = name; *c != '\0'; c++)
        if (*c == '\\') *c = '/';
    a->sorted[i] = (named){name, i};
    if (!stays(name)) return refuse(a, raw, "leads out of the archive; do not use it", error);
    if (is_link(a->zip, i)) return refuse(a, raw, "is a symbolic link, which is not supported", error);
    return COSTAB_OK;
}

static int by_name(const void *one, const void *other) {
    const named *a = one, *b = other;
    return strcmp(a->name, b->name);
}

/* Returns the index of the entry with that name, always the same of several copies; -1 if there is none. */
static zip_int64_t locate(const archive *a, const char *name) {
    const named wanted = {.name = name};
    const named *found = bsearch(&wanted, a->sorted, a->count, sizeof *a->sorted, by_name);
    return found != NULL ? (zip_int64_t)found->i : -1;
}

/* Official FMUs may contain a folder twice, or identical copies of a file: both are harmless. */
static bool are_one(const archive *a, const named *one, const named *other) {
    zip_stat_t first, second;
    if (one->name[strlen(one->name) - 1] == '/') return true;
    if (zip_stat_index(a->zip, one->i, 0, &first) != 0 || zip_stat_index(a->zip, other->i, 0, &second) != 0)
        return false;
    const zip_uint64_t both = first.valid & second.valid;
    return (both & ZIP_STAT_SIZE) != 0 && (both & ZIP_STAT_CRC) != 0 && first.size == second.size &&
           first.crc == second.crc;
}

static costab_status take_entries(archive *a, costab_error *error) {
    zip_int64_t count = zip_get_num_entries(a->zip, 0);
    if (count < 0 || count > ARCHIVE_ENTRIES_MAX)
        return error_invalid(error, "'%s': it has more than %d entries", a->path, ARCHIVE_ENTRIES_MAX);
    TRY(memory_make(&a->names, (size_t)count + 1, error));
    TRY(memory_make(&a->sorted, (size_t)count + 1, error));
    a->count = (size_t)count;
    for (size_t i = 0; i < a->count; i++) TRY(take_entry(a, i, error));
    qsort(a->sorted, a->count, sizeof *a->sorted, by_name);
    for (size_t i = 1; i < a->count; i++) {
        const named *one = &a->sorted[i - 1], *other = &a->sorted[i];
        if (strcmp(one->name, other->name) == 0 && !are_one(a, one, other))
            return refuse(a, other->name, "is in it twice, with different contents", error);
    }
    return COSTAB_OK;
}

/* Opens an archive from a source; a NULL source has the error `why`. */
static costab_status open_source(const char *path, zip_source_t *source, zip_error_t *why, archive **opened,
                                 costab_error *error) {
    archive *a = *opened = memory_alloc(1, sizeof *a);
    costab_status status = a == NULL ? error_memory(error) : COSTAB_OK;
    zip_t *zip = source != NULL && !status ? zip_open_from_source(source, ZIP_RDONLY, why) : NULL;
    if (zip == NULL && source != NULL) zip_source_free(source);
    if (zip == NULL && !status)
        status =
            error_invalid(error, "'%s' is not a readable zip archive: %s", path, zip_error_strerror(why));
    zip_error_fini(why);
    if (a != NULL) *a = (archive){.zip = zip, .path = path};
    if (!status) status = take_entries(a, error);
    if (status) archive_close(opened);
    return status;
}

/* Size limit of an archive inside another archive, which is read into memory. */
#define INSIDE_MAX ((size_t)1 << 30)

/* Splits the path of an entry of an .ssp file into the file and the entry's name; *outer is NULL for other
 * paths. A folder's name may also end in .ssp. */
static costab_status split_path(const char *path, char **outer, const char **entry, costab_error *error) {
    static const char ending[] = ".ssp/";
    *outer = NULL;
    for (const char *at = strstr(path, ending); at != NULL; at = strstr(at + 1, ending)) {
        struct stat about;
        *entry = at + sizeof ending - 1;
        *outer = memory_copy_n(path, (size_t)(*entry - 1 - path));
        if (*outer == NULL) return error_memory(error);
        if (stat(*outer, &about) != 0 || !S_ISDIR(about.st_mode)) return COSTAB_OK;
        memory_free(*outer);
        *outer = NULL;
    }
    return COSTAB_OK;
}

static costab_status open_inside(const char *path, const char *name, const char *entry, archive **opened,
                                 costab_error *error) {
    ends_by(archive_close) archive *outer = NULL;
    memory_local char *bytes = NULL;
    size_t size = 0;
    TRY(archive_open(name, &outer, error));
    TRY(archive_read(outer, entry, INSIDE_MAX, &bytes, &size, error));
    TRY(archive_open_bytes(path, bytes, size, opened, error));
    (*opened)->own = bytes;
    bytes = NULL;
    return COSTAB_OK;
}

costab_status archive_open(const char *path, archive **opened, costab_error *error) {
    struct stat about;
    zip_error_t why;
    memory_local char *outer = NULL;
    const char *entry;
    *opened = NULL;
    TRY(split_path(path, &outer, &entry, error));
    if (outer != NULL) return open_inside(path, outer, entry, opened, error);
    if (stat(path, &about) != 0) return file_read_error(error, path, errno);
    if (!S_ISREG(about.st_mode)) return error_invalid(error, "'%s' is no regular file", path);
    zip_error_init(&why);
    return open_source(path, zip_source_file_create(path, 0, -1, &why), &why, opened, error);
}

costab_status archive_open_bytes(const char *path, const void *bytes, size_t size, archive **opened,
                                 costab_error *error) {
    zip_error_t why;
    zip_error_init(&why);
    return open_source(path, zip_source_buffer_create(bytes, size, 0, &why), &why, opened, error);
}

void archive_close(archive **opened) {
    if (opened == NULL || *opened == NULL) return;
    archive *a = *opened;
    if (a->zip != NULL) zip_discard(a->zip);
    for (size_t i = 0; i < a->count; i++) memory_free(a->names[i]);
    memory_free_all(a->names, a->sorted, a->own, a);
    *opened = NULL;
}

size_t archive_count(const archive *a) {
    return a->count;
}

const char *archive_name(const archive *a, size_t i) {
    return a->names[i];
}

void archive_mark(const archive *a, char mark[ARCHIVE_MARK_SIZE]) {
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < a->count; i++) {
        const char *name = archive_name(a, i);
        zip_stat_t about;
        if (zip_stat_index(a->zip, i, 0, &about) != 0) continue;
        const uint64_t numbers[] = {about.size, about.crc};
        hash = hash_bytes(hash_bytes(hash, name, strlen(name) + 1), numbers, sizeof numbers);
    }
    (void)snprintf(mark, ARCHIVE_MARK_SIZE, "x%016" PRIx64, hash);
}

bool archive_has(const archive *a, const char *prefix) {
    size_t length = strlen(prefix);
    for (size_t i = 0; i < a->count; i++)
        if (strncmp(archive_name(a, i), prefix, length) == 0) return true;
    return false;
}

/* Returns the size of an entry according to its header. */
static uint64_t declared_size(const archive *a, size_t i) {
    zip_stat_t about;
    bool known = zip_stat_index(a->zip, i, 0, &about) == 0 && (about.valid & ZIP_STAT_SIZE) != 0;
    return known ? about.size : 0;
}

uint64_t archive_size(const archive *a, const char *prefix) {
    const uint64_t most = (uint64_t)1 << 40; /* ARCHIVE_ENTRIES_MAX such sizes do not overflow */
    uint64_t sum = 0;
    for (size_t i = 0; i < a->count; i++) {
        if (strncmp(archive_name(a, i), prefix, strlen(prefix)) != 0) continue;
        uint64_t size = declared_size(a, i);
        sum += size < most ? size : most;
    }
    return sum;
}

/* Receives the next bytes of an entry. */
typedef costab_status (*take)(void *context, const char *bytes, size_t size, costab_error *error);

/* Inflates an entry block by block, at most to the size in its header. */
static costab_status inflate_entry(archive *a, size_t i, take to, void *context, costab_error *error) {
    const char *name = archive_name(a, i);
    const uint64_t size = declared_size(a, i);
    zip_file_t *file = zip_fopen_index(a->zip, i, 0);
    memory_local char *block = memory_alloc(BLOCK, 1);
    costab_status status = block == NULL ? error_memory(error) : COSTAB_OK;
    zip_int64_t n = 0;
    if (!status && file == NULL) status = refuse(a, name, "cannot be unpacked", error);
    for (uint64_t done = 0; !status && (n = zip_fread(file, block, BLOCK)) > 0;) {
        done += (uint64_t)n;
        if (done > size)
            status = refuse(a, name, "is larger than the archive says", error);
        else
            status = to(context, block, (size_t)n, error);
    }
    if (!status && n < 0) status = refuse(a, name, "is damaged", error);
    if (file != NULL && zip_fclose(file) != 0 && !status) status = refuse(a, name, "is damaged", error);
    return status;
}

static costab_status take_text(void *context, const char *bytes, size_t size, costab_error *error) {
    text *t = context;
    text_append_n(t, bytes, size);
    return t->failed ? error_memory(error) : COSTAB_OK;
}

costab_status archive_read(archive *a, const char *name, size_t limit, char **bytes, size_t *size,
                           costab_error *error) {
    zip_int64_t i = locate(a, name);
    text_local content = {0};
    *bytes = NULL;
    *size = 0;
    if (i < 0) return error_invalid(error, "'%s': there is no '%s' in it", a->path, name);
    text_append(&content, "");
    if (declared_size(a, (size_t)i) > limit) return refuse(a, name, "is too large", error);
    TRY(inflate_entry(a, (size_t)i, take_text, &content, error));
    *bytes = memory_copy_n(content.data != NULL ? content.data : "", content.size);
    *size = content.size;
    return *bytes != NULL ? COSTAB_OK : error_memory(error);
}

/* ---- Unpacking ---- */

static costab_status take_file(void *context, const char *bytes, size_t size, costab_error *error) {
    int *descriptor = context, number = file_put(*descriptor, bytes, size);
    return number == 0 ? COSTAB_OK : error_set(error, COSTAB_IO, "cannot unpack: %s", strerror(number));
}

/* Creates the folders of a path after its first `root` characters. */
static bool make_folders(char *path, size_t root) {
    for (char *slash = strchr(path + root + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) return false;
    }
    return true;
}

static costab_status unpack_entry(archive *a, size_t i, const char *folder, costab_error *error) {
    const char *name = archive_name(a, i);
    size_t length = strlen(name);
    text_local path = {0};
    text_printf(&path, "%s/%s", folder, name);
    if (path.failed) return error_memory(error);
    if (!make_folders(path.data, strlen(folder)))
        return file_error(error, "make the folders of", path.data, errno);
    if (name[length - 1] == '/') return COSTAB_OK;
    int descriptor = file_open(path.data, O_WRONLY | O_CREAT | O_EXCL);
    if (descriptor < 0) return file_error(error, "create", path.data, errno);
    costab_status status = inflate_entry(a, i, take_file, &descriptor, error);
    if (close(descriptor) != 0 && !status) status = file_error(error, "write", path.data, errno);
    return status;
}

costab_status archive_unpack(archive *a, const char *prefix, const char *folder, costab_error *error) {
    size_t length = strlen(prefix);
    for (size_t i = 0; i < a->count; i++) {
        const char *name = archive_name(a, i);
        if (strncmp(name, prefix, length) != 0 || locate(a, name) != (zip_int64_t)i) continue; /* or a copy */
        TRY(unpack_entry(a, i, folder, error));
    }
    return COSTAB_OK;
}
