// mjcf_texture.c - <texture>: pictures from files or made here, when a geom uses one. They concern pictures only, so
// they are made only for those who want to draw (tx_load_options.pictures), and a file that cannot be read is a
// warning.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/file.h"
#include "load/mjcf.h"
#include "load/picture.h"

enum { NONE, GRADIENT, CHECKER, FLAT, EDGE = 1, CROSS, RANDOM, SIDES = 6 };

static const tx_mjcf_keyword types[] = {{"2d", .value = TX_MJCF_TEXTURE_2D},
                                        {"cube", .value = TX_MJCF_TEXTURE_CUBE},
                                        {"skybox", .value = TX_MJCF_TEXTURE_SKYBOX},
                                        {0}};
static const tx_mjcf_keyword builtins[] = {{"none", .value = NONE},
                                           {"gradient", .value = GRADIENT},
                                           {"checker", .value = CHECKER},
                                           {"flat", .value = FLAT},
                                           {0}};
static const tx_mjcf_keyword marks[] = {
    {"none", .value = NONE}, {"edge", .value = EDGE}, {"cross", .value = CROSS}, {"random", .value = RANDOM}, {0}};

#define SIDE_FILE(name, k) \
    { name, TX_MJCF_STRING(tx_mjcf_texture, side_file[k]), .flags = TX_MJCF_NOT_IN_DEFAULT }
const tx_mjcf_attr tx_mjcf_texture_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_texture, name), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"type", TX_MJCF_WORD(tx_mjcf_texture, type, types)},
    {"file", TX_MJCF_STRING(tx_mjcf_texture, file), .flags = TX_MJCF_NOT_IN_DEFAULT},
    SIDE_FILE("fileright", 0),
    SIDE_FILE("fileleft", 1),
    SIDE_FILE("fileup", 2),
    SIDE_FILE("filedown", 3),
    SIDE_FILE("filefront", 4),
    SIDE_FILE("fileback", 5),
    {"gridsize", TX_MJCF_INTS(tx_mjcf_texture, gridsize, 2, 2)},
    {"gridlayout", TX_MJCF_STRING(tx_mjcf_texture, gridlayout)},
    {"builtin", TX_MJCF_WORD(tx_mjcf_texture, builtin, builtins)},
    {"rgb1", TX_MJCF_REALS(tx_mjcf_texture, rgb1, 3, 3)},
    {"rgb2", TX_MJCF_REALS(tx_mjcf_texture, rgb2, 3, 3)},
    {"mark", TX_MJCF_WORD(tx_mjcf_texture, mark, marks)},
    {"markrgb", TX_MJCF_REALS(tx_mjcf_texture, markrgb, 3, 3)},
    {"random", TX_MJCF_REALS(tx_mjcf_texture, random, 1, 1)},
    {"width", TX_MJCF_INTS(tx_mjcf_texture, width, 1, 1)},
    {"height", TX_MJCF_INTS(tx_mjcf_texture, height, 1, 1)},
    {"hflip", TX_MJCF_YESNO(tx_mjcf_texture, hflip, tx_mjcf_bool)},
    {"vflip", TX_MJCF_YESNO(tx_mjcf_texture, vflip, tx_mjcf_bool)},
    // three channels are drawn
    {"nchannel", TX_MJCF_INTS(tx_mjcf_texture, nchannel, 1, 1)},
    {"colorspace", TX_MJCF_IGNORE},
    {"embed", TX_MJCF_IGNORE},
    // the ending of the file says what it is
    {"content_type", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {0},
};
#undef SIDE_FILE

// ---- made here ---------------------------------------------------------------------------------------------------

static int level(double value) { return (int)(255 * (value < 0 ? 0 : value > 1 ? 1 : value)); }
static int texel(const double rgb[3]) { return level(rgb[0]) << 16 | level(rgb[1]) << 8 | level(rgb[2]); }

// from the first colour at -1 to the second at 1, along a curve that begins and ends flat: MuJoCo's
static int blend(const tx_mjcf_texture *t, double at) {
    double rgb[3], second = 0.5 + 0.5 * at * sqrt(2 / (1 + at * at));
    for (int k = 0; k < 3; k++) rgb[k] = (1 - second) * t->rgb1[k] + second * t->rgb2[k];
    return texel(rgb);
}

