// test_facets.c - flat faces of hulls as polygons: a box has six, what a cap cut into triangles becomes, and of hulls
// of random points that planes, corners and rims are what they say.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collide/patch.h"
#include "geometry/vec3.h"
#include "hull_asset.h"
#include "near.h"
#include "random.h"

static uint64_t seed = 7;
static double uniform(double lo, double hi) { return random_between(&seed, lo, hi); }

static tx_convex convex_of(const hull_asset *h) {
    tx_convex c = {.mat = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    tx_convex_take_asset(&c, &h->asset);
    return c;
}

// how many facets there are: they begin with every first triangle of one
static int facet_count(const hull_asset *h) {
    int last = -1;
    for (int c = 0; c < h->hull.vertex_count; c++)
        for (int k = 0; k < h->facets->at_count[c]; k++)
            last = h->facets->at[h->facets->at_first[c] + k] > last ? h->facets->at[h->facets->at_first[c] + k] : last;
    return last + 1;
}

static double area_of(const hull_asset *h, const tx_convex *c, const tx_facet *f) {
    double sum[3] = {0};
    const int *corner = h->facets->corner + f->first;
    for (int i = 0; i < f->count; i++) {
        double cross[3];
        v3_cross(cross, tx_convex_corner(c, corner[i]), tx_convex_corner(c, corner[i + 1 < f->count ? i + 1 : 0]));
        v3_along(sum, sum, cross, 0.5);
    }
    return v3_dot(sum, f->normal);
}

static void a_box_has_six(void **state) {
    double points[8][3];
    for (int i = 0; i < 24; i++) points[i / 3][i % 3] = (i / 3 >> i % 3 & 1 ? 1 : -1) * (1 + i % 3);
    hull_asset h;
    assert_true(hull_asset_build(&h, &points[0][0], 8));
    const tx_convex c = convex_of(&h);
    assert_int_equal(facet_count(&h), 6);
    for (int i = 0; i < 6; i++) {
        const tx_facet *f = &h.facets->facet[i];
        int axis = 0;
        for (int k = 1; k < 3; k++)
            if (fabs(f->normal[k]) > fabs(f->normal[axis])) axis = k;
        assert_int_equal(f->count, 4);
        assert_near(fabs(f->normal[axis]), 1, 1e-15);
        // at least along the diagonals of the sides
        assert_true(f->fall >= sqrt(0.1) - 1e-15 && f->fall <= 1);
        assert_near(area_of(&h, &c, f), 4 * 6.0 / (1 + axis), 1e-12);
    }
    for (int i = 0; i < 8; i++) assert_int_equal(h.facets->at_count[i], 3);
    hull_asset_free(&h);
}

// a cap with 40 corners keeps 16 that span 97 % of it; its rim falls as steeply as the sides lean
static void a_cap_keeps_what_spans_most(void **state) {
    enum { AROUND = 40 };
    static const double LEAN = 0.2; // of the sides to the axis: as a cone, narrower above
    double points[2 * AROUND][3];
    for (int i = 0; i < 2 * AROUND; i++) {
        const double angle = 2 * 3.14159265358979323846 * (i % AROUND) / AROUND, r = i < AROUND ? 1 : 1 - tan(LEAN);
        v3_set(points[i], r * cos(angle), r * sin(angle), i < AROUND ? 0 : 1);
    }
    hull_asset h;
    assert_true(hull_asset_build(&h, &points[0][0], 2 * AROUND));
    const tx_convex c = convex_of(&h);
    assert_int_equal(facet_count(&h), AROUND + 2);
    for (int side = -1; side <= 1; side += 2) {
        const double dir[3] = {0, 0, side}, r = side < 0 ? 1 : 1 - tan(LEAN);
        const tx_facet *f = tx_facet_along(h.facets, tx_convex_farthest(&c, dir), dir);
        assert_non_null(f);
        assert_int_equal(f->count, TX_FACET_CORNERS);
        assert_near(f->normal[2], side, 1e-12);
        const double whole = AROUND / 2.0 * sin(2 * 3.14159265358979323846 / AROUND) * r * r;
        assert_true(area_of(&h, &c, f) > 0.97 * whole && area_of(&h, &c, f) < whole);
        // along the sides, or along their diagonals
        assert_true(f->fall > 0.9 * cos(LEAN) && f->fall <= cos(LEAN) + 1e-12);
    }
    for (int i = 2; i < AROUND + 2; i++) assert_int_equal(h.facets->facet[i].count, 4);
    hull_asset_free(&h);
}

// points on a grid: many share planes
static void random_points(double (*points)[3], int count, int round) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) points[i][k] = uniform(-1, 1);
        if (round % 2) v3_normalise(points[i]);
        for (int k = 0; round % 4 < 2 && k < 3; k++) points[i][k] = floor(3 * points[i][k] + 0.5) / 3;
    }
}

