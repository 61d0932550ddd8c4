// report.c - small JSON helpers on jansson.
#include "report.h"

#include <math.h>

json_t *json_number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *json_numbers(const double *values, int count) {
    json_t *array = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(array, json_number(values[i]));
    return array;
}

json_t *json_name(const char *name, int index) {
    json_t *text = name && name[0] ? json_string(name) : NULL;
    return text ? text : json_integer(index);
}

bool write_json(json_t *object, FILE *out) {
    const char *key, *comma = "";
    json_t *value;
    bool ok = object && fputs("{", out) >= 0;
    json_object_foreach(object, key, value) {
        ok = ok && fprintf(out, "%s\n  \"%s\": ", comma, key) > 0 &&
             json_dumpf(value, out, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)) == 0;
        comma = ",";
    }
    ok = ok && fputs("\n}\n", out) >= 0;
    json_decref(object);
    return ok;
}
