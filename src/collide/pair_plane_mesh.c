// pair_plane_mesh.c - a plane against the hull of a mesh: the lowest corner and those that span the largest area.
#include "collide/frame.h"
#include "collide/pair_input.h"
#include "collide/thin.h"

tx_pair_fn tx_pair_plane_mesh;

#define MOST_POINTS 4
// corners nearer than this to another are no support of their own, as a share of the mesh's radius. MuJoCo has 0.3,
// with which a finely cut hull stands on one corner and rocks for ever
#define SAME_POINT 0.01
// the widest in these directions across the normal are looked at: one for each half right angle
#define WAYS 8

// the corner with the least height, and where the mesh reaches farthest among those below the margin
typedef struct survey {
    tx_spot lowest, widest[WAYS];
    double reach[WAYS];
} survey;

static void visit(survey *s, const tx_spot *spot) {
    static const double way[WAYS][2] = {{1, 0}, {.7, .7}, {0, 1}, {-.7, .7}, {-1, 0}, {-.7, -.7}, {0, -1}, {.7, -.7}};
    if (spot->dist < s->lowest.dist) s->lowest = *spot;
    for (int i = 0; i < WAYS; i++) {
        double reach = way[i][0] * spot->x + way[i][1] * spot->y;
        if (reach > s->reach[i]) s->reach[i] = reach, s->widest[i] = *spot;
    }
}

int tx_pair_plane_mesh(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 0) || !shape_usable(b, 3) || !isfinite(margin) || !b->asset) return 0;
    double normal[3], rows[9], offset[3], seen[3][3], axis[3];
    m3_column(normal, a->mat, 2);
    v3_sub(offset, b->pos, a->pos);
    double height = v3_dot(offset, normal);

    // rows: the axes of the plane's frame, seen from the mesh
    tx_frame_make(normal, (double[3]){0}, rows);
    for (int k = 0; k < 3; k++) {
        v3_copy(axis, rows + 3 * k);
        m3_mul_transposed(seen[k], b->mat, axis);
    }
    survey s = {.lowest.dist = INFINITY};
    for (int i = 0; i < WAYS; i++) s.reach[i] = -INFINITY;
    for (int i = 0; i < b->asset->corner_count; i++) {
        const double *corner = b->asset->vertex + 3 * b->asset->corner[i];
        tx_spot spot = {v3_dot(seen[1], corner), v3_dot(seen[2], corner), v3_dot(seen[0], corner), 0,
                        tx_feature(tx_part_face(0), tx_part_corner(i))};
        spot.dist = height + spot.z;
        if (spot.dist < margin) visit(&s, &spot);
    }
    if (!(s.lowest.dist < INFINITY)) return 0;

    // the lowest first: of two near each other the lower stays
    tx_spot spots[WAYS + 1] = {s.lowest};
    for (int i = 0; i < WAYS; i++) spots[i + 1] = s.widest[i];
    int count = tx_spread(spots, WAYS + 1, MOST_POINTS, SAME_POINT * v3_length(b->size));
    for (int i = 0; i < count; i++) {
        tx_hit *hit = &hits[i];
        hit->dist = spots[i].dist;
        v3_copy(hit->pos, b->pos);
        v3_along(hit->pos, hit->pos, rows + 3, spots[i].x);
        v3_along(hit->pos, hit->pos, rows + 6, spots[i].y);
        v3_along(hit->pos, hit->pos, normal, spots[i].z - hit->dist / 2);
        v3_copy(hit->normal, normal);
        v3_zero(hit->tangent);
        hit->feature = spots[i].feature;
    }
    return count;
}