static bool has_corner(const hull_asset *h, int corner, int facet) {
    const tx_facets *o = h->facets;
    for (int k = 0; k < o->at_count[corner]; k++)
        if (o->at[o->at_first[corner] + k] == facet) return true;
    return false;
}

static void check_facet(const hull_asset *h, const tx_convex *c, int facet) {
    const tx_facet *f = &h->facets->facet[facet];
    const int *corner = h->facets->corner + f->first;
    double least = 1, level = v3_dot(f->normal, tx_convex_corner(c, corner[0]));
    assert_in_range(f->count, 3, TX_FACET_CORNERS);
    assert_near(v3_length(f->normal), 1, 1e-14);
    for (int i = 0; i < f->count; i++) {
        double e[3], g[3], turn[3];
        const double *here = tx_convex_corner(c, corner[i]), *next = tx_convex_corner(c, corner[(i + 1) % f->count]);
        v3_sub(e, next, here);
        v3_sub(g, tx_convex_corner(c, corner[(i + 2) % f->count]), next);
        v3_cross(turn, e, g);
        assert_true(v3_dot(turn, f->normal) > 0); // counter-clockwise
        assert_true(has_corner(h, corner[i], facet));
    }
    for (int i = 0; i < c->point_count; i++) {
        // the hull is below the plane; what is listed is on it
        const double above = v3_dot(f->normal, tx_convex_corner(c, i)) - level;
        assert_true(above < 3e-5);
        if (!has_corner(h, i, facet)) continue;
        assert_near(above, 0, 3e-5);
        for (int k = c->first[i]; k < tx_convex_edges_end(c, i); k++) {
            double along[3];
            if (has_corner(h, c->neighbour[k], facet)) continue;
            v3_sub(along, tx_convex_corner(c, c->neighbour[k]), tx_convex_corner(c, i));
            least = fmin(least, -v3_dot(along, f->normal) / v3_length(along));
        }
    }
    assert_near(f->fall, least, 1e-15);
}

