// test_sdf.c - signed distance fields: against exact distances, imperfect meshes, gradients, the cache, contact.
#include "reference.h"

#include <dirent.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "collide/asset.h"
#include "compile/sdf_cache.h"
#include "geometry/quat.h"
#include "geometry/sdf.h"
#include "geometry/triangles.h"
#include "geometry/vec3.h"
#include "non_finite.h"
#include "random.h"
#include "sanitized.h"

static const double PI = 3.14159265358979323846;

static double uniform(uint64_t *seed) { return random_between(seed, 0, 1); }

// ---- surfaces ------------------------------------------------------------------------------------------------------

enum { MOST = 1 << 15 };
typedef struct surface {
    double vertex[3 * MOST];
    int face[3 * MOST], vertices, faces;
} surface;

static void add_face(surface *s, int a, int b, int c) {
    int *f = s->face + 3 * s->faces++;
    f[0] = a, f[1] = b, f[2] = c;
}

// a closed profile (radius, height) of n points, counter-clockwise seen with the axis to its left, turned about z
static void revolve(surface *s, const double (*profile)[2], int n, int segments) {
    *s = (surface){0};
    for (int j = 0; j < segments; j++)
        for (int i = 0; i < n; i++) {
            double *v = s->vertex + 3 * s->vertices++, angle = 2 * PI * j / segments;
            v3_set(v, profile[i][0] * cos(angle), profile[i][0] * sin(angle), profile[i][1]);
        }
    for (int j = 0; j < segments; j++)
        for (int i = 0; i < n; i++) {
            int a = j * n + i, b = j * n + (i + 1) % n, c = (j + 1) % segments * n + i,
                d = (j + 1) % segments * n + (i + 1) % n;
            add_face(s, a, c, d);
            add_face(s, a, d, b);
        }
}

static void make_torus(surface *s, double large, double small, int segments) {
    const int around = segments / 2;
    double profile[64][2];
    for (int i = 0; i < around; i++) {
        profile[i][0] = large + small * cos(2 * PI * i / around);
        profile[i][1] = small * sin(2 * PI * i / around);
    }
    revolve(s, profile, around, segments);
}

static void make_ball(surface *s, double radius, int rings) {
    *s = (surface){0};
    const int segments = 2 * rings;
    for (int i = 1; i < rings; i++)
        for (int j = 0; j < segments; j++) {
            double a = PI * i / rings, b = 2 * PI * j / segments;
            v3_set(s->vertex + 3 * s->vertices++, radius * sin(a) * cos(b), radius * sin(a) * sin(b), radius * cos(a));
        }
    int north = s->vertices++, south = s->vertices++;
    v3_set(s->vertex + 3 * north, 0, 0, radius);
    v3_set(s->vertex + 3 * south, 0, 0, -radius);
    for (int j = 0; j < segments; j++) {
        int next = (j + 1) % segments, last = (rings - 2) * segments;
        add_face(s, north, j, next);
        add_face(s, south, last + next, last + j);
        for (int i = 0; i < rings - 2; i++) {
            int a = i * segments + j, b = i * segments + next;
            add_face(s, a, a + segments, b + segments);
            add_face(s, a, b + segments, b);
        }
    }
}

static void make_box(surface *s, const double half[3]) {
    static const int FACES[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    *s = (surface){.vertices = 8};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) s->vertex[3 * i + k] = i >> k & 1 ? half[k] : -half[k];
    for (int i = 0; i < 12; i++) add_face(s, FACES[i][0], FACES[i][1], FACES[i][2]);
}

static double box_distance(const double p[3], const double half[3]) {
    double out[3], most = -INFINITY;
    for (int k = 0; k < 3; k++) {
        double d = fabs(p[k]) - half[k];
        most = fmax(most, d);
        out[k] = fmax(d, 0);
    }
    return most > 0 ? v3_length(out) : most;
}

