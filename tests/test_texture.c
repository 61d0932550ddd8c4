// test_texture.c - textures and where they lie, from files to pictures, beside MuJoCo's texels (tools/texture_fixture).
#include "simulate.h"
#include "thixis/sim_scene.h"

#include <unistd.h>

#include "base/hash.h"
#include "near.h"

#define FOLDER TX_SOURCE_DIR "/tests/data/texture/"

static tx_model *with_pictures(const char *path) {
    tx_diag diag = {0};
    tx_load_options options = tx_default_load_options();
    options.pictures = true;
    return must_have(tx_load_file_with(path, &options, &diag), &diag);
}

static tx_model *model_of(const char *text) {
    char path[] = "/tmp/thixis_test_texture_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    tx_model *m = with_pictures(path);
    remove(path);
    return m;
}

static tx_model *textures(void) { return with_pictures(FOLDER "textures.xml"); }

static json_t *theirs(void) {
    json_t *root = json_load_file(FOLDER "textures.json", 0, NULL);
    assert_non_null(root);
    return root;
}

static int ints(const tx_model *m, tx_model_int what, int i) { return tx_model_ints(m, what, NULL)[i]; }

static int texture_of(const tx_model *m, const char *geom) {
    int index = tx_element_find(m, TX_ELEMENT_GEOM, geom);
    assert_true(index >= 0);
    return ints(m, TX_INT_GEOM_TEXTURE, index);
}

static bool same_bytes(const tx_model *a, const tx_model *b) {
    size_t size, other;
    const void *bytes = tx_model_bytes(a, &size), *others = tx_model_bytes(b, &other);
    return size == other && memcmp(bytes, others, size) == 0;
}

// ---- the texels ----------------------------------------------------------------------------------------------------

// exactly; MuJoCo keeps the one picture of a cube that has the same on all sides once
static void texels_are_mujocos(void **state) {
    (void)state;
    tx_model *m = textures();
    json_t *root = theirs(), *value;
    const char *name;
    int compared = 0;
    json_object_foreach(json_object_get(root, "textures"), name, value) {
        const int t = texture_of(m, name);
        assert_true(t >= 0);
        const int width = (int)json_integer_value(json_object_get(value, "width"));
        const int rows = (int)json_integer_value(json_object_get(value, "height"));
        const int sides = ints(m, TX_INT_TEX_CUBE, t) ? 6 : 1;
        assert_int_equal(ints(m, TX_INT_TEX_CUBE, t), strncmp(name, "cube", 4) == 0 || strcmp(name, "sky") == 0);
        assert_int_equal(ints(m, TX_INT_TEX_WIDTH, t), width);
        const int ours = ints(m, TX_INT_TEX_HEIGHT, t) * sides, *texel = tx_model_ints(m, TX_INT_TEX_DATA, NULL);
        assert_true(ours == rows || ours == 6 * rows);
        texel += ints(m, TX_INT_TEX_ADR, t);
        const char *expected = json_string_value(json_object_get(value, "texels"));
        assert_int_equal((int)strlen(expected), 6 * width * rows);
        for (int i = 0; i < ours * width; i++) {
            char word[8];
            snprintf(word, sizeof word, "%06X", (unsigned)texel[i]);
            if (memcmp(word, expected + 6 * (i % (rows * width)), 6) != 0)
                fail_msg("%s: texel %d is %s, not %.6s", name, i, word, expected + 6 * (i % (rows * width)));
        }
        compared++;
    }
    assert_int_equal(compared, 18);
    assert_int_equal(texture_of(m, "plain"), -1);
    json_decref(root);
    tx_model_destroy(m);
}

// what MuJoCo draws at random is drawn elsewhere here; how much of it there is, is the same
static void random_marks_are_as_many_as_asked_for(void **state) {
    (void)state;
    tx_model *m =
        model_of("<mujoco><asset><texture name='t' type='2d' builtin='flat' width='64' height='64' rgb1='0 0 0'"
                 " mark='random' markrgb='1 1 1' random='.25'/><material name='m' texture='t'/></asset>"
                 "<worldbody><geom size='1' material='m'/></worldbody></mujoco>");
    const int *texel = tx_model_ints(m, TX_INT_TEX_DATA, NULL);
    int marked = 0;
    for (int i = 0; i < 64 * 64; i++) {
        assert_true(texel[i] == 0 || texel[i] == 0xFFFFFF);
        marked += texel[i] != 0;
    }
    assert_true(marked > 0.22 * 64 * 64 && marked < 0.28 * 64 * 64);
    tx_model_destroy(m);
}