static void random_hulls(void **state) {
    enum { MOST = 150 };
    int large = 0;
    for (int round = 0; round < 200; round++) {
        double points[MOST][3];
        const int count = 8 + round % (MOST - 8);
        random_points(points, count, round);
        hull_asset h;
        if (!hull_asset_build(&h, &points[0][0], count)) continue;
        const tx_convex c = convex_of(&h);
        const int facets = facet_count(&h);
        double area = 0, hull = 0;
        for (int i = 0; i < facets; i++) {
            if (h.facets->facet[i].count == 0) continue;
            check_facet(&h, &c, i);
            area += area_of(&h, &c, &h.facets->facet[i]);
            large += h.facets->facet[i].count > 4;
        }
        for (int i = 0; i < h.hull.face_count; i++) {
            double e[3], g[3], n[3];
            const int *t = h.hull.face + 3 * i;
            v3_sub(e, tx_convex_corner(&c, t[1]), tx_convex_corner(&c, t[0]));
            v3_sub(g, tx_convex_corner(&c, t[2]), tx_convex_corner(&c, t[0]));
            v3_cross(n, e, g);
            hull += v3_length(n) / 2;
        }
        // together they are the surface
        assert_near(area / hull, 1, 1e-4);
        for (int n = 0; n < 50; n++) {
            double dir[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            v3_normalise(dir);
            const int corner = tx_convex_farthest(&c, dir);
            const tx_facet *f = tx_facet_along(h.facets, corner, dir);
            assert_non_null(f);
            for (int i = 0; i < facets; i++)
                if (has_corner(&h, corner, i))
                    assert_true(v3_dot(h.facets->facet[i].normal, dir) <= v3_dot(f->normal, dir));
        }
        hull_asset_free(&h);
    }
    assert_true(large > 200);
}

// Where a patch says that its rim is sharp, the farthest corner along any direction within the perturbation is one of
// the face; of low domes that is not so, and it is not said
static void sharp_rims(void **state) {
    enum { AROUND = 8 };
    int sharp = 0, blunt = 0;
    for (int round = 0; round < 400; round++) {
        static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0};
        double points[2 * AROUND][3];
        const double drop = round % 2 ? uniform(0, 0.02) : uniform(0, 0.2), tilt = round % 4 < 2 ? 0 : 0.009;
        for (int i = 0; i < 2 * AROUND; i++) {
            const double angle = 2 * 3.14159265358979323846 * (i % AROUND) / AROUND + 0.1, r = i < AROUND ? 1 : 2;
            v3_set(points[i], r * cos(angle), r * sin(angle), i < AROUND ? 0 : -drop);
        }
        hull_asset h;
        if (!hull_asset_build(&h, &points[0][0], 2 * AROUND)) continue;
        tx_convex c = convex_of(&h);
        const double about_x[9] = {1, 0, 0, 0, cos(tilt), -sin(tilt), 0, sin(tilt), cos(tilt)};
        memcpy(c.mat, about_x, sizeof about_x);
        const tx_aspect seen = tx_aspect_of(&c, identity, origin, 1, 0.01);
        tx_patch p;
        tx_patch_face(&p, &seen);
        bool all = true;
        for (int n = 0; n < 64; n++) {
            const double angle = 2 * 3.14159265358979323846 * n / 64;
            const double dir[3] = {0.00999 * cos(angle), 0.00999 * sin(angle), 1};
            double own[3];
            m3_mul_transposed(own, c.mat, dir);
            const int corner = tx_convex_farthest(&c, own);
            bool listed = false;
            for (int i = 0; i < p.count; i++) listed |= p.number[i] == corner;
            all &= listed;
        }
        assert_true(all || !p.sharp);
        // and where the rim is much steeper than that, it is said
        if (p.count == AROUND && drop > 0.05) assert_true(p.sharp);
        sharp += p.sharp, blunt += !all;
        hull_asset_free(&h);
    }
    assert_true(sharp > 50 && blunt > 50);
}

// what rotations bring up makes a face wider: an outline all the same, counter-clockwise, convex, around what it was,
// of the corners that it names
static void wide_faces_are_outlines(void **state) {
    enum { AROUND = 8 };
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0.3, -0.2, 0.1};
    int wider = 0;
    for (int round = 0; round < 200; round++) {
        double points[2 * AROUND][3];
        const double drop = uniform(0, 0.04), start = round % 2 ? uniform(0, 1) : 0, stretch = uniform(0.5, 2);
        for (int i = 0; i < 2 * AROUND; i++) {
            const double angle = 2 * 3.14159265358979323846 * (i % AROUND) / AROUND + start, r = i < AROUND ? 1 : 2;
            v3_set(points[i], stretch * r * cos(angle), r * sin(angle), i < AROUND ? 0 : -drop);
        }
        hull_asset h;
        if (!hull_asset_build(&h, &points[0][0], 2 * AROUND)) continue;
        const tx_convex c = convex_of(&h);
        const tx_aspect seen = tx_aspect_of(&c, identity, origin, 1, 0.05);
        tx_patch p, was;
        tx_patch_face(&p, &seen);
        was = p;
        tx_patch_widen(&p, &seen);
        wider += p.count > 2 && memcmp(p.number, was.number, sizeof p.number) != 0;
        for (int i = 0; i < p.count; i++) {
            const double *a = p.corner[i], *b = p.corner[(i + 1) % p.count], *d = p.corner[(i + 2) % p.count];
            const double *own = tx_convex_corner(&c, p.number[i]);
            for (int k = 0; k < 3; k++) assert_near(a[k], own[k] - origin[k], 1e-14);
            assert_true((b[0] - a[0]) * (d[1] - b[1]) - (b[1] - a[1]) * (d[0] - b[0]) > 0);
            for (int j = 0; j < was.count; j++) {
                const double x = was.corner[j][0] - a[0], y = was.corner[j][1] - a[1];
                assert_true((b[0] - a[0]) * y - (b[1] - a[1]) * x > -1e-12);
            }
        }
        hull_asset_free(&h);
    }
    assert_true(wider > 50);
}

