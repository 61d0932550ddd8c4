// xml_out.c - see xml_out.h.
#include "save/xml_out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// ---- text ---------------------------------------------------------------------------------------------------------

void tx_out_free(tx_xml_out *out) {
    tx_free(out->bytes);
    *out = (tx_xml_out){0};
}

static void add(tx_xml_out *out, const char *text, size_t length) {
    if (out->no_memory) return;
    if (out->used + length + 1 > out->room) {
        size_t room = 2 * (out->used + length) + 4096;
        char *grown = out->bytes ? tx_grow(out->bytes, out->used, room) : tx_alloc(room);
        if (!grown) {
            out->no_memory = true;
            return;
        }
        out->bytes = grown, out->room = room;
    }
    memcpy(out->bytes + out->used, text, length);
    out->used += length;
    out->bytes[out->used] = 0;
}

static void put(tx_xml_out *out, const char *text) { add(out, text, strlen(text)); }

static void cannot(tx_xml_out *out, const char *attribute, const char *why) {
    if (!out->unwritable[0]) snprintf(out->unwritable, sizeof out->unwritable, "%.40s: %.40s", attribute, why);
}

// ---- elements -----------------------------------------------------------------------------------------------------

static void indent(tx_xml_out *out) {
    for (int i = 0; i < out->depth; i++) put(out, "  ");
}

static void end_tag(tx_xml_out *out) {
    if (out->in_tag) put(out, ">\n");
    out->in_tag = false;
}

void tx_out_open(tx_xml_out *out, const char *element) {
    end_tag(out);
    indent(out);
    put(out, "<");
    put(out, element);
    out->in_tag = true;
    out->depth++;
}

void tx_out_close(tx_xml_out *out, const char *element) {
    out->depth--;
    if (out->in_tag) {
        put(out, "/>\n");
        out->in_tag = false;
        return;
    }
    indent(out);
    put(out, "</");
    put(out, element);
    put(out, ">\n");
}

void tx_out_close_section(tx_xml_out *out, const char *element) {
    size_t length = strlen(element) + 1, whole = length + 2 * (size_t)(out->depth - 1);
    bool empty = out->in_tag && out->used >= whole && out->bytes[out->used - length] == '<';
    if (!empty) {
        tx_out_close(out, element);
        return;
    }
    out->used -= whole;
    out->in_tag = false;
    out->depth--;
}

// ---- attributes ---------------------------------------------------------------------------------------------------

static void begin(tx_xml_out *out, const char *name) {
    put(out, " ");
    put(out, name);
    put(out, "=\"");
}

void tx_out_text(tx_xml_out *out, const char *name, const char *value) {
    begin(out, name);
    for (const char *c = value; *c; c++) {
        char code[8];
        if ((unsigned char)*c >= ' ' && !strchr("&<>\"", *c)) {
            add(out, c, 1);
            continue;
        }
        if ((unsigned char)*c < ' ' && !strchr("\t\n\r", *c)) cannot(out, name, "a control character");
        snprintf(code, sizeof code, "&#%d;", *c);
        put(out, code);
    }
    put(out, "\"");
}

// the decimal point of the locale is a point here
static void unify_point(char *text) {
    for (; *text; text++)
        if (!strchr("0123456789+-e", *text)) *text = '.';
}

static void put_number(tx_xml_out *out, const char *name, double x, bool single) {
    char text[40];
    if (!isfinite(x)) {
        cannot(out, name, "a number that is not finite");
        return;
    }
    const int most = single ? 9 : 17;
    for (int digits = single ? 6 : 15; digits <= most; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        double read = strtod(text, NULL);
        if (single ? (float)read == (float)x : read == x) break;
    }
    unify_point(text);
    put(out, text);
}

static void put_numbers(tx_xml_out *out, const char *name, const double *values, int count, bool single) {
    begin(out, name);
    size_t start = out->used;
    for (int i = 0; i < count; i++) {
        if (i > 0) put(out, " ");
        put_number(out, name, values[i], single);
    }
    if (out->used - start > TX_XML_VALUE_MAX) cannot(out, name, "too many numbers for one attribute");
    put(out, "\"");
}

void tx_out_reals(tx_xml_out *out, const char *name, const double *values, int count) {
    put_numbers(out, name, values, count, false);
}

void tx_out_floats(tx_xml_out *out, const char *name, const double *values, int count) {
    put_numbers(out, name, values, count, true);
}

