// font.c - captions: a 5 x 9 dot font whose dots are joined to smooth strokes
#include "render_internal.h"

#include <string.h>

enum { COLUMNS = 5, ROWS = 9, ADVANCE = 6, LINE = 12, BASELINE_ROWS = 7 };

// rows of five bits, top first, the leftmost column is 16; two rows reach below the baseline;
// characters 32 .. 126
static const unsigned char glyphs[95][ROWS] = {
    {0},
    {4, 4, 4, 4, 4, 0, 4},
    {10, 10, 10},
    {10, 10, 31, 10, 31, 10, 10},
    {4, 15, 20, 14, 5, 30, 4},
    {24, 25, 2, 4, 8, 19, 3},
    {12, 18, 20, 8, 21, 18, 13},
    {4, 4, 8},
    {2, 4, 8, 8, 8, 4, 2},
    {8, 4, 2, 2, 2, 4, 8},
    {0, 4, 21, 14, 21, 4},
    {0, 4, 4, 31, 4, 4},
    {0, 0, 0, 0, 0, 4, 4, 8},
    {0, 0, 0, 31},
    {0, 0, 0, 0, 0, 0, 4},
    {1, 1, 2, 4, 8, 16, 16},
    {14, 17, 19, 21, 25, 17, 14},
    {4, 12, 4, 4, 4, 4, 14},
    {14, 17, 1, 2, 4, 8, 31},
    {31, 2, 4, 2, 1, 17, 14},
    {2, 6, 10, 18, 31, 2, 2},
    {31, 16, 30, 1, 1, 17, 14},
    {6, 8, 16, 30, 17, 17, 14},
    {31, 1, 2, 4, 8, 8, 8},
    {14, 17, 17, 14, 17, 17, 14},
    {14, 17, 17, 15, 1, 2, 12},
    {0, 0, 4, 0, 0, 0, 4},
    {0, 0, 4, 0, 0, 4, 4, 8},
    {2, 4, 8, 16, 8, 4, 2},
    {0, 0, 31, 0, 31},
    {8, 4, 2, 1, 2, 4, 8},
    {14, 17, 1, 2, 4, 0, 4},
    {14, 17, 23, 21, 23, 16, 14},
    {4, 10, 17, 17, 31, 17, 17},
    {30, 17, 17, 30, 17, 17, 30},
    {14, 17, 16, 16, 16, 17, 14},
    {30, 17, 17, 17, 17, 17, 30},
    {31, 16, 16, 30, 16, 16, 31},
    {31, 16, 16, 30, 16, 16, 16},
    {14, 17, 16, 23, 17, 17, 14},
    {17, 17, 17, 31, 17, 17, 17},
    {14, 4, 4, 4, 4, 4, 14},
    {7, 2, 2, 2, 2, 18, 12},
    {17, 18, 20, 24, 20, 18, 17},
    {16, 16, 16, 16, 16, 16, 31},
    {17, 27, 21, 21, 17, 17, 17},
    {17, 17, 25, 21, 19, 17, 17},
    {14, 17, 17, 17, 17, 17, 14},
    {30, 17, 17, 30, 16, 16, 16},
    {14, 17, 17, 17, 21, 18, 13},
    {30, 17, 17, 30, 20, 18, 17},
    {15, 16, 16, 14, 1, 1, 30},
    {31, 4, 4, 4, 4, 4, 4},
    {17, 17, 17, 17, 17, 17, 14},
    {17, 17, 17, 17, 17, 10, 4},
    {17, 17, 17, 21, 21, 21, 10},
    {17, 17, 10, 4, 10, 17, 17},
    {17, 17, 10, 4, 4, 4, 4},
    {31, 1, 2, 4, 8, 16, 31},
    {14, 8, 8, 8, 8, 8, 14},
    {16, 16, 8, 4, 2, 1, 1},
    {14, 2, 2, 2, 2, 2, 14},
    {4, 10, 17},
    {0, 0, 0, 0, 0, 0, 0, 31},
    {8, 4, 2},
    {0, 0, 14, 1, 15, 17, 15},
    {16, 16, 30, 17, 17, 17, 30},
    {0, 0, 14, 17, 16, 17, 14},
    {1, 1, 15, 17, 17, 17, 15},
    {0, 0, 14, 17, 31, 16, 14},
    {6, 8, 28, 8, 8, 8, 8},
    {0, 0, 15, 17, 17, 17, 15, 1, 14},
    {16, 16, 22, 25, 17, 17, 17},
    {4, 0, 12, 4, 4, 4, 14},
    {2, 0, 6, 2, 2, 2, 2, 18, 12},
    {16, 16, 18, 20, 24, 20, 18},
    {12, 4, 4, 4, 4, 4, 14},
    {0, 0, 26, 21, 21, 21, 21},
    {0, 0, 22, 25, 17, 17, 17},
    {0, 0, 14, 17, 17, 17, 14},
    {0, 0, 30, 17, 17, 17, 30, 16, 16},
    {0, 0, 15, 17, 17, 17, 15, 1, 1},
    {0, 0, 22, 25, 16, 16, 16},
    {0, 0, 15, 16, 14, 1, 30},
    {8, 8, 28, 8, 8, 9, 6},
    {0, 0, 17, 17, 17, 19, 13},
    {0, 0, 17, 17, 17, 10, 4},
    {0, 0, 17, 17, 21, 21, 10},
    {0, 0, 17, 10, 4, 10, 17},
    {0, 0, 17, 17, 17, 17, 15, 1, 14},
    {0, 0, 31, 2, 4, 8, 31},
    {6, 4, 4, 8, 4, 4, 6},
    {4, 4, 4, 4, 4, 4, 4},
    {12, 4, 4, 2, 4, 4, 12},
    {0, 0, 8, 21, 2},
};