static bool bake(tx_sdf *sdf, const surface *s, double cell) {
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    bool good = tx_sdf_bake(sdf, s->vertex, s->vertices, s->face, s->faces, cell);
    clock_gettime(CLOCK_MONOTONIC, &to);
    double seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    int points = sdf->n[0] * sdf->n[1] * sdf->n[2];
    printf("%d triangles, %d points, cell %.3g mm: baked in %.3f s, %.2f us a point\n", s->faces, points,
           1e3 * sdf->cell, seconds, 1e6 * seconds / points);
    return good;
}

// ---- fields --------------------------------------------------------------------------------------------------------

// grid points hold the exact distance; between them it is off by at most half a cell diagonal, on a flat side by
// nothing, on a curved one by about cell² / (8 radius) · 3
static void boxes_are_exact(void **state) {
    static surface s;
    const double half[3] = {0.1, 0.07, 0.05};
    make_box(&s, half);
    assert_true(tx_triangle_tree_closed(s.face, s.faces));
    tx_sdf sdf;
    assert_true(bake(&sdf, &s, 0));
    assert_true(fabs(sdf.cell - 0.1 / 31) < 1e-12);
    double worst = 0, between = 0, flat = 0;
    uint64_t seed = 1;
    for (int z = 0, i = 0; z < sdf.n[2]; z++)
        for (int y = 0; y < sdf.n[1]; y++)
            for (int x = 0; x < sdf.n[0]; x++, i++) {
                double p[3] = {sdf.low[0] + x * sdf.cell, sdf.low[1] + y * sdf.cell, sdf.low[2] + z * sdf.cell};
                worst = fmax(worst, fabs(sdf.value[i] - box_distance(p, half)));
            }
    for (int n = 0; n < 100000; n++) {
        double p[3], gradient[3];
        for (int k = 0; k < 3; k++) p[k] = (half[k] + 2 * sdf.cell) * (2 * uniform(&seed) - 1);
        between = fmax(between, fabs(tx_sdf_value(&sdf, p, NULL) - box_distance(p, half)));
        // near the middle of the upper side
        double q[3] = {0.5 * p[0], 0.5 * p[1], half[2] + 2 * sdf.cell * (uniform(&seed) - 0.5)};
        flat = fmax(flat, fabs(tx_sdf_value(&sdf, q, gradient) - (q[2] - half[2])));
        flat = fmax(flat, fabs(gradient[2] - 1) + fabs(gradient[0]) + fabs(gradient[1]));
    }
    printf("box: grid points %.2g m, between them %.2g cells, flat sides %.2g\n", worst, between / sdf.cell, flat);
    assert_true(worst < 1e-12);
    assert_true(between < 0.5 * sqrt(3) * sdf.cell);
    assert_true(flat < 1e-10);
    tx_free((void *)sdf.value);
}

static void round_surfaces_are_near(void **state) {
    static surface s;
    uint64_t seed = 2;
    tx_sdf sdf;
    double worst = 0, turn = 0;
    make_ball(&s, 0.1, 48);
    assert_true(bake(&sdf, &s, 0));
    // the mesh itself is inside the ball by up to r (1 - cos(pi / 96)) in both directions
    double chord = 0.1 * (1 - cos(PI / 96) * cos(PI / 96)), allowed = chord + 3 * sdf.cell * sdf.cell / (8 * 0.08);
    for (int n = 0; n < 100000; n++) {
        double p[3], gradient[3], r = 0.08 + 0.03 * uniform(&seed);
        for (int k = 0; k < 3; k++) p[k] = uniform(&seed) - 0.5;
        v3_normalise(p);
        double direction[3] = {p[0], p[1], p[2]};
        v3_scale(p, p, r);
        worst = fmax(worst, fabs(tx_sdf_value(&sdf, p, gradient) - (r - 0.1)));
        turn = fmax(turn, acos(fmin(1, v3_dot(gradient, direction) / v3_length(gradient))));
    }
    printf("ball: %.2g mm off, %.2g allowed; gradient turned by at most %.2g degrees\n", 1e3 * worst, 1e3 * allowed,
           180 / PI * turn);
    assert_true(worst < allowed);
    assert_true(turn < 3 * PI / 180);
    tx_free((void *)sdf.value);

    make_torus(&s, 0.1, 0.04, 96);
    assert_true(bake(&sdf, &s, 0.005));
    worst = 0;
    chord = 0.04 * (1 - cos(PI / 48)) + 0.14 * (1 - cos(PI / 96));
    allowed = chord + 3 * sdf.cell * sdf.cell / (8 * 0.03);
    for (int n = 0; n < 100000; n++) {
        double a = 2 * PI * uniform(&seed), b = 2 * PI * uniform(&seed), r = 0.03 + 0.015 * uniform(&seed);
        double p[3] = {(0.1 + r * cos(b)) * cos(a), (0.1 + r * cos(b)) * sin(a), r * sin(b)};
        worst = fmax(worst, fabs(tx_sdf_value(&sdf, p, NULL) - (r - 0.04)));
    }
    printf("torus: %.2g mm off, %.2g allowed\n", 1e3 * worst, 1e3 * allowed);
    assert_true(worst < allowed);
    tx_free((void *)sdf.value);
}

