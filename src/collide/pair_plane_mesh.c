// pair_plane_mesh.c - a plane against the hull of a mesh: the lowest corner and those that span the largest area.
#include "collide/convex.h"
#include "collide/frame.h"
#include "collide/pair_input.h"
#include "collide/thin.h"

tx_pair_fn tx_pair_plane_mesh;

#define MOST_POINTS 4
// corners nearer than this to another are no support of their own, as a share of the mesh's radius. MuJoCo has 0.3,
// with which a finely cut hull stands on one corner and rocks for ever
#define SAME_POINT 0.01
// the widest in these directions across the normal are looked at: corners with a right angle or less are all found
#define WAYS 6

static const double WAY_X[WAYS] = {1, .5, -.5, -1, -.5, .5};
static const double WAY_Y[WAYS] = {0, .866, .866, 0, -.866, -.866};

// the middle of a hull is deep down where it is so by this share of the depth of its lowest corner
#define SUNK 0.4

// a mesh seen from the plane
typedef struct outlook {
    const tx_asset *mesh;
    const tx_convex *hull; // the same as corners and edges
    double seen[3][3];     // normal and tangents of the plane in the frame of the mesh
    double height;         // of the mesh's frame above the plane
    double margin;
} outlook;

// the corner with the least height, then where the mesh reaches farthest among those below the margin
typedef struct survey {
    tx_spot spots[WAYS + 1];
    int count, last; // the last corner
} survey;

static const double *corner_at(const outlook *o, int i) { return tx_convex_corner(o->hull, i); }

// the same corner twice in a row says nothing new
static inline void add_spot(survey *s, const outlook *o, int i) {
    if (s->count > 0 && s->last == i) return;
    const double *corner = corner_at(o, i);
    const double z = v3_dot(o->seen[0], corner);
    s->spots[s->count++] = (tx_spot){v3_dot(o->seen[1], corner), v3_dot(o->seen[2], corner), z, o->height + z,
                                     tx_feature(tx_part_face(0), tx_part_corner(i))};
    s->last = i;
}

static bool is_below(const outlook *o, const double *corner) {
    return o->height + v3_dot(o->seen[0], corner) < o->margin;
}

// those below the margin of the 64 corners from `first` on, a bit each
static uint64_t corners_below(const outlook *o, int first) {
    const tx_asset *mesh = o->mesh;
    if (mesh->fours) return tx_fours_below(mesh->fours, mesh->corner_count, o->seen[0], o->height, o->margin);
    uint64_t below = 0;
    for (int i = first; i < mesh->corner_count && i < first + 64; i++)
        below |= (uint64_t)is_below(o, corner_at(o, i)) << (i - first);
    return below;
}

// looks at every corner; which of those below the margin reaches farthest each way is found without a branch
static void survey_all(survey *s, const outlook *o) {
    double reach[WAYS], place[WAYS]; // and which corner that is, as a number of the same kind
    int low = -1;
    double lowest = INFINITY;
    for (int k = 0; k < WAYS; k++) reach[k] = -INFINITY, place[k] = 0;
    for (int first = 0; first < o->mesh->corner_count; first += 64) {
        for (uint64_t below = corners_below(o, first); below; below &= below - 1) {
            const int i = first + __builtin_ctzll(below);
            const double *corner = corner_at(o, i), dist = o->height + v3_dot(o->seen[0], corner);
            if (dist < lowest) lowest = dist, low = i;
            const double x = v3_dot(o->seen[1], corner), y = v3_dot(o->seen[2], corner);
            for (int k = 0; k < WAYS; k++) {
                const double here = WAY_X[k] * x + WAY_Y[k] * y;
                const bool farther = here > reach[k];
                reach[k] = farther ? here : reach[k];
                place[k] = farther ? i : place[k];
            }
        }
    }
    if (low < 0) return;
    add_spot(s, o, low);
    for (int k = 0; k < WAYS; k++) add_spot(s, o, (int)place[k]);
}

// from corner to neighbour as long as one reaches farther along `dir` and is still below the margin
static int walk(const outlook *o, int at, const double dir[3], double reach) {
    const tx_convex *hull = o->hull;
    for (int k = hull->first[at], end = tx_convex_edges_end(hull, at); k < end; k++) {
        const double *next = corner_at(o, hull->neighbour[k]);
        double farther = v3_dot(dir, next);
        if (!(farther > reach) || !is_below(o, next)) continue;
        // on from there
        at = hull->neighbour[k], reach = farther;
        k = hull->first[at] - 1, end = tx_convex_edges_end(hull, at);
    }
    return at;
}

// Finds the lowest corner by climbing and the widest by walking along edges below the margin, each way from where the
// last one ended or from the lowest: hulls have many corners, and few are on the way. Where the middle of a hull is
// deep down the widest of all corners is mostly below the margin as well, and there is no wider one
static void survey_by_edges(survey *s, const outlook *o) {
    double dir[3];
    v3_scale(dir, o->seen[0], -1);
    const int low = tx_convex_farthest(o->hull, dir);
    if (!is_below(o, corner_at(o, low))) return;
    const bool sunk = -o->height > SUNK * (-v3_dot(o->seen[0], corner_at(o, low)) - o->height);
    add_spot(s, o, low);
    for (int k = 0, at = low; k < WAYS; k++) {
        v3_scale(dir, o->seen[1], WAY_X[k]);
        v3_along(dir, dir, o->seen[2], WAY_Y[k]);
        const int far = sunk ? tx_convex_farthest(o->hull, dir) : low;
        const bool found = sunk && is_below(o, corner_at(o, far));
        double lowest = v3_dot(dir, corner_at(o, low)), last = v3_dot(dir, corner_at(o, at));
        if (lowest > last) at = low, last = lowest;
        at = found ? far : walk(o, at, dir, last);
        add_spot(s, o, at);
    }
}

int tx_pair_plane_mesh(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 0) || !shape_usable(b, 3) || !isfinite(margin) || !b->asset) return 0;
    tx_convex hull = {0};
    tx_convex_take_asset(&hull, b->asset);
    outlook o = {.mesh = b->asset, .hull = &hull, .margin = margin};
    double normal[3], rows[9], offset[3];
    m3_column(normal, a->mat, 2);
    v3_sub(offset, b->pos, a->pos);
    o.height = v3_dot(offset, normal);

    // rows: the axes of the plane's frame
    tx_frame_make(normal, (double[3]){0}, rows);
    for (int k = 0; k < 3; k++) m3_mul_transposed(o.seen[k], b->mat, rows + 3 * k);
    survey s;
    s.count = 0;
    if (o.mesh->corner_count >= TX_CLIMB_FROM && o.mesh->edge_first) survey_by_edges(&s, &o);
    else survey_all(&s, &o);
    if (s.count == 0) return 0;

    // the lowest first: of two near each other the lower stays
    const tx_spot *spots = s.spots;
    int count = tx_spread(s.spots, s.count, MOST_POINTS, SAME_POINT * v3_length(b->size));
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
