/* rooms.c - the walls between the rooms of src/: who may include whom, and where OpenMP pragmas may stand.
 * Reads the sources themselves, from the project's folder (where tests/run starts every test). */
#include <ctype.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The allowed graph, ground floor first: the table of src/README.md. A room may always include itself. */
enum { ROOMS_MAX = 32, NAME_MAX_LENGTH = 256, LINE_MAX_LENGTH = 512 };
static struct { char room[NAME_MAX_LENGTH], may_use[LINE_MAX_LENGTH]; } table[ROOMS_MAX];
static int rooms;

/* Headers that the build writes, and the one room that may include each. */
static const struct {
    const char *header, *room;
} generated[] = {{"version.h", "base"}, {"plots.h", "figure"}, {"late_rows.h", "cli"}};

/* Public headers that do not have their room's name. */
static const struct {
    const char *header, *room;
} doors[] = {{"area", "planar"},   {"checkpoint", "store"}, {"style", "spec"},
             {"modes", "network"}, {"margin", "study"},     {"advise", "study"},
             {"pattern", "proof"}, {"model", "spec"},       {"costab", "cli" /* all rooms */}};

static int room_index(const char *name) {
    for (int i = 0; i < rooms; i++)
        if (strcmp(table[i].room, name) == 0) return i;
    return -1;
}

static bool is_word_of(const char *word, const char *words) {
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' ')) return true;
    return false;
}

static bool may_use(const char *room, const char *other) {
    int i = room_index(room);
    return i >= 0 &&
           (strcmp(room, other) == 0 || (room_index(other) >= 0 && is_word_of(other, table[i].may_use)));
}

/* Copies what stands before `end` in `path`, from `begin` on; false if it does not fit. */
static bool part(const char *begin, const char *end, char name[NAME_MAX_LENGTH]) {
    size_t length = (size_t)(end - begin);
    if (length >= NAME_MAX_LENGTH) return false;
    memcpy(name, begin, length);
    name[length] = '\0';
    return true;
}

/* The room that costab/NAME.h, given from `name` on, is the door of. */
static bool room_of_public(const char *name, char room[NAME_MAX_LENGTH]) {
    const char *dot = strrchr(name, '.');
    if (dot == NULL || !part(name, dot, room)) return false;
    for (size_t i = 0; i < sizeof doors / sizeof doors[0]; i++)
        if (strcmp(doors[i].header, room) == 0) strcpy(room, doors[i].room);
    return room_index(room) >= 0;
}

/* src/ROOM/FILE and include/costab/ROOM.h belong to ROOM. */
static bool room_of(const char *path, char room[NAME_MAX_LENGTH]) {
    if (strncmp(path, "src/", 4) != 0) return room_of_public(strrchr(path, '/') + 1, room);
    const char *slash = strchr(path + 4, '/');
    return slash != NULL && part(path + 4, slash, room) && room_index(room) >= 0;
}

static bool is_generated_for(const char *header, const char *room) {
    for (size_t i = 0; i < sizeof generated / sizeof generated[0]; i++)
        if (strcmp(generated[i].header, header) == 0) return strcmp(generated[i].room, room) == 0;
    return false;
}

static bool exists(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) return false;
    return fclose(file) == 0;
}

/* A header named without a folder: one of the same folder, or one that the build writes. */
static bool neighbour_allowed(const char *path, const char *room, const char *header) {
    char beside[2 * NAME_MAX_LENGTH];
    int folder = (int)(strrchr(path, '/') - path);
    snprintf(beside, sizeof beside, "%.*s/%s", folder, path, header);
    return exists(beside) || is_generated_for(header, room);
}