// the gradient is that of the interpolation: central differences inside a cell
static void gradients_are_derivatives(void **state) {
    static surface s;
    make_torus(&s, 0.1, 0.04, 64);
    tx_sdf sdf;
    assert_true(bake(&sdf, &s, 0.006));
    uint64_t seed = 3;
    double worst = 0;
    for (int n = 0; n < 20000; n++) {
        double p[3], gradient[3];
        const double h = 1e-7;
        for (int k = 0; k < 3; k++) {
            // not across a face of a cell; a sixth of the points beyond the grid
            double place = floor(uniform(&seed) * (sdf.n[k] - 1)) + 0.01 + 0.98 * uniform(&seed);
            p[k] = sdf.low[k] + sdf.cell * place + (n % 6 == 0 ? 0.3 * (uniform(&seed) - 0.5) : 0);
        }
        tx_sdf_value(&sdf, p, gradient);
        if (n % 6 == 0) continue;
        for (int k = 0; k < 3; k++) {
            double q[3] = {p[0], p[1], p[2]};
            q[k] = p[k] + h;
            double up = tx_sdf_value(&sdf, q, NULL);
            q[k] = p[k] - h;
            worst = fmax(worst, fabs((up - tx_sdf_value(&sdf, q, NULL)) / (2 * h) - gradient[k]));
        }
    }
    printf("gradients against differences: %.2g\n", worst);
    assert_true(worst < 1e-6);
    tx_free((void *)sdf.value);
}

// a hole, flipped faces and doubled ones: the sign stays right away from the damage
static void imperfect_meshes_have_an_inside(void **state) {
    static surface s;
    uint64_t seed = 4;
    for (int kind = 0; kind < 3; kind++) {
        make_ball(&s, 0.1, 24);
        if (kind == 0) s.faces -= 40; // a slit
        if (kind == 1)
            for (int i = 0; i < 3 * s.faces; i += 3) { // inside out
                int swap = s.face[i];
                s.face[i] = s.face[i + 1], s.face[i + 1] = swap;
            }
        if (kind == 2)
            for (int i = 0; i < 30; i++) add_face(&s, s.face[3 * i], s.face[3 * i + 2], s.face[3 * i + 1]);
        tx_sdf sdf;
        assert_true(bake(&sdf, &s, 0.01));
        for (int n = 0; n < 10000; n++) {
            double p[3], r = 0.11 * uniform(&seed);
            for (int k = 0; k < 3; k++) p[k] = uniform(&seed) - 0.5;
            v3_normalise(p);
            v3_scale(p, p, r);
            if (fabs(r - 0.1) < 0.012 || p[2] > 0.05 || p[1] * p[1] + p[0] * p[0] < 0.0004 ||
                (kind == 0 && p[0] > 0.05))
                continue;
            assert_true((tx_sdf_value(&sdf, p, NULL) < 0) == (r < 0.1));
        }
        tx_free((void *)sdf.value);
    }
}