static void texture_coordinates_are_mujocos(void **state) {
    (void)state;
    tx_model *m = textures();
    json_t *root = theirs();
    const char *names[] = {"quad", "mirrored", "inline"};
    for (int i = 0; i < 3; i++) {
        const int mesh = tx_element_find(m, TX_ELEMENT_MESH, names[i]);
        const json_t *expected = json_object_get(json_object_get(root, "meshes"), names[i]);
        const int adr = ints(m, TX_INT_MESH_UVADR, mesh), count = 6 * ints(m, TX_INT_MESH_FACENUM, mesh);
        assert_true(adr >= 0);
        assert_int_equal((int)json_array_size(expected), count);
        const double *uv = tx_model_data_array(m, TX_DATA_MESH_UV, NULL) + 2 * adr;
        for (int k = 0; k < count; k++) assert_near(uv[k], number_at(expected, k), 1e-7);
    }
    // nothing lies on it by coordinates
    assert_int_equal(ints(m, TX_INT_MESH_UVADR, tx_element_find(m, TX_ELEMENT_MESH, "untouched")), -1);
    json_decref(root);
    tx_model_destroy(m);
}

// who does not draw does not pay for them: the model is the one that a file without textures gives
static void textures_are_read_only_for_pictures(void **state) {
    (void)state;
    tx_diag diag = {0};
    tx_model *m = must_have(tx_load_file(FOLDER "textures.xml", &diag), &diag);
    assert_int_equal(tx_model_size(m, TX_SIZE_NTEX), 0);
    assert_int_equal(tx_model_size(m, TX_SIZE_NMESHUV), 0);
    assert_int_equal(texture_of(m, "color"), -1);
    assert_int_equal(texture_of(m, "checker"), -1);
    tx_model_destroy(m);
}

// of MuJoCo's own files: coordinates of the vertices, not turned over
static void coordinates_of_msh_files_belong_to_vertices(void **state) {
    (void)state;
    static const float points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const float coords[8] = {0, 0, 1, 0, 0.25f, 0.5f, 0, 1};
    static const int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}, count[4] = {4, 0, 4, 4};
    char folder[] = "/tmp/thixis_test_texture_XXXXXX", path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.msh", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(count, sizeof count, 1, file), fwrite(points, sizeof points, 1, file);
    fwrite(coords, sizeof coords, 1, file), fwrite(faces, sizeof faces, 1, file);
    fclose(file);
    char text[600], model[100];
    snprintf(model, sizeof model, "%s/a.xml", folder);
    snprintf(text, sizeof text,
             "<mujoco><asset><texture name='t' type='2d' file='%s../hfield/color.png'/><material name='m' texture='t'/>"
             "<mesh name='a' file='a.msh'/></asset><worldbody><geom type='mesh' mesh='a' material='m'/></worldbody>"
             "</mujoco>",
             FOLDER);
    file = fopen(model, "w");
    fputs(text, file);
    fclose(file);
    tx_model *m = with_pictures(model);
    const double *uv = tx_model_data_array(m, TX_DATA_MESH_UV, NULL);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 2; k++) assert_near(uv[2 * i + k], (double)coords[2 * faces[i] + k], 0);
    tx_model_destroy(m);
    remove(path), remove(model), remove(folder);
}