// how far up, -1 to 1, the ray to a place on a side of a cube goes; +y is up
static double elevation(int side, double right, double down) {
    const double turn = 1.5707963267948966;
    if (side == 2 || side == 3) return (side == 2 ? 1 : -1) * (1 - atan(sqrt(right * right + down * down)) / turn);
    return -atan(down / sqrt(1 + right * right)) / turn;
}

// sigmoids of the distance from the middle of a flat one, and of the elevation on a side of a cube
static int gradient_at(const tx_mjcf_texture *t, int sides, int side, int row, int column, int width, int height) {
    double x = width > 1 ? 2.0 * column / (width - 1) - 1 : 0, y = height > 1 ? 2.0 * row / (height - 1) - 1 : 0;
    if (sides == SIDES) return blend(t, -elevation(side, x, y));
    double out = sqrt(x * x + y * y);
    return blend(t, 2 * (out < 1 ? out : 1) - 1);
}

static void make_side(const tx_mjcf_texture *t, int sides, int side, int *texels, int width, int height) {
    const int first = texel(t->rgb1), second = texel(t->rgb2);
    for (int i = 0; i < width * height; i++) {
        const int row = i / width, column = i % width;
        const bool corner = (row < height / 2) == (column < width / 2);
        if (t->builtin == FLAT) texels[i] = sides == SIDES && side == 3 ? second : first;
        else if (t->builtin == CHECKER) texels[i] = corner != (side >= 4) ? first : second;
        else texels[i] = gradient_at(t, sides, side, row, column, width, height);
    }
}

static void mark_side(const tx_mjcf_texture *t, int *texels, int width, int height) {
    unsigned seed = 42;
    const int mark = texel(t->markrgb);
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++) {
            bool edge = r == 0 || c == 0 || r == height - 1 || c == width - 1,
                 cross = r == height / 2 || c == width / 2;
            seed = seed * 1664525u + 1013904223u;
            bool lucky = (double)(seed >> 8) < t->random * (1 << 24);
            if (t->mark == EDGE ? edge : t->mark == CROSS ? cross : lucky) texels[r * width + c] = mark;
        }
}

static void make_builtin(const tx_mjcf_texture *t, int sides, int *texels, int width, int height) {
    for (int s = 0; s < sides; s++) {
        int *side = texels + s * width * height;
        make_side(t, sides, s, side, width, height);
        if (t->mark) mark_side(t, side, width, height);
    }
}

// ---- from files --------------------------------------------------------------------------------------------------

// says why a texture is not drawn; returns false
static bool cannot(tx_mjcf *m, const tx_mjcf_texture *t, const char *attribute, const char *why) {
    tx_mjcf_problem(m, TX_SEVERITY_WARNING, t->element, tx_xml_find(t->element, attribute),
                    "pictures show the colour of its material instead", "<texture> '%.60s' is not drawn: %s",
                    t->name ? t->name : "", why);
    return false;
}

static const char *accept(void *context, int width, int height) {
    (void)context;
    return width > 16384 || height > 16384 || width > (1 << 24) / height ? "it has too many texels" : NULL;
}

// the picture of an attribute; false with a warning
static bool read_picture(tx_mjcf *m, const tx_mjcf_texture *t, const char *attribute, const char *name, tx_picture *p) {
    char *path = NULL;
    size_t length = 0;
    const char *why = "the model is not in a file";
    char *bytes = NULL, text[400];
    if (m->part->folder) bytes = tx_mjcf_find_file(m, t->element, m->part->texturedir, name, &path, &length, &why);
    if (!bytes && why == tx_file_no_memory) {
        m->out_of_memory = true;
        return false;
    }
    *p = (tx_picture){0};
    bool good = bytes && tx_picture_read(bytes, length, 16384, accept, NULL, p);
    tx_free(bytes);
    if (p->no_memory) m->out_of_memory = true;
    if (good || p->no_memory) return good;
    snprintf(text, sizeof text, "%.120s (%.200s)", bytes ? p->why : why, name);
    return cannot(m, t, attribute, text);
}

// the colour of a picture; gray ones have one channel, or two
static int pixel(const tx_mjcf_texture *t, const tx_picture *p, int row, int column) {
    if (t->hflip) column = p->width - 1 - column;
    if (t->vflip) row = p->height - 1 - row;
    const unsigned char *at = p->pixels + ((size_t)row * (size_t)p->width + (size_t)column) * (size_t)p->channels;
    int green = p->channels < 3 ? 0 : 1, blue = p->channels < 3 ? 0 : 2;
    return at[0] << 16 | at[green] << 8 | at[blue];
}

