// text.h - numbers out of text, and names that are nearly right.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef enum tx_number_error { TX_NUMBER_OK, TX_NUMBER_BAD, TX_NUMBER_NOT_FINITE, TX_NUMBER_RANGE } tx_number_error;

// What stopped a list of numbers: the word and why.
typedef struct tx_number_problem {
    tx_number_error error;
    const char *word;
    int length;
} tx_number_problem;

// Reads numbers separated by white space, the same in every locale: decimal, no "nan", no "inf", no overflow.
// The first `max` go into values (may be null); returns how many there are, or -1 with the problem filled in.
int tx_read_reals(const char *text, double *values, int max, tx_number_problem *problem);
int tx_read_ints(const char *text, int *values, int max, tx_number_problem *problem);

// Searches the known name that is nearest to a misspelt one: start, offer the candidates, look at best.
typedef struct tx_nearest {
    const char *word;
    char best[48]; // "" when nothing is near enough to be meant
    int distance;
} tx_nearest;
tx_nearest tx_nearest_start(const char *word);
void tx_nearest_offer(tx_nearest *nearest, const char *candidate, size_t length);
void tx_nearest_offer_all(tx_nearest *nearest, const char *words); // separated by spaces

bool tx_ends_with(const char *name, const char *ending); // in small or capital letters; the ending in small ones
bool tx_has_word(const char *words, const char *word);   // among words separated by spaces