// a geom's numbers, and all of a model's textures, stay in a file, in a builder and under another body
static void textures_outlive_files_builders_and_attaching(void **state) {
    (void)state;
    tx_model *m = textures(), *again;
    const double *repeat = tx_model_data_array(m, TX_DATA_GEOM_TEXREPEAT, NULL);
    assert_near(repeat[0], 2, 0), assert_near(repeat[1], 3, 0), assert_near(repeat[2], 1, 0);
    assert_int_equal(ints(m, TX_INT_GEOM_TEXUNIFORM, 0), 1);
    assert_int_equal(ints(m, TX_INT_GEOM_TEXUNIFORM, tx_element_find(m, TX_ELEMENT_GEOM, "checkeredge")), 0);

    char path[] = "/tmp/thixis_test_texture_XXXXXX";
    assert_true(mkstemp(path) >= 0);
    tx_diag diag = {0};
    assert_int_equal(tx_model_write(m, path), TX_OK);
    again = must_have(tx_model_read(path, &diag), &diag);
    assert_true(same_bytes(m, again));
    tx_model_destroy(again);
    remove(path);

    tx_builder *b = tx_builder_from_model(m), *two = tx_builder_create();
    assert_non_null(b);
    again = must_have(tx_builder_compile(b, &diag), &diag);
    assert_true(same_bytes(m, again));
    tx_model_destroy(again);

    assert_true(tx_builder_attach(two, 0, b, "a_", NULL, NULL) >= 0);
    assert_true(tx_builder_attach(two, 0, b, "b_", NULL, NULL) >= 0);
    again = must_have(tx_builder_compile(two, &diag), &diag);
    const int count = tx_model_size(m, TX_SIZE_NTEX);
    assert_int_equal(tx_model_size(again, TX_SIZE_NTEX), 2 * count);
    assert_int_equal(texture_of(again, "a_color"), texture_of(m, "color"));
    assert_int_equal(texture_of(again, "b_color"), texture_of(m, "color") + count);
    assert_int_equal(texture_of(again, "b_plain"), -1);
    tx_model_destroy(again), tx_model_destroy(m);
    tx_builder_destroy(b), tx_builder_destroy(two);
}

static void wrong_textures_are_refused(void **state) {
    (void)state;
    static const int texels[6] = {0};
    tx_builder *b = tx_builder_create();
    const tx_texture_def good = {.width = 1, .height = 1, .texels = texels};
    tx_texture_def d = good;
    d.width = 0, assert_int_equal(tx_builder_texture(b, &d), -1);
    d = good, d.width = TX_TEXTURE_EDGE + 1, assert_int_equal(tx_builder_texture(b, &d), -1);
    d = good, d.height = 0, assert_int_equal(tx_builder_texture(b, &d), -1);
    d = good, d.height = TX_TEXTURE_EDGE + 1, assert_int_equal(tx_builder_texture(b, &d), -1);
    d = good, d.cube = true, d.height = 2, assert_int_equal(tx_builder_texture(b, &d), -1);
    d = good, d.texels = NULL, assert_int_equal(tx_builder_texture(b, &d), -1);
    d = good, d.cube = true, assert_int_equal(tx_builder_texture(b, &d), 0);
    assert_int_equal(tx_builder_texture(b, &good), 1);

    // of geoms: one that is not there, numbers that are none
    for (int i = 0; i < 4; i++) {
        tx_geom_def g = tx_default_geom_def();
        g.size[0] = 1, g.texture = i == 0 ? 2 : i == 1 ? -2 : 1;
        if (i == 2) g.texrepeat[1] = NAN;
        tx_builder *other = tx_builder_create();
        for (int k = 0; k < 2; k++) tx_builder_texture(other, &good);
        tx_builder_geom(other, 0, &g);
        tx_diag diag = {0};
        tx_model *m = tx_builder_compile(other, &diag);
        assert_true((m != NULL) == (i == 3));
        assert_int_equal(diag.errors, i < 3);
        if (i < 2) assert_non_null(strstr(diag.messages[0].text, "there is no texture"));
        tx_diag_free(&diag);
        tx_model_destroy(m);
        tx_builder_destroy(other);
    }
    tx_builder_destroy(b);
}

