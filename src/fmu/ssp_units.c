/* Units of SSP: powers of the base units, with a factor and an offset. */
#include <string.h>

#include "base/memory.h"
#include "fmu/ssp.h"

void ssp_read_units(xml *x, const xmlNode *definitions, ssp_units *units) {
    static const char *const names[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
    const int most = 1000; /* powers beyond are nonsense */
    XML_EACH(at, x, definitions, "Unit") {
        const xmlNode *base = xml_child(at, "BaseUnit");
        if (xml_need(x, at, "name") == NULL) return;
        ssp_unit *unit = ssp_add(x, at, "units", (void **)&units->list, &units->count, sizeof *units->list);
        if (unit == NULL) return;
        *unit = (ssp_unit){.name = xml_copy(x, at, "name"), .factor = 1};
        if (base == NULL) continue;
        (void)xml_number(x, base, "factor", &unit->factor);
        (void)xml_number(x, base, "offset", &unit->offset);
        if (unit->factor == 0) xml_refuse(x, base, "BaseUnit: factor = 0");
        for (int i = 0; i < 8; i++) {
            double power = 0;
            if (!xml_number(x, base, names[i], &power)) continue;
            if (power < -most || power > most || power != (int)power)
                xml_refuse(x, base, "BaseUnit: the power of %s is no whole number between -%d and %d",
                           names[i], most, most);
            else
                unit->dimensions[i] = (int)power;
        }
    }
}

void ssp_free_units(ssp_units *units) {
    for (int i = 0; i < units->count; i++) memory_free(units->list[i].name);
    memory_free(units->list);
    *units = (ssp_units){.count = 0};
}

static const ssp_unit *find(const ssp_units *units, const char *name) {
    for (int i = 0; i < units->count; i++)
        if (units->list[i].name != NULL && strcmp(units->list[i].name, name) == 0) return &units->list[i];
    return NULL;
}

static bool is_given(const char *unit) {
    return unit != NULL && unit[0] != '\0';
}

void ssp_convert(xml *x, const xmlNode *at, const ssp_units *own, const ssp_units *of_system,
                 const char *from, const char *to, double *factor, double *offset) {
    *factor = 1;
    *offset = 0;
    if (!is_given(from) || !is_given(to) || strcmp(from, to) == 0) return;
    const ssp_unit *a = find(own, from), *b = find(of_system, to);
    if (a == NULL) a = find(of_system, from);
    if (b == NULL) b = find(own, to);
    if (a == NULL || b == NULL) {
        xml_warn(x, at,
                 "the unit '%.40s' is not defined here: values in '%.40s' are taken as such in '%.40s'",
                 a == NULL ? from : to, from, to);
    } else if (memcmp(a->dimensions, b->dimensions, sizeof a->dimensions) != 0) {
        xml_refuse(x, at, "the units '%.40s' and '%.40s' are not those of one quantity", from, to);
    } else {
        *factor = a->factor / b->factor;
        *offset = (a->offset - b->offset) / b->factor;
    }
}
