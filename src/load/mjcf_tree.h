// mjcf_tree.h - the document before it is read. <replicate> and <attach> are replaced by copies of parts of it, in
// which names and what refers to them get a prefix or a suffix.
#pragma once
#include "load/mjcf.h"

// what has a name that others refer to
typedef enum tx_tree_kind {
    TX_TREE_BODY,
    TX_TREE_JOINT,
    TX_TREE_GEOM,
    TX_TREE_SITE,
    TX_TREE_CAMERA,
    TX_TREE_TENDON,
    TX_TREE_ACTUATOR,
    TX_TREE_KINDS,
    TX_TREE_NONE = TX_TREE_KINDS
} tx_tree_kind;

// what all documents of one load share
typedef struct tx_tree_load {
    tx_stash *stash;
    tx_diag *diag;
    int made;   // elements of all copies so far
    int models; // files that were read for <model>
} tx_tree_load;

// One document, the main one or a model that another one names.
typedef struct tx_tree {
    tx_tree_load *load;
    tx_xml_element *root;
    const char *folder; // of its file, with its slash; null: no files can be read
    const char *name;   // under which it can be attached
    const char *path;
    struct tx_tree *user;         // the document that names it; null: it is the main one
    struct tx_tree *models;       // that it names
    struct tx_tree *next;         // in the user's list
    tx_mjcf_part *parts, *own;    // of all that is attached to it, and for a model its own; the own one of a model
    int attached;                 // how many times it has been
    bool joins, broken, reported; // something is attached to it; it could not be read; something went wrong in it
} tx_tree;

void tx_tree_report(tx_tree *tree, const tx_xml_element *at, const char *hint, const char *text, const char *name)
    __attribute__((format(printf, 4, 0)));

// ---- copies ------------------------------------------------------------------------------------------------------

typedef struct tx_copier {
    tx_tree_load *load;
    const char *before, *after;    // go around the names
    bool assets;                   // names of classes and assets change as well
    bool repeated;                 // not the first copy, so that it need not be complained about again
    tx_names names[TX_TREE_KINDS]; // of what is being copied: only these change where something refers to them
} tx_copier;

// what an attribute names: TX_TREE_NONE where it is no reference
tx_tree_kind tx_tree_reference(const tx_xml_element *element, const tx_xml_attribute *attribute);
bool tx_copier_has(const tx_copier *copier, const tx_xml_element *element, const tx_xml_attribute *attribute);
// remembers the name of an element, or the names of all below it; false: no memory
bool tx_copier_add(tx_copier *copier, tx_tree_kind kind, const tx_xml_element *element);
bool tx_copier_add_below(tx_copier *copier, const tx_xml_element *parent);

// a copy of an element, with or without all below it, at the end of `parent`; null: too many or too deep
tx_xml_element *tx_tree_copy(const tx_copier *copier, tx_xml_element *from, tx_xml_element *parent);
tx_xml_element *tx_tree_copy_alone(const tx_copier *copier, tx_xml_element *from, tx_xml_element *parent);
void tx_tree_append(tx_xml_element *parent, tx_xml_element *child);

// ---- what is copied ------------------------------------------------------------------------------------------------

// the copies of a <replicate> in a row, or null; what refers to them is copied in the tree
tx_xml_element *tx_tree_replicate(tx_tree *tree, tx_xml_element *element);

// reads the models that a document names in <asset>
void tx_tree_load_models(tx_tree *tree);
// puts into an <attach> what it stands for, and into the tree what belongs to that
void tx_tree_attach(tx_tree *tree, tx_xml_element *element);
// lets the keyframes know whose numbers they have, where something is attached to the tree
void tx_tree_mark_keys(tx_tree *tree);
// includes, models, copies: all of a document
void tx_tree_expand(tx_tree *tree);

// compares the <option> of an attached model with that of the tree; MJCF's conflict="..." says what follows
void tx_tree_merge_options(tx_tree *tree, const tx_tree *model);