// compiled models whose textures or rays do not fit into their arrays, with a right checksum
static void forged_models_are_refused(void **state) {
    (void)state;
    enum { HASH_AT = 24, SIZES_AT = 32 };
    static const struct {
        tx_model_int field;
        int from_end, add; // which entry
        const char *why;
    } cases[] = {
        {TX_INT_TEX_ADR, 1, 1, "tex_adr"},
        {TX_INT_TEX_WIDTH, 1, 1, "tex_adr"},
        {TX_INT_TEX_HEIGHT, 1, 1, "tex_adr"},
        {TX_INT_TEX_WIDTH, 18, 5000, "tex_width"},
        {TX_INT_TEX_CUBE, 18, 1, "tex_width"},
        {TX_INT_TEX_DATA, 1, 1 << 24, "tex_data"},
        {TX_INT_MESH_UVADR, 2, 1, "mesh_uvadr"},
        {TX_INT_MESH_UVADR, 2, 1000, "mesh_uvadr"},
        {TX_INT_GEOM_TEXTURE, 1, 19, "geom_texture"},
    };
    tx_model *m = textures();
    size_t size;
    const char *good = tx_model_bytes(m, &size);
    char *bytes = malloc(size);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int count;
        const int *field = tx_model_ints(m, cases[i].field, &count), *at = field + count - cases[i].from_end;
        const int wrong = *at + cases[i].add;
        memcpy(bytes, good, size);
        memcpy(bytes + ((const char *)at - good), &wrong, sizeof wrong);
        uint64_t hash = tx_hash(TX_HASH_START, bytes + SIZES_AT, size - SIZES_AT);
        memcpy(bytes + HASH_AT, &hash, sizeof hash);
        tx_diag diag = {0};
        tx_model *forged = tx_model_from_bytes(bytes, size, &diag);
        if (forged) fail_msg("case %d is believed", (int)i);
        if (!strstr(diag.messages[0].text, cases[i].why) &&
            !(diag.messages[0].hint && strstr(diag.messages[0].hint, cases[i].why)))
            fail_msg("case %d: %s", (int)i, diag.messages[0].text);
        tx_diag_free(&diag);
    }
    free(bytes);
    tx_model_destroy(m);
}

// ---- the pictures --------------------------------------------------------------------------------------------------

enum { RED = 0xFF0000, GREEN = 0x00FF00, BLUE = 0x0000FF, WHITE = 0xFFFFFF, EDGE = 120 };

// which of red, green and blue a pixel is: a letter, 'w' none of them
static char hue(const tx_image *image, int x, int y) {
    const unsigned char *p = image->rgb + 3 * (y * image->width + x);
    for (int k = 0; k < 3; k++)
        if (p[k] > 2 * p[(k + 1) % 3] && p[k] > 2 * p[(k + 2) % 3]) return "rgb"[k];
    return 'w';
}

static tx_image look(const tx_scene *scene, double azimuth, double elevation) {
    tx_camera camera = {
        .distance = 6, .azimuth = azimuth * TX_DEGREE, .elevation = elevation * TX_DEGREE, .fovy = 25 * TX_DEGREE};
    tx_image image;
    assert_int_equal(tx_image_alloc(&image, EDGE, EDGE), TX_OK);
    assert_int_equal(tx_scene_render(scene, &camera, &image), TX_OK);
    return image;
}

// the four quarters of a shape: from the left above, seen with x to the right and the other axis up; the texture has a
// colour in each quarter of a side
static void expect_quarters(const tx_draw *draw, double azimuth, double elevation, const int *texels, bool cube,
                            const char *quarters) {
    enum { FINE = 16 };
    int large[6 * FINE * FINE];
    for (int i = 0; i < (cube ? 6 : 1) * FINE * FINE; i++) {
        const int side = i / (FINE * FINE), row = i / FINE % FINE, column = i % FINE;
        large[i] = texels[4 * side + 2 * (row / (FINE / 2)) + column / (FINE / 2)];
    }
    tx_scene *scene = tx_scene_create();
    tx_draw d = *draw;
    d.texture = tx_scene_add_texture(scene, FINE, FINE, cube, large);
    assert_int_equal(d.texture, 1);
    for (int k = 0; k < 4; k++) d.rgba[k] = 1;
    assert_int_equal(tx_scene_add_draw(scene, &d), TX_OK);
    assert_int_equal(tx_scene_skipped(scene), 0);
    tx_image image = look(scene, azimuth, elevation);
    const int step = EDGE / 8, middle = EDGE / 2;
    char seen[5] = {hue(&image, middle - step, middle - step), hue(&image, middle + step, middle - step),
                    hue(&image, middle - step, middle + step), hue(&image, middle + step, middle + step), 0};
    tx_image_free(&image);
    tx_scene_destroy(scene);
    assert_string_equal(seen, quarters);
}

