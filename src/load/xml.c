// xml.c - expat's events made into a tree. Expat tells where a tag starts; attributes are found by reading the tag
// again.
#include "load/xml.h"

#include <expat.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"

typedef struct parse {
    XML_Parser parser;
    tx_stash *stash;
    tx_diag *diag;
    const char *text, *file;
    size_t length;
    int base_depth, lines_before; // lines_before: blank ones that expat does not see
    tx_xml_element *root, *open;
    bool reported; // the reason for stopping is in diag already
} parse;

static int line_now(const parse *p) { return p->lines_before + (int)XML_GetCurrentLineNumber(p->parser); }
static int column_now(const parse *p) { return (int)XML_GetCurrentColumnNumber(p->parser) + 1; }

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void stop(parse *p, int line, int column, const char *hint, const char *text) {
    if (p->reported) return;
    p->reported = true;
    tx_diag_add(p->diag, TX_SEVERITY_ERROR, p->file, line, column, hint, "%s", text);
    XML_StopParser(p->parser, XML_FALSE);
}

// A place in the text that moves character by character as expat counts: \n, \r and \r\n end a line, a UTF-8 sequence
// is one column.
typedef struct cursor {
    const char *at, *end;
    int line, column;
} cursor;

static void step(cursor *c) {
    char ch = *c->at++;
    if (ch == '\n' || (ch == '\r' && !(c->at < c->end && *c->at == '\n'))) {
        c->line++;
        c->column = 1;
    } else if (ch != '\r' && ((unsigned char)ch & 0xC0) != 0x80) {
        c->column++;
    }
}
static void skip_space(cursor *c) {
    while (c->at < c->end && is_space(*c->at)) step(c);
}
static void skip_past(cursor *c, char ch) {
    while (c->at < c->end && *c->at != ch) step(c);
    if (c->at < c->end) step(c);
}

// fills in the places of the attributes by reading the start tag again; where the text is not the tag (an entity's
// content, another encoding, a default from a DTD) the element's own place stays
static void locate_attributes(const parse *p, tx_xml_element *element) {
    XML_Index start = XML_GetCurrentByteIndex(p->parser);
    int count = XML_GetCurrentByteCount(p->parser);
    if (start < 0 || count <= 0 || (size_t)start > p->length || (size_t)count > p->length - (size_t)start) return;
    cursor c = {p->text + start, p->text + start + count, element->line, element->column};
    while (c.at < c.end && !is_space(*c.at)) step(&c);
    for (int i = 0; i < element->attribute_count; i++) {
        tx_xml_attribute *attribute = &element->attributes[i];
        size_t size = strlen(attribute->name);
        skip_space(&c);
        if ((size_t)(c.end - c.at) <= size || memcmp(c.at, attribute->name, size) != 0) return;
        attribute->line = c.line;
        attribute->column = c.column;
        // over = and the value in its quotes
        skip_past(&c, '=');
        skip_space(&c);
        if (c.at == c.end) return;
        char quote = *c.at;
        step(&c);
        skip_past(&c, quote);
    }
}

static bool read_attributes(parse *p, tx_xml_element *element, const XML_Char **pairs) {
    int count = 0;
    while (pairs[2 * count]) count++;
    if (!count) return true;
    element->attributes = tx_stash_take(p->stash, (size_t)count * sizeof *element->attributes);
    if (!element->attributes) return false;
    for (int i = 0; i < count; i++) {
        const char *name = pairs[2 * i], *value = pairs[2 * i + 1];
        size_t size = strlen(value);
        if (size > TX_XML_VALUE_MAX) {
            stop(p, element->line, element->column, "an attribute may hold 16 MiB",
                 "the value of an attribute is too long");
            return true;
        }
        tx_xml_attribute *attribute = &element->attributes[i];
        attribute->name = tx_stash_text(p->stash, name, strlen(name));
        attribute->value = tx_stash_text(p->stash, value, size);
        if (!attribute->name || !attribute->value) return false;
        attribute->line = element->line;
        attribute->column = element->column;
    }
    element->attribute_count = count;
    locate_attributes(p, element);
    return true;
}