/* Is `header`, included by the file `path` between quotes or angle brackets, within the walls? */
static bool include_allowed(const char *path, const char *header, bool quoted) {
    char room[NAME_MAX_LENGTH], other[NAME_MAX_LENGTH];
    if (!room_of(path, room)) return false;
    bool is_public = strncmp(path, "include/", 8) == 0;
    if (strncmp(header, "costab/", 7) == 0) return room_of_public(header + 7, other) && may_use(room, other);
    if (strstr(header, "..") != NULL) return false;
    const char *slash = strchr(header, '/');
    if (slash != NULL && part(header, slash, other) && room_index(other) >= 0)
        return !is_public && may_use(room, other);
    if (!quoted) return true; /* the system's */
    return slash == NULL && !is_public && neighbour_allowed(path, room, header);
}

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t') at++;
    return at;
}

/* The word after `#` if the line is a directive, else NULL. */
static const char *directive(const char *line) {
    line = skip_blanks(line);
    return *line == '#' ? skip_blanks(line + 1) : NULL;
}

static bool is_openmp_pragma(const char *line) {
    const char *word = directive(line);
    if (word != NULL && strncmp(word, "pragma", 6) == 0) {
        word = skip_blanks(word + 6);
        return strncmp(word, "omp", 3) == 0 && !isalnum((unsigned char)word[3]);
    }
    const char *pragma = strstr(line, "_Pragma");
    return pragma != NULL && strstr(pragma, "omp") != NULL;
}

/* NULL if the line is within the walls, else what is wrong with it. */
static const char *line_fault(const char *path, const char *line) {
    if (is_openmp_pragma(line) && strncmp(path, "src/sweep/", 10) != 0)
        return "OpenMP pragma outside src/sweep";
    const char *word = directive(line);
    if (word == NULL || strncmp(word, "include", 7) != 0) return NULL;
    const char *open = skip_blanks(word + 7);
    if (*open != '"' && *open != '<') return "an include whose name is a macro";
    const char *close = strchr(open + 1, *open == '"' ? '"' : '>');
    char header[NAME_MAX_LENGTH];
    if (close == NULL || !part(open + 1, close, header)) return "not an include directive";
    return include_allowed(path, header, *open == '"') ? NULL : "include through a wall";
}

static int faults_of_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        print_error("%s: cannot be read\n", path);
        return 1;
    }
    char line[4096];
    int faults = 0;
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        const char *fault = line_fault(path, line);
        if (fault == NULL) continue;
        print_error("%s:%d: %s: %s", path, number, fault, line);
        faults++;
    }
    fclose(file);
    return faults;
}

/* The cell of a table's row: what stands behind its n-th bar, without blanks around it. */
static bool cell(const char *row, int n, char *found, size_t size) {
    for (; n > 0 && (row = strchr(row, '|')) != NULL; n--) row++;
    const char *end = row != NULL ? strchr(row, '|') : NULL;
    if (end == NULL) return false;
    while (row < end && *row == ' ') row++;
    while (end > row && end[-1] == ' ') end--;
    size_t length = (size_t)(end - row);
    if (length >= size) return false;
    memcpy(found, row, length);
    found[length] = '\0';
    return true;
}

static int read_table(void **state) {
    (void)state;
    FILE *file = fopen("src/README.md", "r");
    if (file == NULL) return 1;
    char line[LINE_MAX_LENGTH];
    while (fgets(line, sizeof line, file) != NULL && rooms < ROOMS_MAX) {
        char *room = table[rooms].room, *uses = table[rooms].may_use;
        if (line[0] != '|' || !cell(line, 1, room, sizeof table[rooms].room) ||
            !islower((unsigned char)room[0]) || strcmp(room, "room") == 0 ||
            !cell(line, 3, uses, sizeof table[rooms].may_use))
            continue;
        for (char *c = uses; *c != '\0'; c++)
            if (*c == ',') *c = ' ';
        rooms++;
    }
    return fclose(file) != 0 || rooms == 0;
}

/* Every folder of src/ is in the table, and every room has a folder. */
static void the_table_has_every_room(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob("src/*/", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char room[NAME_MAX_LENGTH];
        assert_true(room_of(found.gl_pathv[i], room));
    }
    assert_int_equal(found.gl_pathc, rooms);
    globfree(&found);
}