static const int QUARTERS[4] = {RED, GREEN, BLUE, WHITE};

static tx_draw shape(tx_draw_kind kind, double x, double y, double z) {
    tx_draw d = tx_default_draw(kind);
    d.size[0] = x, d.size[1] = y, d.size[2] = z;
    return d;
}

// looking along an axis: az 90, el -90 has x to the right and y up
static void flat_pictures_lie_upright_on_every_shape(void **state) {
    (void)state;
    tx_draw plane = shape(TX_DRAW_PLANE, 1, 1, 0), box = shape(TX_DRAW_BOX, 1, 1, 1);
    expect_quarters(&plane, 90, -89.9, QUARTERS, false, "rgbw");
    // on a box each side is upright, its underside as seen from below with x to the right
    expect_quarters(&box, 90, -89.9, QUARTERS, false, "rgbw");
    for (int side = 0; side < 4; side++) expect_quarters(&box, 90 * side, 0, QUARTERS, false, "rgbw");
    expect_quarters(&box, 90, 89.9, QUARTERS, false, "rgbw");
    // once over the size, or once over two metres
    tx_draw small = shape(TX_DRAW_PLANE, 2, 2, 0);
    small.texrepeat[0] = 2;
    expect_quarters(&small, 90, -89.9, QUARTERS, false, "grwb");
    small = shape(TX_DRAW_PLANE, 2, 2, 0), small.texuniform = true, small.texrepeat[0] = small.texrepeat[1] = 0.5;
    expect_quarters(&small, 90, -89.9, QUARTERS, false, "rgbw");
    // without a size it begins half a picture beside the middle
    tx_draw endless = shape(TX_DRAW_PLANE, 0, 0, 0);
    expect_quarters(&endless, 90, -89.9, QUARTERS, false, "rgbw");
    // unrolled: half of a turn from +x is the middle of the picture
    tx_draw ball = shape(TX_DRAW_SPHERE, 1, 0, 0), can = shape(TX_DRAW_CYLINDER, 1, 1, 0);
    tx_draw egg = shape(TX_DRAW_ELLIPSOID, 1, 0.9, 1.1), pill = shape(TX_DRAW_CAPSULE, 0.9, 1, 0);
    expect_quarters(&ball, 0, 0, QUARTERS, false, "rgbw");
    expect_quarters(&egg, 0, 0, QUARTERS, false, "rgbw");
    expect_quarters(&can, 0, 0, QUARTERS, false, "rgbw");
    expect_quarters(&pill, 0, 0, QUARTERS, false, "rgbw");
    // the end of a cylinder: not turned over, so upside down
    expect_quarters(&can, 90, -89.9, QUARTERS, false, "bwrg");
}

// a cap of a capsule has the picture once more, from its pole to its rim
static void caps_of_capsules_have_it_again(void **state) {
    (void)state;
    static const int halves[4] = {RED, RED, BLUE, BLUE};
    tx_draw pill = shape(TX_DRAW_CAPSULE, 1, 0.01, 0);
    expect_quarters(&pill, 0, 0, halves, false, "bbrr");
}

// right, left, up, down, front, back of a cube are +x, -x, +y, -y, +z, -z
static void cubes_are_seen_from_outside(void **state) {
    (void)state;
    int sides[24];
    static const int colours[6] = {RED, GREEN, BLUE, RED, GREEN, BLUE};
    for (int i = 0; i < 24; i++) sides[i] = colours[i / 4];
    tx_draw box = shape(TX_DRAW_BOX, 1, 1, 1), ball = shape(TX_DRAW_SPHERE, 1, 0, 0);
    for (int round = 0; round < 2; round++) {
        const tx_draw *d = round ? &ball : &box;
        expect_quarters(d, 180, 0, sides, true, "rrrr");
        expect_quarters(d, 0, 0, sides, true, "gggg");
        expect_quarters(d, 270, 0, sides, true, "bbbb");
        expect_quarters(d, 90, 0, sides, true, "rrrr");
        expect_quarters(d, 90, -89.9, sides, true, "gggg");
        expect_quarters(d, 90, 89.9, sides, true, "bbbb");
    }
    // on the side in front x is to the right and y up
    for (int i = 0; i < 24; i++) sides[i] = QUARTERS[i % 4];
    expect_quarters(&box, 90, -89.9, sides, true, "rgbw");
    // stretched to a unit first, a long box has its end over all of a side
    tx_draw rod = shape(TX_DRAW_BOX, 1, 1, 30);
    for (int i = 0; i < 24; i++) sides[i] = colours[i / 4];
    rod.texuniform = true, rod.pos[2] = -30;
    expect_quarters(&rod, 90, -89.9, sides, true, "gggg");
    rod.pos[2] = 0;
    expect_quarters(&rod, 180, 0, sides, true, "rrrr");
}