// ---- the cache -----------------------------------------------------------------------------------------------------

static int count_files(const char *folder, char *path, size_t size) {
    DIR *dir = opendir(folder);
    int count = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, size, "%s/%s", folder, entry->d_name);
        count++;
    }
    if (dir) closedir(dir);
    return count;
}

static double stored_first(const surface *s) {
    tx_sdf sdf;
    assert_true(tx_sdf_bake_cached(&sdf, s->vertex, s->vertices, s->face, s->faces, 0.02));
    double first = sdf.value[0];
    tx_free((void *)sdf.value);
    return first;
}

// written once, read again, damaged: baked again; switched off: no file
static void cache_finds_and_heals(void **state) {
    static surface s;
    make_ball(&s, 0.1, 24);
    char folder[] = "/tmp/thixis_cache_XXXXXX", below[64], path[400];
    assert_non_null(mkdtemp(folder));
    snprintf(below, sizeof below, "%s/thixis", folder);
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("THIXIS_CACHE", "off", 1);
    double first = stored_first(&s);
    assert_int_equal(count_files(below, path, sizeof path), 0);
    unsetenv("THIXIS_CACHE");
    assert_true(stored_first(&s) == first);
    assert_int_equal(count_files(below, path, sizeof path), 1);

    // a value that was changed together with nothing else is noticed, so is a file that was cut
    for (int kind = 0; kind < 3; kind++) {
        struct stat before, after;
        assert_int_equal(stat(path, &before), 0);
        FILE *file = fopen(path, "r+b");
        fseek(file, kind == 0 ? 200 : 20, SEEK_SET);
        fputs("broken", file);
        fclose(file);
        if (kind == 2) assert_int_equal(truncate(path, 100), 0);
        assert_true(stored_first(&s) == first);
        assert_int_equal(stat(path, &after), 0);
        assert_true(before.st_size == after.st_size);
        assert_int_equal(count_files(below, path, sizeof path), 1);
    }
    // another surface is another file
    s.vertex[5] += 1e-3;
    stored_first(&s);
    assert_int_equal(count_files(below, path, sizeof path), 2);
    while (count_files(below, path, sizeof path)) remove(path);
    rmdir(below);
    rmdir(folder);
    setenv("THIXIS_CACHE", "off", 1);
}

// ---- contact -------------------------------------------------------------------------------------------------------

typedef struct solid {
    tx_asset asset;
    double size[3], pos[3], mat[9];
    tx_shape shape;
} solid;

