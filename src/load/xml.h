// xml.h - a small document tree over expat: elements and attributes that know where they stand.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "load/stash.h"
#include "thixis/base.h"

// bounds on what a file may ask for; beyond them it is refused with a message
#define TX_XML_DEPTH_MAX  500                 // elements inside each other, includes counted
#define TX_XML_VALUE_MAX  ((size_t)16 << 20)  // bytes of one attribute's value
#define TX_XML_FILE_MAX   ((size_t)256 << 20) // bytes of a file
#define TX_XML_MEMORY_MAX ((size_t)1 << 30)   // bytes of the tree of a whole load

typedef struct tx_xml_attribute {
    const char *name, *value;
    int line, column; // of its name, from 1
} tx_xml_attribute;

typedef struct tx_xml_element {
    const char *name, *file;
    int line, column;           // of its '<', from 1; columns count characters
    int depth;                  // 1 for the root
    int text_line, text_column; // first text in it that is not white space; 0: none
    int attribute_count;
    tx_xml_attribute *attributes; // in the order of the file
    struct tx_xml_element *parent, *first, *last, *next;
    int copy;                    // which copy of a <replicate> it is
    bool repeated;               // stands in a copy that is not the first: what is wrong with it has been said
    bool taken;                  // an <option> that comes from an attached model
    bool faulty;                 // set by the reader: a problem was reported here or below
    struct tx_mjcf_part *part;   // the attached model it comes from; null: the main one
    struct tx_xml_element *twin; // its copy in the <attach> that is being made, its first one in a <replicate>
    void *extra;                 // the reader's own
} tx_xml_element;

// Parses text into a tree that lives in the stash; `file` must outlive it. `depth` is that of the place it will be put.
// Syntax errors end at the first, with line and column. External entities are refused.
// returns the root, or null with a message in diag
tx_xml_element *tx_xml_parse(tx_stash *stash, const char *text, size_t length, const char *file, int depth,
                             tx_diag *diag);

const tx_xml_attribute *tx_xml_find(const tx_xml_element *element, const char *name); // null when it is not there
