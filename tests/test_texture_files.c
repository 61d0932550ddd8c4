// test_texture_files.c - textures of pictures that are written here: every kind of PNG, pictures that are no squares,
// folders of attached models, and what is refused. Beside MuJoCo's texels: test_texture.c.
#include "simulate.h"

#include <png.h>
#include <sys/stat.h>
#include <unistd.h>

#include "near.h"

// a kind of PNG; the samples of a texel are numbers of its bit depth
typedef struct kind {
    int type, bits, interlace;
} kind;

static int channels_of(int type) {
    return type == PNG_COLOR_TYPE_RGB ? 3 : type == PNG_COLOR_TYPE_RGBA ? 4 : type == PNG_COLOR_TYPE_GRAY_ALPHA ? 2 : 1;
}

// sample c of texel i; all differ as far as the depth goes
static int sample(const kind *k, int i, int c) { return (i * 37 + c * 101 + 11) * 257 & ((1 << k->bits) - 1); }

static void write_png(const char *path, const kind *k, int width, int height) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    const int channels = channels_of(k->type);
    const size_t row = ((size_t)(width * channels * k->bits) + 7) / 8;
    unsigned char *bytes = calloc((size_t)height, row), **rows = malloc((size_t)height * sizeof *rows);
    assert_true(bytes && rows);
    for (int y = 0; y < height; y++) {
        rows[y] = bytes + (size_t)y * row;
        for (int s = 0; s < width * channels; s++) {
            const int value = sample(k, y * width + s / channels, s % channels);
            if (k->bits == 16) rows[y][2 * s] = (unsigned char)(value >> 8), rows[y][2 * s + 1] = (unsigned char)value;
            else rows[y][s * k->bits / 8] |= (unsigned char)(value << (8 - k->bits - s * k->bits % 8));
        }
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, k->bits, k->type, k->interlace, 0, 0);
    if (k->type == PNG_COLOR_TYPE_PALETTE) {
        png_color colours[256];
        for (int i = 0; i < 256; i++) colours[i] = (png_color){(png_byte)i, (png_byte)(255 - i), (png_byte)(i * 7)};
        png_set_PLTE(png, info, colours, 1 << k->bits);
    }
    png_write_info(png, info);
    png_write_image(png, rows);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    free(bytes), free(rows);
    assert_int_equal(fclose(file), 0);
}

// eight bits of each channel: 16 lose their lower half, fewer are spread over all of them, gray is all three colours
static int expected(const kind *k, int i) {
    int rgb[3];
    for (int c = 0; c < 3; c++) {
        const int value = sample(k, i, channels_of(k->type) < 3 ? 0 : c);
        if (k->type == PNG_COLOR_TYPE_PALETTE) rgb[c] = c == 0 ? value : c == 1 ? 255 - value : value * 7 & 255;
        else rgb[c] = k->bits == 16 ? value >> 8 : value * 255 / ((1 << k->bits) - 1);
    }
    return rgb[0] << 16 | rgb[1] << 8 | rgb[2];
}

static tx_model *with_pictures(const char *path, tx_diag *diag) {
    tx_load_options options = tx_default_load_options();
    options.pictures = true;
    return tx_load_file_with(path, &options, diag);
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

#define ONE_TEXTURE(attributes)                                            \
    "<mujoco><asset><texture name='t' " attributes                         \
    "/><material name='m' texture='t'/></asset><worldbody><geom size='1' " \
    "material='m'/></worldbody></mujoco>"

// the texels are those of the file, whatever its kind, where width and height differ
static void every_kind_of_png(void **state) {
    static const kind kinds[] = {
        {PNG_COLOR_TYPE_RGB, 8, 0},        {PNG_COLOR_TYPE_RGB, 16, 0},        {PNG_COLOR_TYPE_RGBA, 8, 0},
        {PNG_COLOR_TYPE_RGBA, 16, 1},      {PNG_COLOR_TYPE_GRAY, 1, 0},        {PNG_COLOR_TYPE_GRAY, 2, 0},
        {PNG_COLOR_TYPE_GRAY, 4, 1},       {PNG_COLOR_TYPE_GRAY, 8, 1},        {PNG_COLOR_TYPE_GRAY, 16, 0},
        {PNG_COLOR_TYPE_GRAY_ALPHA, 8, 0}, {PNG_COLOR_TYPE_GRAY_ALPHA, 16, 1}, {PNG_COLOR_TYPE_PALETTE, 2, 0},
        {PNG_COLOR_TYPE_PALETTE, 8, 1},    {PNG_COLOR_TYPE_RGB, 8, 1}};
    static const int sizes[][2] = {{3, 7}, {9, 2}};
    char folder[] = "/tmp/thixis_texture_files_XXXXXX", png[64], xml[64];
    assert_non_null(mkdtemp(folder));
    snprintf(png, sizeof png, "%s/a.png", folder), snprintf(xml, sizeof xml, "%s/a.xml", folder);
    write_text(xml, ONE_TEXTURE("type='2d' file='a.png'"));
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++) {
        const kind *k = &kinds[i / 2];
        const int width = sizes[i % 2][0], height = sizes[i % 2][1];
        write_png(png, k, width, height);
        tx_diag diag = {0};
        tx_model *m = must_have(with_pictures(xml, &diag), &diag);
        assert_int_equal(tx_model_ints(m, TX_INT_TEX_WIDTH, NULL)[0], width);
        assert_int_equal(tx_model_ints(m, TX_INT_TEX_HEIGHT, NULL)[0], height);
        const int *texel = tx_model_ints(m, TX_INT_TEX_DATA, NULL);
        for (int t = 0; t < width * height; t++)
            if (texel[t] != expected(k, t))
                fail_msg("type %d with %d bits: texel %d is %06X, not %06X", k->type, k->bits, t, (unsigned)texel[t],
                         (unsigned)expected(k, t));
        tx_model_destroy(m);
    }
    remove(png), remove(xml), rmdir(folder);
}