static void make_solid(solid *o, const surface *s, double cell) {
    *o = (solid){.mat = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    assert_true(bake(&o->asset.sdf, s, cell));
    o->asset.vertex = s->vertex, o->asset.vertex_count = s->vertices;
    o->asset.surface = s->face, o->asset.surface_count = s->faces;
    for (int i = 0; i < 3 * s->vertices; i++) o->size[i % 3] = fmax(o->size[i % 3], fabs(s->vertex[i]));
    o->shape = (tx_shape){TX_GEOM_SDF, o->size, o->pos, o->mat, &o->asset};
}

static int collide(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    return tx_pair_function(a->type, b->type)(a, b, margin, hits);
}

// over the flat sides of a box its field gives the closed form's contacts
static void field_of_a_box_is_the_box(void **state) {
    static surface s;
    static solid o;
    const double half[3] = {0.1, 0.08, 0.06};
    make_box(&s, half);
    make_solid(&o, &s, 0);
    double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0}, worst = 0;
    tx_shape box = {TX_GEOM_BOX, half, origin, identity, NULL};
    uint64_t seed = 5;
    tx_hit ours[TX_MAX_HITS], theirs[TX_MAX_HITS];
    for (int n = 0; n < 2000; n++) {
        double radius = 0.02 + 0.03 * uniform(&seed), pos[3] = {0};
        int axis = n % 3;
        for (int k = 0; k < 3; k++) pos[k] = 0.8 * half[k] * (2 * uniform(&seed) - 1);
        pos[axis] = (n % 2 ? 1 : -1) * (half[axis] + radius * (0.9 + 0.09 * uniform(&seed)));
        tx_shape ball = {TX_GEOM_SPHERE, &radius, pos, identity, NULL};
        assert_int_equal(collide(&ball, &box, 0, theirs), 1);
        assert_int_equal(collide(&ball, &o.shape, 0, ours), 1);
        // beyond the grid the value is that of its border plus the way, exact over a flat side
        worst = fmax(worst, fabs(ours[0].dist - theirs[0].dist));
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(ours[0].normal[k] - theirs[0].normal[k]));
            worst = fmax(worst, fabs(ours[0].pos[k] - theirs[0].pos[k]));
        }
    }
    printf("ball on the field of a box against the box: %.2g\n", worst);
    assert_true(worst < 1e-10);

    // a box, a cylinder and a field lying on it: four points or more, straight, as deep as they are
    double small[3] = {0.04, 0.04, 0.03}, above[3] = {0.013, -0.007, 0.06 + 0.03 - 0.001};
    static surface cube;
    static solid other;
    make_box(&cube, small);
    make_solid(&other, &cube, 0);
    memcpy(other.pos, above, sizeof above);
    const tx_shape lying[] = {{TX_GEOM_BOX, small, above, identity, NULL},
                              {TX_GEOM_CYLINDER, (double[2]){0.04, 0.03}, above, identity, NULL},
                              other.shape};
    for (int i = 0; i < 3; i++) {
        bool first = lying[i].type <= TX_GEOM_SDF && i < 2;
        int count = first ? collide(&lying[i], &o.shape, 0, ours) : collide(&o.shape, &lying[i], 0, ours);
        double spread = 0;
        for (int k = 0; k < count; k++) {
            assert_true(fabs(ours[k].dist + 0.001) < 1e-9);
            assert_true(fabs(ours[k].normal[2] - (first ? -1 : 1)) < 1e-9);
            assert_true(fabs(ours[k].pos[2] - 0.0595) < 1e-9);
            for (int j = 0; j < k; j++)
                spread = fmax(spread, hypot(ours[k].pos[0] - ours[j].pos[0], ours[k].pos[1] - ours[j].pos[1]));
        }
        printf("%s on the field of a box: %d points, %.3g m apart\n", tx_shape_name(lying[i].type), count, spread);
        assert_true(count >= 4 && spread > 0.07);
    }
    // against a plane below
    double low[3] = {0, 0, 0.059};
    memcpy(o.pos, low, sizeof low);
    tx_shape plane = {TX_GEOM_PLANE, half, origin, identity, NULL};
    assert_int_equal(collide(&plane, &o.shape, 0, ours), 4);
    for (int k = 0; k < 4; k++) assert_true(fabs(ours[k].dist + 0.001) < 1e-12 && ours[k].normal[2] == 1);
    tx_free((void *)o.asset.sdf.value);
    tx_free((void *)other.asset.sdf.value);
}

