/* The settings of a claim, by name. */
#include <string.h>

#include "base/error.h"
#include "claims/claims.h"

const claims_setting *claims_find(const claims *c, const char *name) {
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->settings[i].name, name) == 0) return &c->settings[i];
    return NULL;
}

double claims_value(const claims *c, const char *name, double otherwise) {
    const claims_setting *setting = claims_find(c, name);
    return setting != NULL ? setting->value : otherwise;
}

claims_setting *claims_range(claims *c) {
    for (int i = 0; i < c->count; i++)
        if (c->settings[i].text.size == 0) return &c->settings[i];
    CLAIMS_TRY(c, error_invalid(c->error, "the rule needs a range among the settings"));
    return NULL;
}
