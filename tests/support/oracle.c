/* muParser's own constant _pi has 13 digits only, so its constants are cleared. */
#include "support/oracle.h"

#include <muParserDLL.h>

bool oracle_value(const char *text, const formula_scope *scope, double *values, double *local,
                  double *value) {
    muParserHandle_t parser = mupCreate(muBASETYPE_FLOAT);
    mupClearConst(parser);
    mupDefineConst(parser, "pi", 3.14159265358979323846);
    for (int i = 0; i < scope->count; i++) mupDefineVar(parser, scope->names[i], &values[i]);
    for (int i = 0; i < scope->local_count; i++) mupDefineVar(parser, scope->local_names[i], &local[i]);
    mupSetExpr(parser, text);
    int count = 0;
    const double *found = mupEvalMulti(parser, &count);
    bool fine = !mupError(parser) && found != NULL && count == 1;
    if (fine) *value = found[0];
    mupRelease(parser);
    return fine;
}