// Shapes that touch the middle of a side, far from all corners of the mesh, turned together with it: a capsule along
// the side at both ends of what lies on it, and an ellipsoid where it is lowest
static void round_shapes_touch_flat_sides(void **state) {
    static surface s;
    static solid o;
    const double half[3] = {0.1, 0.08, 0.06}, radii[3] = {0.03, 0.05, 0.02}, capsule[2] = {0.02, 0.3};
    make_box(&s, half);
    make_solid(&o, &s, 0);
    uint64_t seed = 9;
    for (int n = 0; n < 40; n++) {
        tx_hit hits[TX_MAX_HITS];
        double up[3], along[3], mat[9], place[3], offset[3];
        random_turn(&seed, o.mat);
        m3_column(up, o.mat, 2), m3_column(along, o.mat, 0);
        for (int k = 0; k < 3; k++) o.pos[k] = random_between(&seed, -1, 1);
        // the capsule's axis along x of the box, 1 mm deep, beyond it on both sides
        for (int k = 0; k < 3; k++) mat[3 * k] = o.mat[3 * k + 1], mat[3 * k + 1] = up[k], mat[3 * k + 2] = along[k];
        v3_along(place, o.pos, up, half[2] + capsule[0] - 0.001);
        const tx_shape rod = {TX_GEOM_CAPSULE, capsule, place, mat, NULL};
        int count = collide(&rod, &o.shape, 0, hits);
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < count; i++) {
            v3_sub(offset, hits[i].pos, o.pos);
            low = fmin(low, v3_dot(offset, along)), high = fmax(high, v3_dot(offset, along));
            if (fabs(v3_dot(offset, along)) < 0.08) assert_true(fabs(hits[i].dist + 0.001) < 1e-6);
        }
        // samples are two cells apart
        assert_true(high > 0.1 - 3 * o.asset.sdf.cell && high < 0.12);
        assert_true(low < -0.1 + 3 * o.asset.sdf.cell && low > -0.12);

        // an ellipsoid turned anyhow reaches |(r_i eᵢᵀ up)| down
        double reach = 0;
        random_turn(&seed, mat);
        for (int k = 0; k < 3; k++) {
            double axis[3];
            m3_column(axis, mat, k);
            reach = hypot(reach, radii[k] * v3_dot(axis, up));
        }
        v3_along(place, o.pos, up, half[2] + reach - 0.001);
        const tx_shape egg = {TX_GEOM_ELLIPSOID, radii, place, mat, NULL};
        count = collide(&egg, &o.shape, 0, hits);
        double deepest = 0;
        for (int i = 0; i < count; i++) deepest = fmin(deepest, hits[i].dist);
        assert_true(count > 0 && fabs(deepest + 0.001) < 2e-5);
    }
    tx_free((void *)o.asset.sdf.value);
}

// a hole is a hole, and whatever is in the solid touches
static void torus_has_a_hole(void **state) {
    static surface s;
    static solid o;
    make_torus(&s, 0.1, 0.03, 64);
    make_solid(&o, &s, 0.004);
    double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, radius = 0.06, origin[3] = {0}, thin[2] = {0.05, 0.2};
    tx_hit hits[TX_MAX_HITS];
    tx_shape ball = {TX_GEOM_SPHERE, &radius, origin, identity, NULL},
             rod = {TX_GEOM_CAPSULE, thin, origin, identity, NULL};
    assert_int_equal(collide(&ball, &o.shape, 0, hits), 0);
    assert_int_equal(collide(&rod, &o.shape, 0, hits), 0);
    // a ball that is a little too large sits in the hole: contacts all around
    radius = 0.0715;
    int count = collide(&ball, &o.shape, 0, hits);
    double sum[3] = {0};
    for (int i = 0; i < count; i++) {
        assert_true(fabs(hits[i].dist + 0.0015) < 3e-4);
        v3_add(sum, sum, hits[i].normal);
    }
    printf("ball in the hole: %d points, normals add up to %.2g\n", count, v3_length(sum));
    assert_true(count >= 4 && v3_length(sum) < 0.5);

    uint64_t seed = 8;
    const int types[] = {TX_GEOM_SPHERE, TX_GEOM_CAPSULE, TX_GEOM_ELLIPSOID, TX_GEOM_CYLINDER, TX_GEOM_BOX};
    int touching = 0, missed = 0;
    for (int n = 0; n < 5000; n++) {
        double size[3], q[4], mat[9], pos[3], margin = n % 2 ? 0.005 : 0;
        for (int k = 0; k < 3; k++) size[k] = 0.004 + 0.05 * uniform(&seed), pos[k] = 0.3 * (uniform(&seed) - 0.5);
        for (int k = 0; k < 4; k++) q[k] = uniform(&seed) - 0.5;
        tx_quat_normalize(q);
        tx_quat_to_mat(q, mat);
        tx_shape shape = {types[n % 5], size, pos, mat, NULL};
        count = collide(&shape, &o.shape, margin, hits);
        assert_in_range(count, 0, TX_MAX_HITS);
        for (int i = 0; i < count; i++) {
            assert_true(isfinite(hits[i].dist) && hits[i].dist < margin && v_finite(hits[i].pos, 3));
            assert_true(fabs(v3_length(hits[i].normal) - 1) < 1e-9);
        }
        // the middle of the shape against the torus, in closed form
        double away = hypot(hypot(pos[0], pos[1]) - 0.1, pos[2]) - 0.03, inner = fmin(size[0], fmin(size[1], size[2]));
        bool must =
            (away < -0.003 && away > -0.02) || (away < inner - 0.004 && away > 0 && types[n % 5] != TX_GEOM_CAPSULE);
        if (must && !count)
            printf("%s %g %g %g at %g %g %g away %g\n", tx_shape_name(types[n % 5]), size[0], size[1], size[2], pos[0],
                   pos[1], pos[2], away);
        missed += must && !count;
        if (away > v3_length(size) + size[0] + margin + 0.002) assert_int_equal(count, 0);
        touching += count > 0;
    }
    printf("%d of 5000 shapes touch the torus\n", touching);
    assert_int_equal(missed, 0);
    tx_free((void *)o.asset.sdf.value);
}

