/* Values of options: numbers, lists, ranges, names, schemes and parameters, with the messages for wrong
 * values. */
#include "cli/value.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "area/number.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/body.h"

static costab_status missing(const cli_option *option, costab_error *error) {
    return error_invalid(error, "--%s is missing", option->name);
}

/* Sets the message for n bytes of an option's value that are not a number. name: its parameter, or "". unit:
 * the parameter's unit, or NULL. */
static costab_status not_a_number(const cli_option *option, const char *name, const char *unit,
                                  const char *given, size_t n, costab_error *error) {
    const char *space = name[0] != '\0' ? " " : "";
    const char *slash = memchr(given, '/', n);
    double denominator = 1;
    if (slash != NULL) (void)number_parse(slash + 1, n - (size_t)(slash + 1 - given), &denominator);
    const char *range = number_out_of_range(given, n);
    if (range != NULL)
        return error_invalid(error,
                             "--%s%s%s: '%.*s' is not a finite number of double precision: it is %s one",
                             option->name, space, name, (int)n, given, range);
    text_local units = {0};
    if (unit != NULL) text_printf(&units, ", or with the unit: 1%s, 1m%s", unit, unit);
    return error_invalid(error,
                         "--%s%s%s: '%.*s' is not a finite number, a decimal or a fraction such as 1/3%s",
                         option->name, space, name, (int)n, given,
                         memchr(given, ',', n) != NULL ? " (write a decimal point, not a comma)"
                         : denominator == 0            ? ": its denominator is 0"
                         : option == &opt_set && isalpha((unsigned char)given[0])
                             ? "; write formulas into the model's parameters"
                         : unit != NULL && !units.failed ? units.data
                                                         : "");
}

bool cli_without_unit(const char *given, size_t size, const char *unit, text *plain) {
    const size_t unit_size = unit != NULL ? strlen(unit) : 0;
    text_local decimal = {0}; /* so that 1.1ms is the double next to 0.0011 */
    double value;
    int power;
    if (number_parse(given, size, &value)) {
        text_append_n(plain, given, size);
        return !plain->failed;
    }
    if (unit_size == 0 || size <= unit_size || memcmp(given + size - unit_size, unit, unit_size) != 0)
        return false;
    size -= unit_size;
    size -= number_si_prefix(given, size, &power);
    while (size > 1 && given[size - 1] == ' ') size--;
    text_printf(&decimal, "%.*se%d", (int)size, given, power);
    plain->failed = plain->failed || decimal.failed;
    if (plain->failed || !number_parse(decimal.data, decimal.size, &value)) return false;
    text_append_text(plain, &decimal);
    return !plain->failed;
}

bool cli_divide(const char *given, char **name, const char **value) {
    const char *sign = strchr(given, '=');
    if (sign == NULL || sign == given) return false;
    *name = memory_copy_n(given, (size_t)(sign - given));
    *value = sign + 1;
    return true;
}

const char *cli_unit_of(const costab_model *model, const char *name) {
    int parameter;
    return model != NULL && costab_model_find_parameter(model, name, &parameter, NULL) == COSTAB_OK
               ? costab_model_parameter_unit(model, parameter)
               : NULL;
}

costab_status cli_settings_read(const cli_arguments *arguments, const costab_model *model,
                                cli_settings *settings, costab_error *error) {
    *settings = (cli_settings){.count = 0};
    const char *given, *value;
    for (int i = 0; (given = cli_value_at(arguments, &opt_set, i)) != NULL; i++) {
        costab_setting *setting = &settings->list[i];
        if (!cli_divide(given, &settings->names[i], &value))
            return error_invalid(error, "--set: '%s' is not NAME=VALUE", given);
        settings->count++;
        setting->name = settings->names[i];
        if (setting->name == NULL) return error_memory(error);
        const char *unit = cli_unit_of(model, setting->name);
        text_local plain = {0};
        if (cli_without_unit(value, strlen(value), unit, &plain) &&
            number_parse(plain.data, plain.size, &setting->value))
            continue;
        if (plain.failed) return error_memory(error);
        TRY(not_a_number(&opt_set, settings->names[i], unit, value, strlen(value), error));
    }
    return COSTAB_OK;
}

void cli_settings_free(cli_settings *settings) {
    for (int i = 0; i < settings->count; i++) memory_free(settings->names[i]);
}

