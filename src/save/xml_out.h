// xml_out.h - XML text written element by element; attributes come from the tables that the loader reads them by.
#pragma once
#include "load/mjcf.h"

typedef struct tx_xml_out {
    char *bytes; // the text so far, terminated; released by tx_out_free()
    size_t used, room;
    int depth;
    bool in_tag;         // the start tag is not closed yet
    bool no_memory;      // what follows is lost
    char unwritable[96]; // the first value that XML or MJCF cannot say, "": none
} tx_xml_out;
void tx_out_free(tx_xml_out *out);

void tx_out_open(tx_xml_out *out, const char *element);
void tx_out_close(tx_xml_out *out, const char *element);
void tx_out_close_section(tx_xml_out *out, const char *element); ///< takes it back where it has stayed empty

/// One attribute of the element just opened. Numbers have as few digits as give the same bits when they are read.
void tx_out_text(tx_xml_out *out, const char *name, const char *value);
void tx_out_reals(tx_xml_out *out, const char *name, const double *values, int count);
void tx_out_floats(tx_xml_out *out, const char *name, const double *values, int count); ///< of single precision
void tx_out_ints(tx_xml_out *out, const char *name, const int *values, int count);

/// Every attribute of a table that differs from what an element starts from, or is required.
void tx_out_attributes(tx_xml_out *out, const tx_mjcf_attr *attrs, const void *values, const void *plain);
/// An element that has nothing else.
void tx_out_element(tx_xml_out *out, const char *element, const tx_mjcf_attr *attrs, const void *values,
                    const void *plain);