static void non_finite_numbers_give_no_hits(void **state) {
    static surface s;
    static solid o;
    static const double cube[24] = {-.05, -.05, -.05, .05, -.05, -.05, -.05, .05, -.05, .05, .05, -.05,
                                    -.05, -.05, .05,  .05, -.05, .05,  -.05, .05, .05,  .05, .05, .05};
    static const int corners[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const int faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    const tx_asset mesh = {.vertex = cube, .corner = corners, .corner_count = 8, .face = faces, .face_count = 12};
    make_torus(&s, 0.1, 0.03, 32);
    make_solid(&o, &s, 0.006);
    for (int k = 0; k < 3; k++) {
        double place[3] = {0.1, 0, 0}, gradient[3];
        place[k] = NAN;
        assert_true(isnan(tx_sdf_value(&o.asset.sdf, place, gradient)));
    }
    check_non_finite(&o.shape, &mesh, (double[]){0.11, 0.01, 0.01});
    tx_free((void *)o.asset.sdf.value);
}

// on flat ground a mesh of any form touches as on the plane; on a spike the spike touches it
static void field_lies_on_ground(void **state) {
    static surface s;
    static solid o;
    static double heights[21 * 21], size[4] = {0.5, 0.5, 1, 0.2}, origin[3] = {0};
    double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double half[3] = {0.1, 0.08, 0.06};
    make_box(&s, half);
    make_solid(&o, &s, 0);
    for (int i = 0; i < 21 * 21; i++) heights[i] = 0.25;
    tx_asset ground = {.heights = {21, 21, size, heights}};
    tx_shape field = {TX_GEOM_HFIELD, size, origin, identity, &ground};
    v3_set(o.pos, 0.013, 0.02, 0.25 + 0.06 - 0.001);
    tx_hit hits[TX_MAX_HITS];
    int count = collide(&field, &o.shape, 0, hits);
    assert_true(count >= 4);
    for (int i = 0; i < count; i++)
        assert_true(fabs(hits[i].dist + 0.001) < 1e-9 && fabs(hits[i].normal[2] - 1) < 1e-9);
    heights[10 * 21 + 10] = 0.5;
    v3_set(o.pos, 0.013, 0.02, 0.5 + 0.06 - 0.001);
    assert_int_equal(collide(&field, &o.shape, 0, hits), 1);
    assert_true(fabs(hits[0].dist + 0.001) < 1e-9 && fabs(hits[0].normal[2] - 1) < 1e-9);
    tx_free((void *)o.asset.sdf.value);
}

// ---- motion --------------------------------------------------------------------------------------------------------

// B5: the bowl holds twenty balls for ten seconds; then they are slow, and nothing is pressed in by more than 1 % of
// the radius. The default stiffness of lagged, that of soft at its largest impedance, lets the lowest balls in by 1.9 %
static void bowl_holds(const tx_model *m, const char *law, double stiffness, int late) {
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    tx_options o = tx_sim_options(sim);
    for (o.law = 0; strcmp(tx_law_name(o.law), law) != 0; o.law++) assert_non_null(tx_law_name(o.law + 1));
    o.stiffness = stiffness;
    if (!tx_solver_solves(o.solver, o.law)) o.solver = tx_law_solver(o.law);
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    assert_int_equal(tx_sim_step_n(sim, 2000), TX_OK);
    const double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    double fastest = 0;
    for (int i = 0; i < 20; i++) {
        assert_true(v3_length(q + 7 * i) < 0.2 - 0.03 + 3e-4 && q[7 * i + 2] < 0);
        fastest = fmax(fastest, v3_length(v + 6 * i));
    }
    const tx_violations now = tx_sim_violations(sim, 0);
    printf("bowl after 10 s, %s: %d contacts, fastest ball %.2g m/s, deepest contact %.2g %% of the radius\n", law,
           now.contacts, fastest, 100 * now.penetration / 0.03);
    assert_true(fastest <= 0.01);
    assert_true(now.penetration <= 0.01 * 0.03);
    // late: steps that may end at the limit of iterations, near their answer all the same
    assert_true(tx_sim_info(sim).not_converged <= late && tx_sim_info(sim).worst_solve_error <= 1e-3);
    tx_sim_destroy(sim);
}

static void bowl_holds_balls(void **state) {
    if (SANITIZED) skip(); // baking takes long, and the rings bake as well
    tx_model *m = load_scene("bowl");
    bowl_holds(m, "soft", 0, 0);
    bowl_holds(m, "lagged", 2e4, 0);
    bowl_holds(m, "hard", 0, 100);
    tx_model_destroy(m);
}

// rings end around their pegs, at rest; under sanitizers they only begin to
static void rings_fall_over_pegs(void **state) {
    tx_model *m = load_scene("rings");
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    assert_int_equal(tx_sim_step_n(sim, SANITIZED ? 50 : 500), TX_OK);
    const double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    static const double PEG[4] = {0, 0, 0.35, 0.35}, ROOM[4] = {0.035, 0.035, 0.015, 0.015},
                        HIGH[4] = {0.03, 0.09, 0.025, 0.075};
    double fastest = 0;
    for (int i = 0; i < 36; i++) fastest = fmax(fastest, fabs(v[i]));
    for (int i = 0; i < 4; i++) {
        printf("ring %d: %.4f m from its peg's axis (room %.3f), %.4f m high\n", i,
               hypot(q[7 * i] - PEG[i], q[7 * i + 1]), ROOM[i], q[7 * i + 2]);
        assert_true(hypot(q[7 * i] - PEG[i], q[7 * i + 1]) < ROOM[i] + 2e-3);
        if (!SANITIZED) assert_true(fabs(q[7 * i + 2] - HIGH[i]) < 0.01);
    }
    printf("fastest dof %.2g\n", fastest);
    if (!SANITIZED) assert_true(fastest < 0.02);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}

int main(void) {
    setenv("THIXIS_CACHE", "off", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_exact),
        cmocka_unit_test(round_surfaces_are_near),
        cmocka_unit_test(gradients_are_derivatives),
        cmocka_unit_test(imperfect_meshes_have_an_inside),
        cmocka_unit_test(cache_finds_and_heals),
        cmocka_unit_test(field_of_a_box_is_the_box),
        cmocka_unit_test(round_shapes_touch_flat_sides),
        cmocka_unit_test(torus_has_a_hole),
        cmocka_unit_test(field_lies_on_ground),
        cmocka_unit_test(non_finite_numbers_give_no_hits),
        cmocka_unit_test(bowl_holds_balls),
        cmocka_unit_test(rings_fall_over_pegs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