// ---- triangles made by hand -----------------------------------------------------------------------------------------

enum { SHEET = 40 };

// of corners without edges, so that nothing falls away from it
static tx_facets *facets_of(const double (*points)[3], int count, const int *face, int faces, tx_convex *c) {
    static const int none[SHEET + 1] = {0};
    *c = (tx_convex){.points = points[0], .point_count = count, .first = none, .neighbour = none};
    tx_facets *f = tx_facets_build(c, face, faces);
    assert_non_null(f);
    return f;
}

// twice the area of three corners in the plane of x and y
static double span(const double (*p)[3], int a, int b, int c) {
    return (p[b][0] - p[a][0]) * (p[c][1] - p[a][1]) - (p[b][1] - p[a][1]) * (p[c][0] - p[a][0]);
}

// of too many corners the one that spans least goes, again and again: as an area that is summed up from nothing each
// time
static void corners_go_one_by_one(void **state) {
    for (int round = 0; round < 200; round++) {
        double points[SHEET][3], angle[SHEET], area = 0;
        int face[3 * (SHEET - 2)], left[SHEET], count = 17 + round % (SHEET - 17), was = count;
        for (int i = 0, at; i < count; i++) {
            const double a = uniform(0, 2 * 3.14159265358979323846);
            for (at = i; at > 0 && angle[at - 1] > a; at--) angle[at] = angle[at - 1];
            angle[at] = a;
        }
        for (int i = 0; i < count; i++) v3_set(points[i], cos(angle[i]), sin(angle[i]), 0), left[i] = i;
        for (int i = 0; i < count - 2; i++) face[3 * i] = 0, face[3 * i + 1] = i + 1, face[3 * i + 2] = i + 2;
        while (count > TX_FACET_CORNERS) {
            int least = 0;
            double smallest = INFINITY;
            for (int i = 0; i < count; i++) {
                const double own = span(points, left[(i + count - 1) % count], left[i], left[(i + 1) % count]);
                if (own < smallest) smallest = own, least = i;
            }
            memmove(left + least, left + least + 1, (size_t)(--count - least) * sizeof *left);
        }
        for (int i = 1; i + 1 < count; i++) area += span(points, left[0], left[i], left[i + 1]) / 2;
        tx_convex c;
        tx_facets *f = facets_of(points, was, face, was - 2, &c);
        assert_int_equal(f->facet[0].count, TX_FACET_CORNERS);
        double sum = 0;
        const int *corner = f->corner + f->facet[0].first;
        for (int i = 1; i + 1 < TX_FACET_CORNERS; i++) sum += span(points, corner[0], corner[i], corner[i + 1]) / 2;
        assert_near(sum, area, 1e-12);
        tx_free(f);
    }
}

