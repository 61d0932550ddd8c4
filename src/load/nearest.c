// nearest.c - the known name nearest to a misspelt one.
#include <stdlib.h>
#include <string.h>

#include "load/text.h"

#define LENGTH_MAX 40

static int min_int(int a, int b) { return a < b ? a : b; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

// edit distance with neighbours swapped counting one (optimal string alignment); case does not count
static int distance(const char *a, int n, const char *b, int m) {
    int rows[3][LENGTH_MAX + 1];
    for (int j = 0; j <= m; j++) rows[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int cost = lower(a[i - 1]) != lower(b[j - 1]);
            row[j] = min_int(above[j - 1] + cost, min_int(above[j], row[j - 1]) + 1);
            bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) row[j] = min_int(row[j], above2[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

tx_nearest tx_nearest_start(const char *word) {
    // a third of the letters may be wrong, and at least one
    size_t length = strlen(word);
    int most = length < 6 ? 1 : (int)length / 3;
    return (tx_nearest){word, "", most + 1};
}

void tx_nearest_offer(tx_nearest *nearest, const char *candidate, size_t length) {
    size_t own = strlen(nearest->word);
    if (own > LENGTH_MAX || length > LENGTH_MAX) return;
    if (abs((int)own - (int)length) >= nearest->distance) return; // so many letters more or less
    int d = distance(nearest->word, (int)own, candidate, (int)length);
    if (d >= nearest->distance) return;
    nearest->distance = d;
    memcpy(nearest->best, candidate, length);
    nearest->best[length] = 0;
}

void tx_nearest_offer_all(tx_nearest *nearest, const char *words) {
    while (*words) {
        size_t length = strcspn(words, " ");
        if (length) tx_nearest_offer(nearest, words, length);
        words += length + (words[length] == ' ');
    }
}

bool tx_has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    while (*words) {
        size_t size = strcspn(words, " ");
        if (size == length && memcmp(words, word, size) == 0) return true;
        words += size + (words[size] == ' ');
    }
    return false;
}

bool tx_ends_with(const char *name, const char *ending) {
    size_t size = strlen(name), own = strlen(ending);
    if (size < own) return false;
    for (size_t i = 0; i < own; i++) {
        char c = name[size - own + i];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != ending[i]) return false;
    }
    return true;
}
