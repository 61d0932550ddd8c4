// args.c - parses options by a command's table and prints the help from the same table.
#include "args.h"

#include <stdarg.h>
#include <string.h>

#include "load/text.h"

// ---- help ----------------------------------------------------------------------------------------------------------

static void print_option(const char *name, const char *value, const char *help, FILE *out) {
    char left[64];
    snprintf(left, sizeof left, "--%s%s%s", name, value ? " " : "", value ? value : "");
    fprintf(out, "  %-26s %s\n", left, help);
}

void args_help(const arg_command *c, FILE *out) {
    fprintf(out, "usage: thixis %s%s%s [options]\n\n%s\n\noptions:\n", c->name, c->operands[0] ? " " : "", c->operands,
            c->summary);
    for (int i = 0; i < c->option_count; i++)
        print_option(c->options[i].name, c->options[i].value, c->options[i].help, out);
    print_option("help", NULL, "this text", out);
    if (c->notes) fprintf(out, "\n%s\n", c->notes);
}

int args_error(const arg_command *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "thixis %s: ", c->name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\nsee 'thixis help %s'\n", c->name);
    va_end(arguments);
    return EXIT_USAGE;
}

// ---- values --------------------------------------------------------------------------------------------------------

bool args_reals(const char *text, double *out, int count) {
    char copy[256];
    size_t length = strlen(text);
    if (length >= sizeof copy) return false;
    for (size_t i = 0; i <= length; i++) copy[i] = text[i] == ',' ? ' ' : text[i];
    tx_number_problem problem;
    return tx_read_reals(copy, out, count, &problem) == count;
}

int args_ints(const char *text, int *out, int max) {
    char copy[1024];
    size_t length = strlen(text);
    if (length >= sizeof copy) return -1;
    for (size_t i = 0; i <= length; i++) copy[i] = text[i] == ',' ? ' ' : text[i];
    tx_number_problem problem;
    int count = tx_read_ints(copy, out, max, &problem);
    return count <= max ? count : -1;
}

static int find_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (int i = 0; *words; i++) {
        size_t size = strcspn(words, " ");
        if (size == length && memcmp(words, word, size) == 0) return i;
        words += size + (words[size] == ' ');
    }
    return -1;
}

static bool in_range(const arg_option *o, double x) { return x >= o->low && x <= o->high; }

// stores one value; false when the text does not fit the option
static bool store(const arg_option *o, const char *text, void *field) {
    tx_number_problem problem;
    switch (o->kind) {
    case ARG_FLAG: *(bool *)field = true; return true;
    case ARG_INT: return tx_read_ints(text, field, 1, &problem) == 1 && in_range(o, *(int *)field);
    case ARG_REAL: return tx_read_reals(text, field, 1, &problem) == 1 && in_range(o, *(double *)field);
    case ARG_TEXT: *(const char **)field = text; return text[0] != 0;
    case ARG_VEC3: return args_reals(text, field, 3);
    case ARG_CHOICE: return (*(int *)field = find_word(o->choices, text)) >= 0;
    case ARG_LIST: {
        arg_list *list = field;
        if (list->count == ARG_LIST_MAX) return false;
        list->items[list->count++] = text;
        return true;
    }
    }
    return false;
}

static int wrong_value(const arg_command *c, const arg_option *o, const char *text) {
    switch (o->kind) {
    case ARG_INT:
    case ARG_REAL:
        return args_error(c, "--%s wants %s from %g to %g, not '%s'", o->name,
                          o->kind == ARG_INT ? "an integer" : "a number", o->low, o->high, text);
    case ARG_VEC3: return args_error(c, "--%s wants three numbers such as 0,0,1, not '%s'", o->name, text);
    case ARG_CHOICE: return args_error(c, "--%s is one of: %s; not '%s'", o->name, o->choices, text);
    case ARG_LIST: return args_error(c, "--%s is given more than %d times", o->name, ARG_LIST_MAX);
    default: return args_error(c, "--%s must not be empty", o->name);
    }
}

// ---- options -------------------------------------------------------------------------------------------------------

static const arg_option *find_option(const arg_command *c, const char *name, size_t length) {
    for (int i = 0; i < c->option_count; i++)
        if (strlen(c->options[i].name) == length && memcmp(c->options[i].name, name, length) == 0)
            return &c->options[i];
    return NULL;
}

static int unknown_option(const arg_command *c, const char *argument) {
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(argument, "="), argument);
    tx_nearest nearest = tx_nearest_start(word + strspn(word, "-"));
    for (int i = 0; i < c->option_count; i++)
        tx_nearest_offer(&nearest, c->options[i].name, strlen(c->options[i].name));
    if (nearest.best[0]) return args_error(c, "unknown option %s — did you mean --%s?", word, nearest.best);
    return args_error(c, "unknown option %s", word);
}

arg_outcome args_parse(const arg_command *c, int argc, char **argv, void *into, int *operands) {
    bool only_operands = false;
    *operands = 0;
    for (int i = 0; i < argc; i++) {
        char *argument = argv[i];
        if (only_operands || argument[0] != '-' || !argument[1]) {
            argv[(*operands)++] = argument;
            continue;
        }
        if (strcmp(argument, "--") == 0) {
            only_operands = true;
            continue;
        }
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            args_help(c, stdout);
            return ARGS_HELP;
        }
        // --name value or --name=value
        size_t length = strncmp(argument, "--", 2) == 0 ? strcspn(argument + 2, "=") : 0;
        const arg_option *o = find_option(c, argument + 2, length);
        if (!length || !o) {
            unknown_option(c, argument);
            return ARGS_WRONG;
        }
        const char *text = argument[2 + length] == '=' ? argument + 3 + length : NULL;
        if (o->kind == ARG_FLAG && text) {
            args_error(c, "--%s takes no value", o->name);
            return ARGS_WRONG;
        }
        if (o->kind != ARG_FLAG && !text) {
            text = i + 1 < argc && strncmp(argv[i + 1], "--", 2) != 0 ? argv[++i] : NULL;
            if (!text) {
                args_error(c, "--%s needs a value: %s", o->name, o->value);
                return ARGS_WRONG;
            }
        }
        if (!store(o, text, (char *)into + o->at)) {
            wrong_value(c, o, text);
            return ARGS_WRONG;
        }
    }
    if (*operands < c->least) args_error(c, "%s is missing", c->operands);
    else if (*operands > c->most) args_error(c, "'%s' is too much", argv[c->most]);
    else return ARGS_RUN;
    return ARGS_WRONG;
}