// what surrounds a hole has no polygon: the triangle that it begins with stands for it
static void rings_have_no_rim(void **state) {
    static const double points[8][3] = {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}, {-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    static const int face[24] = {0, 1, 4, 1, 5, 4, 1, 2, 5, 2, 6, 5, 2, 3, 6, 3, 7, 6, 3, 0, 7, 0, 4, 7};
    tx_convex c;
    tx_facets *f = facets_of(points, 8, face, 8, &c);
    assert_int_equal(f->facet[0].count, 3);
    assert_near(f->facet[0].normal[2], 1, 1e-15);
    assert_near(span(points, f->corner[0], f->corner[1], f->corner[2]), 12, 1e-14);
    for (int i = 0; i < 8; i++) assert_true(f->at_count[i] == 1 && f->at[f->at_first[i]] == 0);
    tx_free(f);
}

// the largest triangle says where the plane is; one that is a line has none, and none of its corners knows it
static void the_largest_has_the_plane(void **state) {
    static const double points[7][3] = {{0, 0, 0},   {10, 0, 0},  {5, 10, 0}, {5, -0.5, -2e-6},
                                        {20, 20, 0}, {21, 21, 0}, {22, 22, 0}};
    static const int face[9] = {0, 3, 1, 4, 5, 6, 0, 1, 2};
    static const double up[3] = {0, 0, 1};
    tx_convex c;
    tx_facets *f = facets_of(points, 7, face, 3, &c);
    assert_int_equal(f->facet[0].count, 4);
    assert_near(f->facet[0].normal[1], 0, 1e-15);
    for (int i = 0; i < 4; i++) assert_true(tx_facet_along(f, i, up) == &f->facet[0]);
    for (int i = 4; i < 7; i++) assert_null(tx_facet_along(f, i, up));
    tx_free(f);
}

// A ball whose middle is inside of a hull: by its planes as by EPA, from either side; where the middle is outside, by
// GJK
static void planes_say_how_deep_a_ball_is(void **state) {
    int inside = 0, sizes[2] = {8, 60};
    for (int round = 0; round < 60; round++) {
        double points[60][3];
        const int count = sizes[round % 2];
        for (int i = 0; i < 3 * count; i++) points[i / 3][i % 3] = uniform(-1, 1) * (i % 3 == round % 3 ? 0.1 : 1);
        hull_asset h;
        assert_true(hull_asset_build(&h, &points[0][0], count));
        assert_true(h.facets->planes > 0 && h.facets->planes <= h.hull.face_count);
        tx_convex c = convex_of(&h), searched = c, ball = {.core = TX_CORE_POINT, .mat = {0, 1, 0, 0, 0, 1, 1, 0, 0}};
        searched.facets = NULL;
        v3_set(c.pos, 0.3, -0.2, 0.1);
        v3_copy(searched.pos, c.pos);
        for (int k = 0; k < 50; k++) {
            ball.radius = uniform(0, 0.2);
            for (int i = 0; i < 3; i++) ball.pos[i] = c.pos[i] + uniform(-0.4, 0.4);
            tx_convex_result by_planes, by_search, turned;
            assert_true(tx_convex_distance(&ball, &c, INFINITY, &by_planes));
            assert_true(tx_convex_distance(&c, &ball, INFINITY, &turned));
            assert_true(tx_convex_distance(&ball, &searched, INFINITY, &by_search));
            assert_near(by_planes.dist, by_search.dist, 1e-12);
            assert_near(turned.dist, by_search.dist, 1e-12);
            // the surfaces' points are as far apart as that, along the normal, and the ball's is on the ball
            for (int i = 0; i < 3; i++) {
                assert_near(by_planes.on_b[i] - by_planes.on_a[i], by_planes.dist * by_planes.normal[i], 1e-12);
                assert_near(by_planes.on_a[i], ball.pos[i] + ball.radius * by_planes.normal[i], 1e-12);
                assert_near(turned.on_b[i], by_planes.on_a[i], 1e-12);
                assert_near(turned.normal[i], -by_planes.normal[i], 1e-12);
            }
            assert_int_equal(by_planes.epa, 0);
            inside += by_search.epa > 0;
        }
        hull_asset_free(&h);
    }
    assert_in_range(inside, 300, 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_six),
        cmocka_unit_test(a_cap_keeps_what_spans_most),
        cmocka_unit_test(random_hulls),
        cmocka_unit_test(sharp_rims),
        cmocka_unit_test(wide_faces_are_outlines),
        cmocka_unit_test(corners_go_one_by_one),
        cmocka_unit_test(rings_have_no_rim),
        cmocka_unit_test(the_largest_has_the_plane),
        cmocka_unit_test(planes_say_how_deep_a_ball_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