static void XMLCALL on_start(void *data, const XML_Char *name, const XML_Char **pairs) {
    parse *p = data;
    if (p->reported) return;
    int line = line_now(p), column = column_now(p), depth = p->open ? p->open->depth + 1 : p->base_depth;
    if (depth > TX_XML_DEPTH_MAX) {
        char text[80];
        snprintf(text, sizeof text, "elements are nested deeper than %d", TX_XML_DEPTH_MAX);
        stop(p, line, column, "", text);
        return;
    }

    tx_xml_element *element = tx_stash_take(p->stash, sizeof *element);
    const char *copy = element ? tx_stash_text(p->stash, name, strlen(name)) : NULL;
    if (copy) {
        *element = (tx_xml_element){.name = copy, .file = p->file, .line = line, .column = column, .depth = depth};
        element->parent = p->open;
    }
    if (!copy || !read_attributes(p, element, pairs)) {
        stop(p, line, column, "the tree of one model may take 1 GiB", "the file needs too much memory");
        return;
    }

    // hang it below the open element
    if (!p->open) {
        p->root = element;
    } else if (p->open->last) {
        p->open->last->next = element;
    } else {
        p->open->first = element;
    }
    if (p->open) p->open->last = element;
    p->open = element;
}

static void XMLCALL on_end(void *data, const XML_Char *name) {
    parse *p = data;
    (void)name;
    if (p->open) p->open = p->open->parent;
}

// MJCF has no text between its elements; the first one is remembered so that it is not dropped in silence
static void XMLCALL on_text(void *data, const XML_Char *text, int length) {
    parse *p = data;
    if (!p->open || p->open->text_line) return;
    int i = 0;
    while (i < length && is_space(text[i])) i++;
    if (i == length) return;
    p->open->text_line = line_now(p);
    p->open->text_column = column_now(p) + i;
}

static int XMLCALL on_external_entity(XML_Parser parser, const XML_Char *context, const XML_Char *base,
                                      const XML_Char *system_id, const XML_Char *public_id) {
    (void)parser, (void)context, (void)base, (void)system_id, (void)public_id;
    return XML_STATUS_ERROR;
}

static void XMLCALL on_skipped_entity(void *data, const XML_Char *name, int is_parameter) {
    parse *p = data;
    (void)name, (void)is_parameter;
    stop(p, line_now(p), column_now(p), "", "the file uses an entity that it does not define");
}

static const char NOT_A_MODEL[] = "this is neither XML nor a compiled model";

// whether the byte at which expat stopped cannot stand there in UTF-8
static bool not_utf8(const parse *p) {
    const long at = XML_GetCurrentByteIndex(p->parser);
    for (long i = at; i >= 0 && i < (long)p->length && i < at + 256 && p->text[i] != '<' && p->text[i] != '>'; i++) {
        const unsigned char lead = (unsigned char)p->text[i];
        if (lead < 0x80) continue;
        const int more = lead >= 0xc2 && lead < 0xe0   ? 1
                         : lead >= 0xe0 && lead < 0xf0 ? 2
                         : lead < 0xf5 && lead >= 0xf0 ? 3
                                                       : 0;
        if (more == 0 || i + more >= (long)p->length) return true;
        for (int k = 1; k <= more; k++)
            if (((unsigned char)p->text[i + k] & 0xc0) != 0x80) return true;
        i += more;
    }
    return false;
}

// whether it begins like XML, whatever comes then
static bool begins_with_tag(const parse *p) {
    size_t at = 0;
    while (at < p->length && is_space(p->text[at])) at++;
    return at < p->length && p->text[at] == '<';
}