static void meshes_have_it_by_their_coordinates(void **state) {
    (void)state;
    static const double vertices[12] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
    static const int faces[6] = {0, 1, 2, 0, 2, 3};
    static const double upright[12] = {0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0};
    double turned[12];
    for (int i = 0; i < 6; i++) turned[2 * i] = 1 - upright[2 * i], turned[2 * i + 1] = 1 - upright[2 * i + 1];
    tx_draw mesh = tx_default_draw(TX_DRAW_MESH);
    mesh.vertices = vertices, mesh.vertex_count = 4, mesh.faces = faces, mesh.face_count = 2;
    mesh.texcoords = upright;
    expect_quarters(&mesh, 90, -89.9, QUARTERS, false, "rgbw");
    mesh.texcoords = turned;
    expect_quarters(&mesh, 90, -89.9, QUARTERS, false, "wbgr");
    // without any it is seen along z
    mesh.texcoords = NULL, mesh.size[0] = mesh.size[1] = 1;
    expect_quarters(&mesh, 90, -89.9, QUARTERS, false, "rgbw");
    // a number that is none makes it a shape that cannot be drawn
    turned[3] = INFINITY, mesh.texcoords = turned;
    tx_scene *scene = tx_scene_create();
    assert_int_equal(tx_scene_add_draw(scene, &mesh), TX_OK);
    assert_int_equal(tx_scene_skipped(scene), 1);
    mesh.texcoords = NULL, mesh.texrepeat[0] = NAN;
    assert_int_equal(tx_scene_add_draw(scene, &mesh), TX_OK);
    assert_int_equal(tx_scene_skipped(scene), 2);
    tx_scene_destroy(scene);
}

// what is finer than the pixels is their mean as light, not one of the two colours
static void fine_pictures_are_averaged(void **state) {
    (void)state;
    int fine[64 * 64];
    for (int i = 0; i < 64 * 64; i++) fine[i] = (i + i / 64) % 2 ? WHITE : 0;
    const int black[1] = {0}, white[1] = {WHITE};
    int level[3];
    for (int k = 0; k < 3; k++) {
        tx_scene *scene = tx_scene_create();
        tx_draw plane = shape(TX_DRAW_PLANE, 1, 1, 0);
        plane.texture = tx_scene_add_texture(scene, k == 0 ? 64 : 1, k == 0 ? 64 : 1, false,
                                             k == 0   ? fine
                                             : k == 1 ? black
                                                      : white);
        for (int c = 0; c < 4; c++) plane.rgba[c] = 1;
        plane.texrepeat[0] = plane.texrepeat[1] = 20;
        assert_int_equal(tx_scene_add_draw(scene, &plane), TX_OK);
        tx_image image = look(scene, 90, -89.9);
        int low = 255, high = 0;
        for (int y = EDGE / 2 - 8; y < EDGE / 2 + 8; y++)
            for (int x = EDGE / 2 - 8; x < EDGE / 2 + 8; x++) {
                const int v = image.rgb[3 * (y * EDGE + x) + 1];
                low = v < low ? v : low, high = v > high ? v : high;
            }
        assert_true(high - low <= 4);
        level[k] = low;
        tx_image_free(&image), tx_scene_destroy(scene);
    }
    // half of the light is more than half of the byte
    assert_true(level[1] < 30 && level[2] > 200);
    assert_true(level[0] > 0.6 * level[2] && level[0] < 0.85 * level[2]);
}

