/* Logs of finished tiles: the bytes of the input as a file; after the header of a good log; or as records
 * with right checksums, which only a program that lies can write. Whole records are copied into a results
 * file, and no tile that is not. */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "costab/study.h"
#include "fuzz.h"
#include "store/checkpoint.h"
#include "store/log.h"
#include "study/create.h"
#include "support/scratch.h"
#include "support/support.h"
#include "sweep/run.h"

enum { AS_FILE, BEHIND_HEAD, AS_RECORDS, GOOD_FIRST, KINDS };

static const char spec_text[] =
    "system: planar\nschemes: [cross]\naxes: {a: [0, 1, 2], gamma: [-2, -1, 0], delta: [0, 1, 2]}\n"
    "fields: [class, trace]\n";

static costab_spec *spec;
static costab_study *study;
static text good; /* the whole log */
static size_t head_size;
static costab_store_info info = {.title = "T", .spec_path = "m.yaml", .spec_text = spec_text};

/* Held until the end, so that no leak is seen. */
static void make_good(void) {
    if (study != NULL) return;
    costab_error error = {0};
    costab_checkpoint *log = NULL;
    costab_sink sink;
    costab_status status = costab_spec_parse("m.yaml", spec_text, sizeof spec_text - 1, &spec, &error);
    if (!status) status = costab_study_create(spec, &study, &error);
    check_true(!status, "%s", error.message);
    const costab_plan *plan = costab_study_plan(study);
    costab_checkpoint_key key = {.plan = plan, .info = &info};
    costab_evaluator evaluator = costab_study_evaluator(study);
    costab_run_options options = {.threads = 1};
    status = costab_checkpoint_open(scratch_path("good"), &key, COSTAB_CHECKPOINT_NEW, &log, &error);
    if (!status) status = costab_checkpoint_sink(log, &sink, &error);
    if (!status) status = costab_run(plan, &evaluator, &sink, &options, &error);
    if (!status) status = costab_checkpoint_flush(log, &error);
    check_true(!status, "%s", error.message);
    head_size = log->head.size;
    costab_checkpoint_close(&log, true);
    status = text_read_file(scratch_path("good.checkpoint"), (size_t)1 << 20, &good, &error);
    check_true(!status && good.size > head_size, "%s", error.message);
}

/* Each record: its tile, field, last number and size in four bytes of the input, then that number of bytes.
 */
static void put_records(text *log, const uint8_t *data, size_t size) {
    while (size >= 4) {
        size_t length = data[3] < size - 4 ? data[3] : size - 4;
        checkpoint_record record = {.tile = data[0],
                                    .field = data[1] == UINT8_MAX ? CHECKPOINT_NOTE : data[1],
                                    .zero = data[2],
                                    .size = length};
        record.bytes_sum = (uint32_t)crc32(crc32(0, NULL, 0), data + 4, (uInt)length);
        record.sum = checkpoint_record_sum(&record);
        text_append_n(log, (const char *)&record, sizeof record);
        text_append_n(log, (const char *)data + 4, length);
        data += 4 + length;
        size -= 4 + length;
    }
}

static void write_log(const char *path, const uint8_t *data, size_t size) {
    text log = {0};
    int kind = size > 0 ? data[0] % KINDS : AS_FILE;
    if (kind == BEHIND_HEAD || kind == AS_RECORDS) text_append_n(&log, good.data, head_size);
    if (kind == GOOD_FIRST) {
        size_t keep = size > 1 ? data[1] : 0; /* bytes of its end are left out */
        text_append_n(&log, good.data, good.size - (keep < good.size ? keep : 0));
    }
    if (kind == AS_RECORDS)
        put_records(&log, data + 1, size - 1);
    else if (size > 2)
        text_append_n(&log, (const char *)data + 2, size - 2);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(!log.failed && fwrite(log.data != NULL ? log.data : "", 1, log.size, file) == log.size);
    assert_int_equal(fclose(file), 0);
    text_free(&log);
}

/* Takes the log over into a results file, which is then thrown away. */
static void take_over(costab_checkpoint *log, bool whole) {
    const costab_plan *plan = costab_study_plan(study);
    const costab_checkpoint_key key = {.plan = plan, .info = &info};
    costab_checkpoint *out = NULL;
    costab_sink sink;
    costab_error error = {0};
    size_t tiles, points;
    assert_int_equal(costab_plan_size(plan, &tiles, &points, &error), COSTAB_OK);
    costab_status status =
        costab_checkpoint_open(scratch_path("out.h5"), &key, COSTAB_CHECKPOINT_NEW, &out, &error);
    if (!status) status = costab_checkpoint_sink(out, &sink, &error);
    check_true(!status, "%s", error.message);
    status = costab_checkpoint_replay(log, &sink, NULL, &error);
    check_true(!status || error.message[0] != '\0', "a message for status %d", (int)status);
    costab_checkpoint_state state = costab_checkpoint_at(log);
    check_true(state.first < state.step && state.done <= state.count && state.count <= tiles,
               "tiles %zu by %zu, %zu of %zu", state.first, state.step, state.done, state.count);
    check_true(!whole || (!status && state.done == tiles && !state.damaged), "a good log");
    costab_checkpoint_close(&out, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    costab_checkpoint *log = NULL;
    costab_error error = {0};
    char path[512];
    make_good();
    (void)snprintf(path, sizeof path, "%s", scratch_path("log.checkpoint"));
    write_log(path, data, size);
    costab_status status = costab_checkpoint_read(path, &log, &error);
    if (!status) {
        assert_non_null(costab_checkpoint_info(log)->spec_text);
        status = costab_checkpoint_plan(log, costab_study_plan(study), &error);
        if (!status) take_over(log, size == 2 && data[0] == GOOD_FIRST && data[1] == 0);
    }
    check_true(!status || error.message[0] != '\0', "a message for status %d", (int)status);
    costab_checkpoint_close(&log, true);
    return 0;
}