// a cell of a picture as a side of width x height texels: every so many of its own
static void copy_cell(const tx_mjcf_texture *t, const tx_picture *p, const int cell[4], int *texels, int width,
                      int height) {
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++) {
            int row = cell[0] + (int)((long long)r * cell[2] / height);
            int column = cell[1] + (int)((long long)c * cell[3] / width);
            texels[r * width + c] = pixel(t, p, row, column);
        }
}

// no more texels than pictures can show
static int bounded(int edge, int sides) {
    const int most = sides == 1 ? 1024 : 512;
    return edge > most ? most : edge;
}

// what all textures of a file may have together, whatever they say
enum { MOST_TEXELS = 1 << 25 };

static int *take_texels(tx_mjcf *m, const tx_mjcf_texture *t, int sides, int width, int height) {
    const int count = sides * width * height;
    if (count > MOST_TEXELS - m->texels) {
        cannot(m, t, "name", "the textures have too many texels together");
        return NULL;
    }
    m->texels += count;
    int *texels = tx_alloc(sizeof *texels * (size_t)count);
    if (!texels) m->out_of_memory = true;
    return texels;
}

static int *read_flat(tx_mjcf *m, const tx_mjcf_texture *t, int *width, int *height) {
    tx_picture p = {0};
    if (!t->file) {
        cannot(m, t, "type", "a flat one needs attribute 'file' or 'builtin'");
        return NULL;
    }
    if (!read_picture(m, t, "file", t->file, &p)) return NULL;
    *width = bounded(p.width, 1), *height = bounded(p.height, 1);
    int *texels = take_texels(m, t, 1, *width, *height), all[4] = {0, 0, p.height, p.width};
    if (texels) copy_cell(t, &p, all, texels, *width, *height);
    tx_picture_release(&p);
    return texels;
}

// which side stands in a cell of the layout; -1: none
static int side_of(char letter) {
    const char *sides = "RLUDFB", *found = letter ? strchr(sides, letter) : NULL;
    return found ? (int)(found - sides) : -1;
}

// six sides out of one picture: all of it on each, or the cells of a grid
static int *read_grid(tx_mjcf *m, const tx_mjcf_texture *t, int *edge) {
    const int rows = t->gridsize[0], columns = t->gridsize[1];
    tx_picture p = {0};
    if (rows < 1 || columns < 1 || rows > 12 || columns > 12 || rows * columns > 12 ||
        (rows * columns > 1 && strlen(t->gridlayout) != (size_t)(rows * columns))) {
        cannot(m, t, "gridsize", "gridsize has at most 12 cells, and gridlayout a letter for each");
        return NULL;
    }
    if (!read_picture(m, t, "file", t->file, &p)) return NULL;
    int *texels = NULL, side = p.height / rows;
    if (p.height % rows || p.width % columns || side != p.width / columns)
        cannot(m, t, "file", "its sides are no squares");
    else {
        *edge = bounded(side, SIDES);
        texels = take_texels(m, t, SIDES, *edge, *edge);
    }
    for (int i = 0; texels && i < SIDES * *edge * *edge; i++) texels[i] = texel(t->rgb1);
    for (int k = 0; texels && k < (rows * columns > 1 ? rows * columns : SIDES); k++) {
        int to = rows * columns > 1 ? side_of(t->gridlayout[k]) : k;
        int cell[4] = {rows * columns > 1 ? k / columns * side : 0, rows * columns > 1 ? k % columns * side : 0, side,
                       side};
        if (to >= 0) copy_cell(t, &p, cell, texels + to * *edge * *edge, *edge, *edge);
    }
    tx_picture_release(&p);
    return texels;
}