// says why expat stopped, in words that help
static void report_syntax(parse *p) {
    enum XML_Error error = XML_GetErrorCode(p->parser);
    int line = line_now(p), column = column_now(p);
    bool ended = error == XML_ERROR_NO_ELEMENTS || error == XML_ERROR_UNCLOSED_TOKEN;
    const bool xml = p->root || begins_with_tag(p);
    char hint[128] = "", name[64];
    if (p->open) snprintf(name, sizeof name, "%.60s", p->open->name);
    if (p->open && (ended || error == XML_ERROR_TAG_MISMATCH)) {
        snprintf(hint, sizeof hint, "<%s> opened at line %d is not closed", name, p->open->line);
    } else if (error == XML_ERROR_INVALID_TOKEN && xml && not_utf8(p)) {
        snprintf(hint, sizeof hint,
                 "save the file as UTF-8, or name its encoding: <?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>");
    } else if (error == XML_ERROR_INVALID_TOKEN && xml) {
        snprintf(hint, sizeof hint, "look for a missing quote, '<' or '>' near this place");
    }
    const char *text = XML_ErrorString(error);
    switch (error) {
    case XML_ERROR_NO_ELEMENTS: text = p->root ? "the file ends too early" : "the file has no XML in it"; break;
    case XML_ERROR_UNCLOSED_TOKEN: text = "the file ends inside a tag"; break;
    case XML_ERROR_INVALID_TOKEN:
        text = xml && not_utf8(p) ? "this byte is not UTF-8" : xml ? "this is not well-formed XML" : NOT_A_MODEL;
        break;
    case XML_ERROR_SYNTAX: text = xml ? "this is not well-formed XML" : NOT_A_MODEL; break;
    case XML_ERROR_TAG_MISMATCH: text = "the closing tag does not fit the open element"; break;
    case XML_ERROR_EXTERNAL_ENTITY_HANDLING: text = "external entities are not read"; break;
    case XML_ERROR_NO_MEMORY: text = "out of memory"; break;
    default: break;
    }
    tx_diag_add(p->diag, TX_SEVERITY_ERROR, p->file, line, column, hint, "%s", text);
}

// Blank lines before the declaration are a mistake that other readers forgive. Only the text that expat sees starts
// later: what is left out is not on the line of the declaration.
static void skip_blank_lines(parse *p, const char **text, size_t *length) {
    size_t start = 0, line = 0;
    for (; start < *length && is_space((*text)[start]); start++) {
        if ((*text)[start] != '\n') continue;
        line = start + 1;
        p->lines_before++;
    }
    bool declared = start == line && *length - start > 5 && memcmp(*text + start, "<?xml", 5) == 0;
    if (!declared || start == 0) {
        p->lines_before = 0;
        return;
    }
    p->text = *text += start;
    p->length = *length -= start;
}

tx_xml_element *tx_xml_parse(tx_stash *stash, const char *text, size_t length, const char *file, int depth,
                             tx_diag *diag) {
    if (length > TX_XML_FILE_MAX) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "a model file may have 256 MiB", "the file is too large");
        return NULL;
    }
    parse p = {.stash = stash, .diag = diag, .text = text, .file = file, .length = length, .base_depth = depth};
    p.parser = XML_ParserCreate(NULL);
    if (!p.parser) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "", "out of memory");
        return NULL;
    }
    XML_SetUserData(p.parser, &p);
    XML_SetElementHandler(p.parser, on_start, on_end);
    XML_SetCharacterDataHandler(p.parser, on_text);
    XML_SetExternalEntityRefHandler(p.parser, on_external_entity);
    XML_SetSkippedEntityHandler(p.parser, on_skipped_entity);
    skip_blank_lines(&p, &text, &length);
    bool good = XML_Parse(p.parser, text, (int)length, XML_TRUE) == XML_STATUS_OK && !p.reported;
    if (!good && !p.reported) report_syntax(&p);
    XML_ParserFree(p.parser);
    return good ? p.root : NULL;
}

const tx_xml_attribute *tx_xml_find(const tx_xml_element *element, const char *name) {
    for (int i = 0; i < element->attribute_count; i++) {
        if (strcmp(element->attributes[i].name, name) == 0) return &element->attributes[i];
    }
    return NULL;
}