// a model that is attached looks for pictures where its own file says, also for a geom of the file that attaches it
static void attached_models_have_their_own_folders(void **state) {
    static const kind rgb = {PNG_COLOR_TYPE_RGB, 8, 0};
    char folder[] = "/tmp/thixis_texture_files_XXXXXX", path[5][64];
    assert_non_null(mkdtemp(folder));
    static const char *const names[] = {"%s/main.xml", "%s/sub", "%s/sub/part.xml", "%s/sub/pictures",
                                        "%s/sub/pictures/a.png"};
    for (int i = 0; i < 5; i++) snprintf(path[i], sizeof path[i], names[i], folder);
    assert_int_equal(mkdir(path[1], 0700), 0);
    assert_int_equal(mkdir(path[3], 0700), 0);
    write_png(path[4], &rgb, 2, 1);
    write_text(path[2], "<mujoco><compiler texturedir='pictures'/><asset><texture name='t' type='2d' "
                        "file='a.png'/><material name='m' texture='t'/></asset>"
                        "<worldbody><body name='b'><geom name='g' size='1'/></body></worldbody></mujoco>");
    write_text(
        path[0],
        "<mujoco><compiler texturedir='elsewhere'/><asset><model name='p' file='sub/part.xml'/></asset><worldbody>"
        "<attach model='p' body='b' prefix='x_'/><geom name='own' size='1' material='x_m'/>"
        "</worldbody></mujoco>");
    tx_diag diag = {0};
    tx_model *m = must_have(with_pictures(path[0], &diag), &diag);
    assert_int_equal(tx_model_size(m, TX_SIZE_NTEX), 1);
    for (int i = 0; i < 2; i++) assert_int_equal(tx_model_ints(m, TX_INT_TEX_DATA, NULL)[i], expected(&rgb, i));
    tx_model_destroy(m);
    remove(path[4]), rmdir(path[3]), remove(path[2]), rmdir(path[1]), remove(path[0]), rmdir(folder);
}

static void expect_warning(const char *text, const char *said) {
    char path[] = "/tmp/thixis_texture_files_XXXXXX";
    assert_true(mkstemp(path) >= 0);
    write_text(path, text);
    tx_diag diag = {0};
    tx_model *m = with_pictures(path, &diag);
    assert_non_null(m);
    assert_int_equal(diag.warnings, 1);
    if (!strstr(diag.messages[0].text, said)) fail_msg("%s", diag.messages[0].text);
    tx_diag_free(&diag), tx_model_destroy(m);
    remove(path);
}

static void grids_have_twelve_cells_at_most(void **state) {
    expect_warning(ONE_TEXTURE("type='cube' file='a.png' gridsize='4 4' gridlayout='RLUDFB..........'"),
                   "gridsize has at most 12 cells");
    expect_warning(ONE_TEXTURE("type='cube' file='a.png' gridsize='3 4' gridlayout='RLUDFB......'"),
                   "there is no such file");
}

// 2^25 texels: 32 pictures of 2^20 are all of them
static void textures_are_bounded_together(void **state) {
    enum { FIT = 32 };
    char text[8192], *at = text;
    at += sprintf(at, "<mujoco><asset>");
    for (int i = 0; i <= FIT; i++)
        at += sprintf(at,
                      "<texture name='t%d' type='2d' builtin='flat' width='1024' height='1024'/>"
                      "<material name='m%d' texture='t%d'/>",
                      i, i, i);
    at += sprintf(at, "</asset><worldbody>");
    for (int i = 0; i <= FIT; i++) at += sprintf(at, "<geom size='1' material='m%d'/>", i);
    sprintf(at, "</worldbody></mujoco>");
    expect_warning(text, "<texture> 't32' is not drawn: the textures have too many texels together");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_png),
        cmocka_unit_test(attached_models_have_their_own_folders),
        cmocka_unit_test(grids_have_twelve_cells_at_most),
        cmocka_unit_test(textures_are_bounded_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