static costab_status read_error(const char *given, costab_advise_error *entry, char **name,
                                costab_error *error) {
    const char *sign = strrchr(given, '='), *number = sign != NULL ? sign + 1 : given;
    size_t length = strlen(number);
    entry->relative = length > 0 && number[length - 1] == '%';
    if (entry->relative) length--;
    while (entry->relative && length > 0 && number[length - 1] == ' ') length--;
    if (sign == given || !number_parse_double(number, length, &entry->error) || !(entry->error > 0))
        return error_invalid(
            error, "--error: '%s' is not a positive number, such as 1e-3, 1%% or vehicle.v=0.01", given);
    if (entry->relative) entry->error /= 100;
    if (sign == NULL) return COSTAB_OK;
    entry->signal = *name = memory_copy_n(given, (size_t)(sign - given));
    return *name != NULL ? COSTAB_OK : error_memory(error);
}

costab_status cli_errors_read(const cli_arguments *arguments, cli_errors *errors, costab_error *error) {
    costab_status status = COSTAB_OK;
    *errors = (cli_errors){.count = 0};
    const char *given;
    for (int i = 0; !status && (given = cli_value_at(arguments, &opt_errors, i)) != NULL;
         i++, errors->count++)
        status = read_error(given, &errors->list[i], &errors->names[i], error);
    return status;
}

void cli_errors_free(cli_errors *errors) {
    for (int i = 0; i < errors->count; i++) memory_free(errors->names[i]);
}

costab_status cli_number(const cli_arguments *arguments, const cli_option *option, double *value,
                         costab_error *error) {
    const char *given = cli_value(arguments, option);
    if (given == NULL) return missing(option, error);
    if (!number_parse(given, strlen(given), value))
        return not_a_number(option, "", NULL, given, strlen(given), error);
    return COSTAB_OK;
}

costab_status cli_positive(const cli_arguments *arguments, const cli_option *option, double *value,
                           costab_error *error) {
    const char *given = cli_value(arguments, option);
    if (given == NULL) return COSTAB_OK;
    TRY(cli_number(arguments, option, value, error));
    if (!(*value > 0)) return error_invalid(error, "--%s: '%s' is not positive", option->name, given);
    return COSTAB_OK;
}

costab_status cli_whole(const cli_arguments *arguments, const cli_option *option, long low, long high,
                        long fallback, long *value, costab_error *error) {
    const char *given = cli_value(arguments, option);
    *value = fallback;
    if (given == NULL) return COSTAB_OK;
    size_t parsed;
    if (!number_parse_size(given, strlen(given), &parsed) || parsed < (size_t)low || parsed > (size_t)high)
        return error_invalid(error, "--%s: '%s' is not a whole number from %ld to %ld", option->name, given,
                             low, high);
    *value = (long)parsed;
    return COSTAB_OK;
}

size_t cli_next_piece(const char **rest, const char **piece) {
    *piece = *rest;
    const char *comma = strchr(*rest, ',');
    size_t length = comma != NULL ? (size_t)(comma - *rest) : strlen(*rest);
    *rest = comma != NULL ? comma + 1 : NULL;
    return length;
}

bool cli_has_word(const char *list, const char *word) {
    for (const char *rest = list, *piece; rest != NULL;) {
        size_t n = cli_next_piece(&rest, &piece);
        if (n == strlen(word) && memcmp(piece, word, n) == 0) return true;
    }
    return false;
}

costab_status cli_names_read(const char *list, char separator, cli_names *names, costab_error *error) {
    int depth = 0;
    *names = (cli_names){.count = 0};
    if (list == NULL) return COSTAB_OK;
    names->bytes = memory_copy(list);
    names->of = memory_alloc(strlen(list) + 1, sizeof *names->of);
    if (names->bytes == NULL || names->of == NULL) return error_memory(error);
    names->of[names->count++] = names->bytes;
    for (char *s = names->bytes; *s != '\0'; s++) {
        depth += (*s == '(') - (*s == ')');
        if (*s != separator || depth > 0) continue;
        *s = '\0';
        names->of[names->count++] = s + 1;
    }
    return COSTAB_OK;
}

costab_status cli_names_differ(const cli_names *names, const cli_option *option, costab_error *error) {
    for (int i = 0; i < names->count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(names->of[i], names->of[k]) == 0)
                return error_invalid(error, "--%s: '%s' is named twice", option->name, names->of[i]);
    return COSTAB_OK;
}