static void scenes_keep_their_textures_until_cleared(void **state) {
    (void)state;
    tx_scene *scene = tx_scene_create();
    assert_int_equal(tx_scene_add_texture(NULL, 2, 2, false, QUARTERS), 0);
    assert_int_equal(tx_scene_add_texture(scene, 2, 2, false, NULL), 0);
    assert_int_equal(tx_scene_add_texture(scene, 0, 2, false, QUARTERS), 0);
    assert_int_equal(tx_scene_add_texture(scene, 2, TX_IMAGE_MAX + 1, false, QUARTERS), 0);
    assert_int_equal(tx_scene_add_texture(scene, 4, 1, true, QUARTERS), 0);
    assert_int_equal(tx_scene_add_texture(scene, 4, 1, false, QUARTERS), 1);
    assert_int_equal(tx_scene_add_texture(scene, 1, 4, false, QUARTERS), 2);
    // a number that stands for none is none
    tx_draw plane = shape(TX_DRAW_PLANE, 1, 1, 0);
    plane.texture = 3, plane.rgba[0] = 1, plane.rgba[1] = plane.rgba[2] = 0;
    assert_int_equal(tx_scene_add_draw(scene, &plane), TX_OK);
    tx_image image = look(scene, 90, -89.9);
    assert_int_equal(hue(&image, EDGE / 2, EDGE / 2), 'r');
    tx_image_free(&image);
    tx_scene_clear(scene);
    assert_int_equal(tx_scene_add_texture(scene, 2, 2, false, QUARTERS), 1);
    tx_scene_destroy(scene);
}

// a simulation brings the textures of its geoms, each once
static void simulations_bring_their_textures(void **state) {
    (void)state;
    tx_model *m = model_of("<mujoco><asset><texture name='t' builtin='flat' width='1' rgb1='1 0 0' rgb2='0 0 1'/>"
                           "<texture name='f' type='2d' builtin='flat' width='1' height='1' rgb1='0 1 0'/>"
                           "<material name='m' texture='t'/><material name='n' texture='f'/></asset><worldbody>"
                           "<geom type='box' size='.5 .5 .5' pos='-.6 0 0' material='m'/>"
                           "<geom type='box' size='.5 .5 .5' pos='.6 0 0' material='n'/>"
                           "<geom type='box' size='.5 .5 .5' pos='.6 1.1 0' material='m'/></worldbody></mujoco>");
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    tx_scene *scene = tx_scene_create();
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    assert_int_equal(tx_scene_add_sim(scene, sim, 0, NULL, NULL), TX_OK);
    tx_image image = look(scene, 90, -89.9);
    assert_int_equal(hue(&image, EDGE / 2 - EDGE / 5, EDGE / 2), 'r');
    assert_int_equal(hue(&image, EDGE / 2 + EDGE / 5, EDGE / 2), 'g');
    assert_int_equal(hue(&image, EDGE / 2 + EDGE / 5, EDGE / 2 - EDGE / 3), 'r');
    // two are there, so the next one is the third
    assert_int_equal(tx_scene_add_texture(scene, 1, 1, false, QUARTERS), 3);
    tx_image_free(&image);
    tx_scene_destroy(scene), tx_sim_destroy(sim), tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texels_are_mujocos),
        cmocka_unit_test(random_marks_are_as_many_as_asked_for),
        cmocka_unit_test(texture_coordinates_are_mujocos),
        cmocka_unit_test(textures_are_read_only_for_pictures),
        cmocka_unit_test(coordinates_of_msh_files_belong_to_vertices),
        cmocka_unit_test(textures_outlive_files_builders_and_attaching),
        cmocka_unit_test(wrong_textures_are_refused),
        cmocka_unit_test(forged_models_are_refused),
        cmocka_unit_test(flat_pictures_lie_upright_on_every_shape),
        cmocka_unit_test(caps_of_capsules_have_it_again),
        cmocka_unit_test(cubes_are_seen_from_outside),
        cmocka_unit_test(meshes_have_it_by_their_coordinates),
        cmocka_unit_test(fine_pictures_are_averaged),
        cmocka_unit_test(scenes_keep_their_textures_until_cleared),
        cmocka_unit_test(simulations_bring_their_textures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
