// test_sdf.c - signed distance fields: against exact distances, imperfect meshes, gradients, the cache, contact.
#include "reference.h"

#include <time.h>

#include "base/memory.h"
#include "collide/asset.h"
#include "geometry/sdf.h"
#include "geometry/triangles.h"
#include "geometry/vec3.h"

static const double PI = 3.14159265358979323846;

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

// ---- surfaces ------------------------------------------------------------------------------------------------------

enum { MOST = 1 << 16 };
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
    double profile[64][2];
    for (int i = 0; i < 64; i++) {
        profile[i][0] = large + small * cos(2 * PI * i / 64);
        profile[i][1] = small * sin(2 * PI * i / 64);
    }
    revolve(s, profile, 64, segments);
}

static void make_ball(surface *s, double radius) {
    *s = (surface){0};
    enum { RINGS = 48, SEGMENTS = 96 };
    for (int i = 1; i < RINGS; i++)
        for (int j = 0; j < SEGMENTS; j++) {
            double a = PI * i / RINGS, b = 2 * PI * j / SEGMENTS;
            v3_set(s->vertex + 3 * s->vertices++, radius * sin(a) * cos(b), radius * sin(a) * sin(b), radius * cos(a));
        }
    int north = s->vertices++, south = s->vertices++;
    v3_set(s->vertex + 3 * north, 0, 0, radius);
    v3_set(s->vertex + 3 * south, 0, 0, -radius);
    for (int j = 0; j < SEGMENTS; j++) {
        int next = (j + 1) % SEGMENTS, last = (RINGS - 2) * SEGMENTS;
        add_face(s, north, j, next);
        add_face(s, south, last + next, last + j);
        for (int i = 0; i < RINGS - 2; i++) {
            int a = i * SEGMENTS + j, b = i * SEGMENTS + next;
            add_face(s, a, a + SEGMENTS, b + SEGMENTS);
            add_face(s, a, b + SEGMENTS, b);
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
    assert_true(tx_triangles_closed(s.face, s.faces));
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
    make_ball(&s, 0.1);
    assert_true(bake(&sdf, &s, 0));
    // the mesh itself is inside the ball by up to r (1 - cos(pi / 96)) and its like
    double chord = 0.1 * (1 - cos(PI / 48) * cos(PI / 96)), allowed = chord + 3 * sdf.cell * sdf.cell / (8 * 0.08);
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

    make_torus(&s, 0.1, 0.04, 128);
    assert_true(bake(&sdf, &s, 0));
    worst = 0;
    chord = 0.04 * (1 - cos(PI / 64)) + 0.14 * (1 - cos(PI / 128));
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
        make_ball(&s, 0.1);
        if (kind == 0) s.faces -= 40; // a slit
        if (kind == 1)
            for (int i = 0; i < 3 * s.faces; i += 3) { // inside out
                int swap = s.face[i];
                s.face[i] = s.face[i + 1], s.face[i + 1] = swap;
            }
        if (kind == 2)
            for (int i = 0; i < 30; i++) add_face(&s, s.face[3 * i], s.face[3 * i + 2], s.face[3 * i + 1]);
        tx_sdf sdf;
        assert_true(bake(&sdf, &s, 0.008));
        for (int n = 0; n < 10000; n++) {
            double p[3], r = 0.11 * uniform(&seed);
            for (int k = 0; k < 3; k++) p[k] = uniform(&seed) - 0.5;
            v3_normalise(p);
            v3_scale(p, p, r);
            if (fabs(r - 0.1) < 0.01 || p[2] > 0.05 || p[1] * p[1] + p[0] * p[0] < 0.0004 || (kind == 0 && p[0] > 0.05))
                continue;
            assert_true((tx_sdf_value(&sdf, p, NULL) < 0) == (r < 0.1));
        }
        tx_free((void *)sdf.value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_exact),
        cmocka_unit_test(round_surfaces_are_near),
        cmocka_unit_test(gradients_are_derivatives),
        cmocka_unit_test(imperfect_meshes_have_an_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