void cli_names_free(cli_names *names) {
    memory_free_all(names->bytes, names->of);
}

enum { LIST_MOST = 100000000 };

/* Reads LO:HI:N. */
static costab_status range_list(const cli_option *option, const char *given, double **values, size_t *count,
                                costab_error *error) {
    const char *first = strchr(given, ':'), *second = first != NULL ? strchr(first + 1, ':') : NULL;
    double from, to;
    if (second == NULL || !number_parse(given, (size_t)(first - given), &from) ||
        !number_parse(first + 1, (size_t)(second - first - 1), &to) ||
        !number_parse_size(second + 1, strlen(second + 1), count) || *count < 1 || !isfinite(to - from) ||
        (*count == 1 && from != to))
        return error_invalid(
            error, "--%s: '%s' is not LO:HI:N, N numbers of which the first is LO and the last HI%s",
            option->name, given,
            second != NULL                       ? ""
            : strcmp(option->name, "steps") == 0 ? "; all steps of a range: --over NAME=LO:HI"
                                                 : "; a range LO:HI is for a search");
    if (*count > LIST_MOST)
        return error_invalid(error, "--%s: '%s' has more than %d numbers", option->name, given, LIST_MOST);
    *values = memory_alloc(*count, sizeof(double));
    if (*values != NULL && range_values(given, *count, *values)) return COSTAB_OK;
    memory_free(*values);
    *values = NULL;
    return error_memory(error);
}

costab_status cli_list(const cli_arguments *arguments, const cli_option *option, double **values,
                       size_t *count, costab_error *error) {
    const char *given = cli_value(arguments, option);
    return given == NULL ? missing(option, error) : cli_list_read(option, given, values, count, error);
}

costab_status cli_list_read(const cli_option *option, const char *given, double **values, size_t *count,
                            costab_error *error) {
    if (strchr(given, ':') != NULL) return range_list(option, given, values, count, error);

    *count = 1;
    for (const char *s = given; *s != '\0'; s++) *count += *s == ',';
    double *list = memory_alloc(*count, sizeof(double));
    if (list == NULL) return error_memory(error);
    size_t i = 0;
    for (const char *rest = given, *piece; rest != NULL;) {
        size_t n = cli_next_piece(&rest, &piece);
        if (!number_parse(piece, n, &list[i++])) {
            memory_free(list);
            return not_a_number(option, "", NULL, piece, n, error);
        }
    }
    *values = list;
    return COSTAB_OK;
}

void cli_list_cell(const cli_arguments *arguments, const cli_option *option, size_t i, double value) {
    text_local written = {0};
    if (arguments->format != CLI_JSON && strchr(cli_value(arguments, option), ':') == NULL)
        number_list_exact(cli_value(arguments, option), i, &written);
    if (written.data != NULL && !written.failed)
        table_text(written.data);
    else
        table_number(value);
}

static costab_status parse_schemes(const char *given, costab_scheme *schemes, int *count,
                                   costab_error *error) {
    *count = 0;
    if (given == NULL || strcmp(given, "all") == 0) {
        for (int s = 0; s < COSTAB_SCHEME_COUNT; s++) schemes[(*count)++] = (costab_scheme)s;
        return COSTAB_OK;
    }
    for (const char *rest = given, *piece; rest != NULL;) {
        size_t n = cli_next_piece(&rest, &piece);
        char name[64] = "";
        if (n < sizeof name) memcpy(name, piece, n);
        costab_scheme scheme;
        costab_error inner;
        if (strcmp(name, "all") == 0)
            return error_invalid(error, "--scheme: 'all' stands alone, not in a list");
        if (costab_scheme_find(name, &scheme, &inner) != COSTAB_OK)
            return error_invalid(error, "--scheme: %s, or all", inner.message);
        for (int s = 0; s < *count; s++)
            if (schemes[s] == scheme)
                return error_invalid(error, "--scheme: %s is named twice", costab_scheme_name(scheme));
        schemes[(*count)++] = scheme;
    }
    return COSTAB_OK;
}

static costab_status parse_substeps(const char *given, int substeps[2], costab_error *error) {
    substeps[0] = substeps[1] = 1;
    if (given == NULL) return COSTAB_OK;
    int count = 0;
    for (const char *rest = given, *piece; rest != NULL; count++) {
        size_t n = cli_next_piece(&rest, &piece), parsed;
        if (count > 1 || !number_parse_size(piece, n, &parsed) || parsed < 1 || parsed > COSTAB_SUBSTEPS_MAX)
            return error_invalid(error, "--substeps: '%s' is not N or N,M with whole numbers from 1 to %d",
                                 given, COSTAB_SUBSTEPS_MAX);
        substeps[count] = (int)parsed;
    }
    if (count == 1) substeps[1] = substeps[0];
    return COSTAB_OK;
}