void tx_out_ints(tx_xml_out *out, const char *name, const int *values, int count) {
    begin(out, name);
    for (int i = 0; i < count; i++) {
        char text[16];
        snprintf(text, sizeof text, i > 0 ? " %d" : "%d", values[i]);
        put(out, text);
    }
    put(out, "\"");
}

// ---- by table -----------------------------------------------------------------------------------------------------

// how many of an attribute's numbers must be written: what follows them is what the element starts from
static int telling(const tx_mjcf_attr *attr, const char *value, const char *plain, size_t size) {
    int count = attr->max;
    while (count > 0 && memcmp(value + size * (size_t)(count - 1), plain + size * (size_t)(count - 1), size) == 0)
        count--;
    return count > 0 && count < attr->min ? attr->min : count;
}

static void out_numbers(tx_xml_out *out, const tx_mjcf_attr *attr, const char *value, const char *plain) {
    static const size_t SIZE[] = {
        [TX_MJCF_REAL] = sizeof(double), [TX_MJCF_FLOAT] = sizeof(float), [TX_MJCF_INT] = sizeof(int)};
    int count = telling(attr, value, plain, SIZE[attr->kind]);
    if (count == 0 && attr->flags & TX_MJCF_REQUIRED) count = attr->min;
    if (count == 0) return;
    if (attr->kind == TX_MJCF_INT) tx_out_ints(out, attr->name, (const int *)value, count);
    if (attr->kind == TX_MJCF_REAL) tx_out_reals(out, attr->name, (const double *)value, count);
    if (attr->kind != TX_MJCF_FLOAT) return;
    double wide[8] = {0};
    for (int i = 0; i < count && i < 8; i++) wide[i] = (double)((const float *)value)[i];
    tx_out_floats(out, attr->name, wide, count);
}

static void out_keyword(tx_xml_out *out, const tx_mjcf_attr *attr, int value, int plain) {
    if (value == plain && !(attr->flags & TX_MJCF_REQUIRED)) return;
    const tx_mjcf_keyword *k = attr->keywords;
    while (k->name && k->value != value) k++;
    if (k->name) tx_out_text(out, attr->name, k->name);
    else cannot(out, attr->name, "MJCF has no word for its value");
}

static void out_words(tx_xml_out *out, const tx_mjcf_attr *attr, int bits, int plain) {
    if (bits == plain) return;
    begin(out, attr->name);
    const char *space = "";
    for (const tx_mjcf_keyword *k = attr->keywords; k->name; k++) {
        if (!(bits >> k->value & 1)) continue;
        put(out, space);
        put(out, k->name);
        space = " ";
    }
    put(out, "\"");
}

static void out_attribute(tx_xml_out *out, const tx_mjcf_attr *attr, const char *value, const char *plain) {
    switch (attr->kind) {
    case TX_MJCF_REAL:
    case TX_MJCF_FLOAT:
    case TX_MJCF_INT: out_numbers(out, attr, value, plain); break;
    case TX_MJCF_LIST: {
        const tx_mjcf_list *list = (const tx_mjcf_list *)value;
        if (list->count) tx_out_reals(out, attr->name, list->values, list->count);
        break;
    }
    case TX_MJCF_INTLIST: {
        const tx_mjcf_intlist *list = (const tx_mjcf_intlist *)value;
        if (list->count) tx_out_ints(out, attr->name, list->values, list->count);
        break;
    }
    case TX_MJCF_KEYWORD: out_keyword(out, attr, *(const int *)value, *(const int *)plain); break;
    case TX_MJCF_BOOL: out_keyword(out, attr, *(const bool *)value, *(const bool *)plain); break;
    case TX_MJCF_WORDS: out_words(out, attr, *(const int *)value, *(const int *)plain); break;
    case TX_MJCF_TEXT: {
        const char *text = *(const char *const *)value;
        if (text && text[0]) tx_out_text(out, attr->name, text);
        break;
    }
    case TX_MJCF_IGNORED:
    case TX_MJCF_NEUTRAL: break;
    }
}

void tx_out_attributes(tx_xml_out *out, const tx_mjcf_attr *attrs, const void *values, const void *plain) {
    for (; attrs->name; attrs++)
        out_attribute(out, attrs, (const char *)values + attrs->offset, (const char *)plain + attrs->offset);
}

void tx_out_element(tx_xml_out *out, const char *element, const tx_mjcf_attr *attrs, const void *values,
                    const void *plain) {
    tx_out_open(out, element);
    tx_out_attributes(out, attrs, values, plain);
    tx_out_close(out, element);
}