/* Checks every file that matches, at least one. */
static void check_files(const char *pattern) {
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    int faults = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) faults += faults_of_file(found.gl_pathv[i]);
    globfree(&found);
    assert_int_equal(faults, 0);
}

static void sources_keep_to_the_table(void **state) {
    (void)state;
    check_files("src/*/*.c");
    check_files("src/*/*.h");
}

static void public_headers_keep_to_the_table(void **state) {
    (void)state;
    check_files("include/costab/*.h");
}

/* The table lists the ground floor first: every room uses only rooms above its own line, so there is no
 * cycle. */
static void graph_has_no_cycle(void **state) {
    (void)state;
    for (int i = 0; i < rooms; i++)
        for (int j = i + 1; j < rooms; j++) assert_false(may_use(table[i].room, table[j].room));
    assert_false(may_use("network", "planar"));
}

static void walls_stop_what_is_forbidden(void **state) {
    (void)state;
    assert_non_null(line_fault("src/base/x.c", "#include \"costab/method.h\"\n"));
    assert_non_null(line_fault("src/base/x.c", "#include <costab/method.h>\n"));
    assert_non_null(line_fault("src/planar/x.c", "  #  include \"network/model.h\"\n"));
    assert_non_null(line_fault("src/planar/x.c", "#include <sweep/plan.h>\n"));
    assert_non_null(line_fault("src/store/x.h", "#include \"../planar/row.h\"\n"));
    assert_non_null(line_fault("src/store/x.c", "#include \"costab/planar.h\"\n"));
    assert_non_null(line_fault("src/attic/x.c", "#include <stdio.h>\n"));
    assert_non_null(line_fault("src/store/x.c", "#include \"costab/area.h\"\n"));
    assert_non_null(line_fault("src/planar/x.c", "#include \"costab/nowhere.h\"\n"));
    assert_non_null(line_fault("src/planar/x.c", "#include \"nowhere.h\"\n"));
    assert_non_null(line_fault("src/planar/x.c", "#include \"plots.h\"\n"));
    assert_non_null(line_fault("src/planar/x.c", "#include HEADER\n"));
    assert_non_null(line_fault("include/costab/sweep.h", "#include \"costab/planar.h\"\n"));
    assert_non_null(line_fault("include/costab/sweep.h", "#include \"base/error.h\"\n"));
    assert_non_null(line_fault("src/planar/x.c", "#pragma omp simd\n"));
    assert_non_null(line_fault("src/planar/x.c", "    _Pragma(\"omp parallel for\")\n"));
}

static void walls_have_doors(void **state) {
    (void)state;
    assert_null(line_fault("src/base/x.c", "#include \"base/error.h\"\n"));
    assert_null(line_fault("src/base/x.c", "#include \"version.h\"\n"));
    assert_null(line_fault("src/planar/x.c", "#include \"costab/method.h\"\n"));
    assert_null(line_fault("src/planar/x.c", "#include <sys/stat.h>\n"));
    assert_null(line_fault("src/figure/x.c", "#include \"plots.h\"\n"));
    assert_null(line_fault("src/planar/x.c", "#include \"costab/area.h\"\n"));
    assert_null(line_fault("src/cli/x.c", "#include \"costab/store.h\"\n"));
    assert_null(line_fault("src/sweep/run.c", "#pragma omp parallel for\n"));
    assert_null(line_fault("src/planar/x.c", "#pragma GCC unroll 4\n"));
    assert_null(line_fault("include/costab/study.h", "#include \"costab/spec.h\"\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_keep_to_the_table), cmocka_unit_test(public_headers_keep_to_the_table),
        cmocka_unit_test(graph_has_no_cycle),        cmocka_unit_test(walls_stop_what_is_forbidden),
        cmocka_unit_test(walls_have_doors),          cmocka_unit_test(the_table_has_every_room),
    };
    return cmocka_run_group_tests(tests, read_table, NULL);
}