/* A named method, or a tableau {A, b, c} as in a spec. */
static costab_status parse_method(const char *given, costab_method *method, costab_error *error) {
    if (given == NULL || strchr(given, ':') == NULL)
        return costab_method_find(given != NULL ? given : "rk4", method, error);
    ends_by(spec_file_free) spec_file file = {.path = "--method"};
    const spec_node *root = spec_load(&file, file.path, given, strlen(given));
    if (root != NULL) (void)spec_read_method(&file, root, method);
    return spec_finish(&file, error);
}

costab_status cli_planar_options(const cli_arguments *arguments, cli_planar *planar, costab_error *error) {
    costab_scheme schemes[COSTAB_SCHEME_COUNT] = {COSTAB_SIMULATION};
    int substeps[2] = {1, 1};
    costab_method method;
    TRY(parse_schemes(cli_value(arguments, &opt_scheme), schemes, &planar->count, error));
    TRY(parse_substeps(cli_value(arguments, &opt_substeps), substeps, error));
    TRY(parse_method(cli_value(arguments, &opt_method), &method, error));
    for (int s = 0; s < planar->count; s++) {
        if (schemes[s] == COSTAB_SIMULATION && substeps[0] != substeps[1])
            return error_invalid(
                error,
                "--substeps: the simulation has one solver and takes one number, not %d,%d; leave it out "
                "with --scheme cross,zigzag,strong",
                substeps[0], substeps[1]);
        TRY(costab_planar_init(&planar->schemes[s], schemes[s], &method, substeps[0], substeps[1], error));
    }
    return COSTAB_OK;
}

/* Reads LO:HI with LO < HI. Returns false for anything else. */
static bool parse_range(const char *given, double range[2]) {
    const char *colon = strchr(given, ':');
    return colon != NULL && number_parse(given, (size_t)(colon - given), &range[0]) &&
           number_parse(colon + 1, strlen(colon + 1), &range[1]) && range[0] < range[1];
}

bool cli_lists_points(const char *given) {
    const char *colon = strchr(given, ':');
    return colon == NULL || strchr(colon + 1, ':') != NULL;
}

costab_status cli_window_written(const cli_arguments *arguments, const cli_option *option, char *written[2],
                                 costab_error *error) {
    const char *given = cli_value(arguments, option);
    if (given == NULL) return COSTAB_OK;
    const char *colon = strchr(given, ':');
    written[0] = memory_copy_n(given, (size_t)(colon - given));
    written[1] = memory_copy(colon + 1);
    return written[0] != NULL && written[1] != NULL ? COSTAB_OK : error_memory(error);
}

costab_status cli_window(const cli_arguments *arguments, const cli_option *option, const double fallback[2],
                         double window[2], costab_error *error) {
    const char *given = cli_value(arguments, option);
    memcpy(window, fallback, 2 * sizeof *window);
    if (given == NULL || parse_range(given, window)) return COSTAB_OK;
    return error_invalid(error, "--%s: '%s' is not LO:HI, a range with LO < HI", option->name, given);
}

costab_status cli_plane_window_options(const cli_arguments *arguments, cli_plane_window *window,
                                       costab_error *error) {
    static const cli_option *const options[2] = {&opt_plane_gamma, &opt_plane_delta};
    static const double none[2] = {0, 0};
    int count = 0;
    *window = (cli_plane_window){.given = false};
    for (int k = 0; k < 2; k++) {
        double ends[2];
        char **written = window->written + 2 * k;
        TRY(cli_window(arguments, options[k], none, ends, error));
        TRY(cli_window_written(arguments, options[k], written, error));
        for (int i = 0; i < 2; i++) window->end[2 * k + i] = (costab_number){ends[i], written[i]};
        count += written[0] != NULL;
    }
    window->given = count > 0;
    return count == 1 ? error_invalid(error, "--gamma and --delta belong together: both ends of the window")
                      : COSTAB_OK;
}

void cli_plane_window_free(cli_plane_window *window) {
    for (int k = 0; k < 4; k++) memory_free(window->written[k]);
}