typedef struct {
    float x0, y0, x1, y1;
} stroke;

static bool dot(const unsigned char *glyph, int x, int y) {
    return x >= 0 && x < COLUMNS && y >= 0 && y < ROWS && (glyph[y] >> (COLUMNS - 1 - x) & 1);
}

// joins each dot to its neighbours to the right and below; diagonals only where no corner does
static int glyph_strokes(const unsigned char *glyph, stroke *out) {
    static const signed char step[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    int n = 0;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++) {
            if (!dot(glyph, x, y)) continue;
            float fx = (float)x, fy = (float)y;
            out[n++] = (stroke){fx, fy, fx, fy};
            for (int k = 0; k < 4; k++) {
                int dx = step[k][0], dy = step[k][1];
                bool corner = dx && dy && (dot(glyph, x + dx, y) || dot(glyph, x, y + dy));
                if (dot(glyph, x + dx, y + dy) && !corner) out[n++] = (stroke){fx, fy, fx + (float)dx, fy + (float)dy};
            }
        }
    return n;
}

static float stroke_distance(const stroke *s, float x, float y) {
    float dx = s->x1 - s->x0, dy = s->y1 - s->y0, length2 = dx * dx + dy * dy;
    float t = length2 > 0 ? clampf(((x - s->x0) * dx + (y - s->y0) * dy) / length2, 0, 1) : 0;
    return hypotf(x - s->x0 - t * dx, y - s->y0 - t * dy);
}

static void blend(tx_image *image, int x, int y, const float colour[3], float alpha) {
    if (x < 0 || y < 0 || x >= image->width || y >= image->height || alpha <= 0) return;
    unsigned char *rgb = &image->rgb[3 * ((size_t)y * (size_t)image->width + (size_t)x)];
    for (int k = 0; k < 3; k++) rgb[k] = (unsigned char)((float)rgb[k] + alpha * (colour[k] - (float)rgb[k]) + 0.5f);
}

