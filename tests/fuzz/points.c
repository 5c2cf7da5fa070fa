/* The CSV of `costab classify --points`: finite points, or a message at a place in the file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/points.h"
#include "fuzz.h"
#include "support/support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    cli_points points;
    costab_error error = {0};
    costab_status status = cli_points_parse("p.csv", (const char *)data, size, &points, &error);
    if (status) {
        unsigned long line, column;
        check_true(status == COSTAB_INVALID && points.count == 0 && points.a == NULL, "refused: %s",
                   error.message);
        check_true(sscanf(error.message, "p.csv:%lu:%lu: error: ", &line, &column) == 2 ||
                       strncmp(error.message, "p.csv: ", 7) == 0,
                   "place in %s", error.message);
        return 0;
    }
    for (size_t i = 0; i < points.count; i++)
        assert_true(isfinite(points.a[i]) && isfinite(points.gamma[i]) && isfinite(points.delta[i]));
    cli_points_free(&points);
    return 0;
}