// each side from its own file, or in the first colour; the first one that is there says how large they are
static int *read_sides(tx_mjcf *m, const tx_mjcf_texture *t, int *edge) {
    static const char *const names[SIDES] = {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
    int *texels = NULL;
    for (int k = 0; k < SIDES; k++) {
        tx_picture p = {0};
        if (!t->side_file[k]) continue;
        bool good = read_picture(m, t, names[k], t->side_file[k], &p);
        if (good && p.width != p.height) good = cannot(m, t, names[k], "a side is no square");
        if (good && !texels) {
            *edge = bounded(p.width, SIDES);
            texels = take_texels(m, t, SIDES, *edge, *edge);
            for (int i = 0; texels && i < SIDES * *edge * *edge; i++) texels[i] = texel(t->rgb1);
        }
        int all[4] = {0, 0, p.height, p.width};
        if (good && texels) copy_cell(t, &p, all, texels + k * *edge * *edge, *edge, *edge);
        tx_picture_release(&p);
        if (good && texels) continue;
        tx_free(texels);
        return NULL;
    }
    if (!texels) cannot(m, t, "type", "a cube needs a file, files of its sides, or 'builtin'");
    return texels;
}

// ---- use ---------------------------------------------------------------------------------------------------------

static void load(tx_mjcf *m, tx_mjcf_texture *t) {
    const bool cube = t->type != TX_MJCF_TEXTURE_2D;
    const int sides = cube ? SIDES : 1;
    int width = bounded(t->width, sides), height = cube ? width : bounded(t->height, sides), *texels = NULL;
    if (t->builtin && (width < 1 || height < 1)) return; // that has been said
    if (t->builtin) {
        texels = take_texels(m, t, sides, width, height);
        if (texels) make_builtin(t, sides, texels, width, height);
    } else if (!cube) texels = read_flat(m, t, &width, &height);
    else texels = t->file ? read_grid(m, t, &width) : read_sides(m, t, &width);
    if (cube) height = width;
    if (!texels) return;
    tx_texture_def def = {cube, width, height, texels, tx_mjcf_source(t->element)};
    t->index = tx_builder_texture(m->builder, &def);
    tx_mjcf_check_index(m, t->index);
    tx_free(texels);
}

int tx_mjcf_use_texture(tx_mjcf *m, const char *name) {
    tx_mjcf_texture *t = tx_names_find(&m->textures, name);
    if (!t || !m->pictures) return -1;
    if (t->index == -2) {
        // its files belong to the part that it comes from
        tx_mjcf_part *outer = m->part;
        m->part = t->element->part ? t->element->part : &m->main;
        t->index = -1;
        load(m, t);
        m->part = outer;
    }
    return t->index;
}

static bool is_flat_picture(const tx_xml_element *element) {
    const tx_xml_attribute *type = tx_xml_find(element, "type"), *file = tx_xml_find(element, "file");
    return strcmp(element->name, "texture") == 0 && file && type && strcmp(type->value, "2d") == 0;
}

bool tx_mjcf_has_flat_pictures(tx_mjcf *m, const tx_xml_element *element) {
    if (!m->pictures) return false;
    if (m->flat_pictures) return m->flat_pictures == 2;
    while (element->parent) element = element->parent;
    m->flat_pictures = 1;
    for (const tx_xml_element *asset = element->first; asset; asset = asset->next)
        for (const tx_xml_element *e = asset->first; e && strcmp(asset->name, "asset") == 0; e = e->next)
            if (is_flat_picture(e)) m->flat_pictures = 2;
    return m->flat_pictures == 2;
}

void tx_mjcf_texture_element(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_texture *t = tx_stash_take(m->stash, sizeof *t);
    if (!t) {
        m->out_of_memory = true;
        return;
    }
    *t = tx_mjcf_class_of(m, element, "class", m->part->main_class)->texture;
    t->element = element, t->index = -2;
    bool good = tx_mjcf_read(m, element, tx_mjcf_texture_attrs, t);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (!t->name && t->file) t->name = tx_mjcf_name_of_file(m, t->file);
    bool sky = t->type == TX_MJCF_TEXTURE_SKYBOX, high = sky || t->type == TX_MJCF_TEXTURE_CUBE || t->height > 0;
    if (good && t->builtin && (t->width < 1 || !high))
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, t->width < 1 ? "width" : "height"),
                        "texels; a cube needs no height", "a builtin <texture> needs a positive %s",
                        t->width < 1 ? "width" : "height");
    if (!t->name || !t->name[0]) {
        if (good && !sky) tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<texture> needs attribute 'name'");
    } else if (tx_names_find(&m->textures, t->name)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "name"), "",
                        "there are two textures '%.60s'", t->name);
    } else if (!tx_names_add(&m->textures, m->stash, t->name, t)) {
        m->out_of_memory = true;
    }
}