static void draw_glyph(tx_image *image, char c, float left, float top, float unit) {
    static const float ink[3] = {30, 38, 52};
    const float radius = 0.46f; // in dots
    int code = (unsigned char)c;
    const unsigned char *glyph = glyphs[(code < 32 || code > 126 ? '?' : code) - 32];
    stroke strokes[COLUMNS * ROWS * 5];
    int n = glyph_strokes(glyph, strokes);
    for (int y = (int)(top - unit); y <= (int)(top + unit * (ROWS + 1)); y++)
        for (int x = (int)(left - unit); x <= (int)(left + unit * ADVANCE) && n > 0; x++) {
            float gx = ((float)x + 0.5f - left) / unit - 0.5f;
            float gy = ((float)y + 0.5f - top) / unit - 0.5f, nearest = 100;
            for (int i = 0; i < n; i++) nearest = minf(nearest, stroke_distance(&strokes[i], gx, gy));
            // coverage of a pixel by the stroke's edge
            blend(image, x, y, ink, clampf((radius - nearest) * unit + 0.5f, 0, 1));
        }
}

// a translucent, rounded panel that keeps the letters readable on any background
static void draw_panel(tx_image *image, float x0, float y0, float x1, float y1, float radius) {
    static const float paper[3] = {250, 251, 253};
    for (int y = (int)y0 - 1; y <= (int)y1 + 1; y++)
        for (int x = (int)x0 - 1; x <= (int)x1 + 1; x++) {
            float cx = clampf((float)x + 0.5f, x0 + radius, x1 - radius);
            float cy = clampf((float)y + 0.5f, y0 + radius, y1 - radius);
            float out = hypotf((float)x + 0.5f - cx, (float)y + 0.5f - cy) - radius;
            blend(image, x, y, paper, 0.62f * clampf(0.5f - out, 0, 1));
        }
}

// letters are a fixed share of the picture's height, and so are the gaps around them, in dots
enum { DOTS_HIGH = 330, PAD = 5 };

double tx_font_share(const char *text) {
    int lines = 1;
    if (!text || !text[0]) return 0;
    for (const char *c = text; *c && lines < 1000; c++) lines += *c == '\n';
    return (double)((lines - 1) * LINE + BASELINE_ROWS + 3 * PAD) / DOTS_HIGH;
}

void tx_font_caption(tx_image *image, tx_corner corner, const char *text) {
    // size of the block in characters, cut where it cannot fit
    int lines = 1, widest = 0, current = 0;
    for (const char *c = text; *c && lines < 1000; c++) {
        current = *c == '\n' ? 0 : current + 1;
        lines += *c == '\n';
        widest = current > widest ? current : widest;
    }
    if (widest == 0) return;
    // letters are a fixed share of the height, smaller if the line is too long
    float unit = (float)image->height / DOTS_HIGH, pad = PAD;
    float columns = (float)(widest < 10000 ? widest * ADVANCE : 60000) - 1;
    unit = maxf(minf(unit, (float)image->width / (columns + 4 * pad)), 0.8f);
    float width = columns * unit, height = (float)((lines - 1) * LINE + BASELINE_ROWS) * unit;
    float margin = 2 * pad * unit;
    bool right = corner == TX_CORNER_TOP_RIGHT || corner == TX_CORNER_BOTTOM_RIGHT;
    bool bottom = corner == TX_CORNER_BOTTOM_LEFT || corner == TX_CORNER_BOTTOM_RIGHT;
    float x0 = right ? (float)image->width - margin - width : margin;
    float y0 = bottom ? (float)image->height - margin - height : margin;
    // clip the panel to the image before filling it
    float border = pad * unit;
    draw_panel(image, maxf(x0 - border, -border), maxf(y0 - border, -border),
               minf(x0 + width + border, (float)image->width + border),
               minf(y0 + height + border, (float)image->height + border), 0.8f * border);

    float x = x0, y = y0;
    for (const char *c = text; *c; c++) {
        if (*c == '\n') {
            x = x0;
            y += LINE * unit;
            continue;
        }
        if (x < (float)image->width && y < (float)image->height && x + 10 * unit > 0) draw_glyph(image, *c, x, y, unit);
        x += ADVANCE * unit;
    }
}
