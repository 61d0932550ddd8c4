// pair_hfield.c - a height field against every shape that can lie on it. Round shapes and corners meet its triangles in
// closed form, convex shapes by GJK and EPA against the prism below each triangle. See docs/terrain-and-sdf.md.
//
// Nothing catches on inner edges: an edge or a corner counts only for normals from which the surface falls away on all
// sides (tx_heights_faces), so neighbours that lie in one plane act as that plane.
#include "collide/chord.h"
#include "collide/convex.h"
#include "collide/thin.h"
#include "collide/pair_input.h"
#include "geometry/heights.h"

tx_pair_fn tx_pair_hfield_sphere, tx_pair_hfield_capsule, tx_pair_hfield_ellipsoid, tx_pair_hfield_cylinder,
    tx_pair_hfield_box, tx_pair_hfield_mesh, tx_pair_hfield_sdf;

// rise per length that still counts as level; a normal so near to the triangle's own is that one
static const double LEVEL = 1e-6;
// an edge that rises less than this along a normal is touched all along
static const double ACROSS = 0.05;
// of heights and bounds: more than all that rounding does to a distance
static const double ROUNDING = 1e-12;

// one pair in the frame of the field
typedef struct scene {
    const tx_heights *h;
    const tx_shape *other;  // the shape, for its sizes and its asset; its pose is that of the convex one
    double base;            // lowest z of the solid
    double margin;          // distances below this are hits
    double same;            // points nearer than this are one [m]
    double low[3], high[3]; // bounds of the shape, the margin added
    tx_hits hits;
} scene;

static void add(scene *s, double dist, const double on_field[3], const double normal[3], uint32_t of_field,
                uint32_t of_shape) {
    if (!(dist < s->margin)) return;
    tx_hit hit = {.dist = dist, .feature = tx_feature(of_field, of_shape)};
    v3_copy(hit.normal, normal);
    v3_along(hit.pos, on_field, normal, dist / 2);
    tx_hits_add(&s->hits, &hit, s->same);
}

// ---- features ------------------------------------------------------------------------------------------------------

// Corners of the field are its grid points, faces its triangles; then come the walls and the base, and the way to what
// is not above the field.
enum { BASE = 4, BESIDE };

static int grid_point(const tx_heights *h, int row, int column) { return row * h->ncol + column; }

// as heights.h counts them; the second of a cell begins with its upper right corner
static int triangle_number(const tx_heights *h, const tx_heights_triangle *t) {
    bool second = t->row[0] > t->row[2];
    return 2 * (t->row[second ? 2 : 0] * (h->ncol - 1) + t->column[second ? 1 : 0]) + second;
}

static uint32_t wall_part(const tx_heights *h, int wall) {
    return tx_part_face(2 * (h->nrow - 1) * (h->ncol - 1) + wall);
}

// part: as in tx_triangle_nearest()
static uint32_t field_part(const tx_heights *h, const tx_heights_triangle *t, int part) {
    if (part < 0) return tx_part_face(triangle_number(h, t));
    int k = part % 3, i = (k + 1) % 3, j = (k + 2) % 3;
    if (part >= 3) return tx_part_corner(grid_point(h, t->row[k], t->column[k]));
    // an edge along y (1), x (2) or the cut (3) of the cell whose first corner is at the lower row and column
    int row = t->row[i] < t->row[j] ? t->row[i] : t->row[j];
    int column = t->column[i] < t->column[j] ? t->column[i] : t->column[j];
    int way = (t->row[i] != t->row[j]) + 2 * (t->column[i] != t->column[j]);
    return tx_part_edge(4 * grid_point(h, row, column) + way);
}

// what the search below a triangle found: three places along an edge, the nearest point of the prism, the deepest point
enum { PRISM = 3, DEEPEST, SEARCHES = 8 };

static uint32_t search_part(const scene *s, const tx_heights_triangle *t, int which) {
    return tx_part_place(SEARCHES * triangle_number(s->h, t) + which);
}

// ---- balls and points ----------------------------------------------------------------------------------------------

// the nearest way out of the solid for a centre inside: through the surface, or through a wall or the base
static void ball_inside(scene *s, const double centre[3], double radius, uint32_t of_shape) {
    const tx_heights *h = s->h;
    double depth = tx_heights_above(h, centre[0], centre[1]) - centre[2];
    double best = INFINITY, point[3] = {0}, normal[3] = {0, 0, 1};
    uint32_t of_field = 0;
    double low[2] = {centre[0] - depth, centre[1] - depth}, high[2] = {centre[0] + depth, centre[1] + depth};
    tx_heights_range cells = tx_heights_cells(h, low, high);
    for (int r = cells.row[0]; r <= cells.row[1]; r++)
        for (int c = cells.column[0]; c <= cells.column[1]; c++)
            for (int half = 0; half < 2; half++) {
                tx_heights_triangle t;
                double at[3], way[3];
                tx_heights_triangle_at(h, r, c, half, &t);
                int part = tx_triangle_nearest(t.corner, centre, at);
                v3_sub(way, at, centre);
                double distance = v3_length(way);
                if (!(distance < best)) continue;
                best = distance;
                of_field = field_part(h, &t, part);
                v3_copy(point, at);
                v3_copy(normal, t.normal);
                // on an edge or a corner: straight out, unless the triangles are as good as level or the centre is on
                // it
                if (part >= 0 && distance > V3_TINY && v3_dot(way, t.normal) < (1 - LEVEL) * distance)
                    v3_scale(normal, way, 1 / distance);
            }
    for (int k = 0; k < 2; k++) {
        double room = h->size[k] - fabs(centre[k]);
        if (!(room < best)) continue;
        best = room;
        v3_copy(point, centre);
        v3_zero(normal);
        normal[k] = centre[k] < 0 ? -1 : 1;
        of_field = wall_part(h, 2 * k + (normal[k] > 0));
        point[k] = normal[k] * h->size[k];
    }
    if (centre[2] - s->base < best) {
        best = centre[2] - s->base;
        of_field = wall_part(h, BASE);
        v3_set(point, centre[0], centre[1], s->base);
        v3_set(normal, 0, 0, -1);
    }
    add(s, -best - radius, point, normal, of_field, of_shape);
}

// every place of the surface that is nearer than its surroundings
static void ball_above(scene *s, const double centre[3], double radius, uint32_t of_shape) {
    const double reach = radius + s->margin;
    double low[2] = {centre[0] - reach, centre[1] - reach}, high[2] = {centre[0] + reach, centre[1] + reach};
    tx_heights_range cells = tx_heights_cells(s->h, low, high);
    for (int r = cells.row[0]; r <= cells.row[1]; r++)
        for (int c = cells.column[0]; c <= cells.column[1]; c++)
            for (int half = 0; half < 2; half++) {
                tx_heights_triangle t;
                double at[3], way[3], from[3];
                tx_heights_triangle_at(s->h, r, c, half, &t);
                v3_sub(from, centre, t.corner[0]);
                double height = v3_dot(from, t.normal);
                if (height < 0 || !(height < reach)) continue;
                int part = tx_triangle_nearest(t.corner, centre, at);
                v3_sub(way, centre, at);
                double distance = v3_length(way), direction[3];
                v3_scale(direction, way, 1 / fmax(distance, V3_TINY));
                if (!(distance < reach) || !tx_heights_faces(s->h, &t, part, direction, LEVEL)) continue;
                bool level = part < 0 || distance <= V3_TINY || height >= (1 - LEVEL) * distance;
                add(s, (level ? height : distance) - radius, at, level ? t.normal : direction,
                    field_part(s->h, &t, part), of_shape);
            }
}

static void ball(scene *s, const double centre[3], double radius, uint32_t of_shape) {
    const tx_heights *h = s->h;
    // the point of the solid's box nearest to the centre; below the surface it is the nearest of the solid
    double at[3] = {v3_clamp(centre[0], -h->size[0], h->size[0]), v3_clamp(centre[1], -h->size[1], h->size[1]),
                    fmax(centre[2], s->base)};
    bool outside = at[0] != centre[0] || at[1] != centre[1] || at[2] != centre[2];
    bool below = at[2] < tx_heights_above(h, at[0], at[1]);
    if (below && !outside) {
        ball_inside(s, centre, radius, of_shape);
        return;
    }
    if (below) {
        double normal[3];
        v3_sub(normal, centre, at);
        double distance = v3_normalise(normal);
        add(s, distance - radius, at, normal, wall_part(h, BESIDE), of_shape);
    }
    ball_above(s, centre, radius, of_shape);
}

// ---- convex shapes -------------------------------------------------------------------------------------------------

// which part of the triangle is farthest along a direction: -1 all of it, else as in tx_heights_faces
static int farthest_part(const tx_heights_triangle *t, const double direction[3]) {
    if (v3_dot(t->normal, direction) > 1 - LEVEL * LEVEL) return -1;
    double reach[3], most = -INFINITY, size = 0;
    for (int k = 0; k < 3; k++) {
        reach[k] = v3_dot(t->corner[k], direction);
        most = fmax(most, reach[k]);
        for (int i = 0; i < 2; i++) size = fmax(size, fabs(t->corner[k][i] - t->corner[0][i]));
    }
    int count = 0, last = 0, missing = 0;
    for (int k = 0; k < 3; k++) {
        bool top = reach[k] >= most - LEVEL * size;
        count += top;
        if (top) last = k;
        else missing = k;
    }
    return count == 3 ? -1 : count == 2 ? missing : 3 + last;
}

// sideways and downwards there is only a way out through the rim and the base
static bool leaves_solid(const scene *s, const tx_heights_triangle *t, const double direction[3]) {
    bool out[4] = {false}; // left, right, front, back: this prism has a wall of the solid there
    for (int k = 0; k < 3; k++) {
        out[0] |= t->column[k] == 0, out[1] |= t->column[k] == s->h->ncol - 1;
        out[2] |= t->row[k] == 0, out[3] |= t->row[k] == s->h->nrow - 1;
    }
    for (int k = 0; k < 2; k++) {
        if (direction[k] < -LEVEL && !out[2 * k]) return false;
        if (direction[k] > LEVEL && !out[2 * k + 1]) return false;
    }
    return true;
}

// the point of the shape's core that is deepest below a triangle's plane
static void deepest_point(const tx_heights_triangle *t, const tx_convex *shape, double out[3]) {
    double back[3], local[3], point[3];
    v3_scale(back, t->normal, -1);
    m3_mul_transposed(local, shape->mat, back);
    tx_core_support(shape, local, point);
    m3_mul(out, shape->mat, point);
    v3_add(out, out, shape->pos);
}

// whether an edge of the triangle, opposite to corner k, lies across a normal of the surface
static bool lies_across(const scene *s, const tx_heights_triangle *t, int k, const double normal[3]) {
    if (v3_dot(normal, t->normal) > 1 - LEVEL * LEVEL) return true;
    double edge[3];
    v3_sub(edge, t->corner[(k + 2) % 3], t->corner[(k + 1) % 3]);
    return fabs(v3_dot(edge, normal)) < ACROSS * v3_length(edge) && tx_heights_faces(s->h, t, k, normal, LEVEL);
}

// A flat face on an edge of the field touches all along it: the ends of the part of the edge that is inside the shape,
// with their depths along the normal. A wedge is deepest between them.
// returns whether there were any
static bool edge_hits(scene *s, const tx_heights_triangle *t, const tx_convex *shape, const double normal[3],
                      double dist) {
    double back[3], out[3], corner[3][3];
    v3_scale(back, normal, -1);
    m3_mul_transposed(out, shape->mat, back);
    for (int k = 0; k < 3; k++) {
        double way[3];
        v3_sub(way, t->corner[k], shape->pos);
        m3_mul_transposed(corner[k], shape->mat, way);
    }
    bool any = false;
    for (int k = 0; k < 3; k++) {
        const int from = (k + 1) % 3, to = (k + 2) % 3;
        double edge[3], range[2];
        v3_sub(edge, corner[to], corner[from]);
        if (!lies_across(s, t, k, normal) || !tx_chord(s->other, corner[from], edge, range)) continue;
        double first = fmax(range[0], 0), last = fmin(range[1], 1);
        for (int i = 0; i < 3 && first <= last; i++) {
            double at = first + i * (last - first) / 2, point[3], exit[2], on_field[3];
            v3_along(point, corner[from], edge, at);
            // half as deep as the deepest is worth a point
            if (!tx_chord(s->other, point, out, exit) || !(exit[1] > -dist / 2)) continue;
            for (int j = 0; j < 3; j++) on_field[j] = t->corner[from][j] + at * (t->corner[to][j] - t->corner[from][j]);
            add(s, -exit[1], on_field, normal, field_part(s->h, t, k), search_part(s, t, i));
            any = true;
        }
    }
    return any;
}

// whether the triangle and all around it lie in one plane
static bool amid_plane(const scene *s, const tx_heights_triangle *t) {
    double down[3];
    v3_scale(down, t->normal, -1);
    for (int k = 3; k < 6; k++)
        if (!tx_heights_faces(s->h, t, k, t->normal, LEVEL) || !tx_heights_faces(s->h, t, k, down, LEVEL)) return false;
    return true;
}

// the prism below a triangle against the shape: a hit where its normal is one of the whole surface.
// returns whether they overlap
static bool prism_hit(scene *s, const tx_heights_triangle *t, const tx_convex *shape) {
    double points[6][3], deepest[3], from[3], foot[3], at[3];
    deepest_point(t, shape, deepest);
    v3_sub(from, deepest, t->corner[0]);
    double height = v3_dot(from, t->normal);
    if (!(height - shape->radius < s->margin)) return false;
    // over the triangle itself it is a point like a corner
    v3_along(foot, deepest, t->normal, -height);
    if (tx_triangle_nearest(t->corner, foot, at) < 0) ball(s, deepest, shape->radius, search_part(s, t, DEEPEST));
    // where the ground is flat a shape touches with its own corners; the ends of what lies on it are elsewhere
    if (amid_plane(s, t)) return false;

    for (int k = 0; k < 3; k++) {
        v3_copy(points[k], t->corner[k]);
        v3_set(points[3 + k], t->corner[k][0], t->corner[k][1], s->base);
    }
    tx_convex prism = {.mat = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    tx_convex_points(&prism, points[0], 6, NULL, NULL, NULL);
    tx_convex_result found;
    if (!tx_convex_distance(&prism, shape, s->margin, &found) || found.beyond) return false;
    const double *normal = found.normal;
    uint32_t of_field = tx_part_face(triangle_number(s->h, t)), of_shape = search_part(s, t, PRISM);
    if (normal[2] > LEVEL) {
        if (!tx_heights_faces(s->h, t, farthest_part(t, normal), normal, LEVEL)) return found.dist < 0;
        bool level = v3_dot(normal, t->normal) > 1 - LEVEL * LEVEL;
        if (level) normal = t->normal;
        if (found.dist < 0 && edge_hits(s, t, shape, normal, found.dist)) return true;
        // the deepest point of a round shape is known already
        if (!level || found.dist >= 0 || s->hits.count == 0 || shape->core == TX_CORE_POINTS ||
            shape->core == TX_CORE_BOX || shape->core == TX_CORE_CYLINDER)
            add(s, found.dist, found.on_a, normal, of_field, of_shape);
    } else if (leaves_solid(s, t, normal)) {
        add(s, found.dist, found.on_a, normal, of_field, of_shape);
    }
    return found.dist < 0;
}

// a shape that overlaps but shows no good normal is deep inside: up, against the triangle over its middle
static void push_up(scene *s, const tx_convex *shape) {
    const double *p = shape->pos;
    tx_heights_range cell = tx_heights_cells(s->h, p, p);
    if (cell.row[1] < cell.row[0] || cell.column[1] < cell.column[0]) return;
    tx_heights_triangle t;
    tx_heights_triangle_at(s->h, cell.row[1], cell.column[1], 0, &t);
    // beyond the cut from corner to corner it is the other one
    if ((p[0] - t.corner[0][0]) / (t.corner[1][0] - t.corner[0][0]) +
            (p[1] - t.corner[0][1]) / (t.corner[2][1] - t.corner[0][1]) >
        1)
        tx_heights_triangle_at(s->h, cell.row[1], cell.column[1], 1, &t);
    double at[3], from[3];
    deepest_point(&t, shape, at);
    v3_along(at, at, t.normal, -shape->radius);
    v3_sub(from, at, t.corner[0]);
    double dist = v3_dot(from, t.normal);
    v3_along(at, at, t.normal, -dist);
    add(s, dist, at, t.normal, tx_part_face(triangle_number(s->h, &t)), search_part(s, &t, PRISM));
}

static void convex_hits(scene *s, const tx_convex *shape) {
    tx_heights_range cells = tx_heights_cells(s->h, s->low, s->high);
    bool overlap = false;
    for (int r = cells.row[0]; r <= cells.row[1]; r++)
        for (int c = cells.column[0]; c <= cells.column[1]; c++)
            for (int half = 0; half < 2; half++) {
                tx_heights_triangle t;
                tx_heights_triangle_at(s->h, r, c, half, &t);
                double top = fmax(t.corner[0][2], fmax(t.corner[1][2], t.corner[2][2]));
                if (top >= s->low[2]) overlap = prism_hit(s, &t, shape) || overlap;
            }
    if (overlap && s->hits.count == 0) push_up(s, shape);
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

// bounds of a convex shape, the margin added
static void find_bounds(scene *s, const tx_convex *shape) {
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 2; side++) {
            double direction[3] = {0}, local[3], point[3], at[3];
            direction[k] = side ? 1 : -1;
            m3_mul_transposed(local, shape->mat, direction);
            tx_core_support(shape, local, point);
            m3_mul(at, shape->mat, point);
            *(side ? &s->high[k] : &s->low[k]) = at[k] + shape->pos[k] + direction[k] * (shape->radius + s->margin);
        }
}

// whether the shape is above all grid points of the cells below it, and so of all that it could meet
static bool is_above(const scene *s) {
    const tx_heights *h = s->h;
    const tx_heights_range cells = tx_heights_cells(h, s->low, s->high);
    double highest = -INFINITY;
    for (int r = cells.row[0]; r <= cells.row[1] + 1; r++) {
        const double *data = h->data + (size_t)r * (size_t)h->ncol;
        for (int c = cells.column[0]; c <= cells.column[1] + 1; c++) highest = data[c] > highest ? data[c] : highest;
    }
    highest *= h->size[2];
    return s->low[2] > highest + ROUNDING * (fabs(s->low[2]) + fabs(s->high[2]) + fabs(highest) + fabs(s->margin));
}

// the shape in the field's frame; false when they are far apart
static bool start(scene *s, const tx_shape *a, const tx_shape *b, double margin, tx_convex *shape) {
    double offset[3], mat[9], pos[3];
    v3_sub(offset, b->pos, a->pos);
    m3_mul_transposed(pos, a->mat, offset);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            mat[3 * i + j] = a->mat[i] * b->mat[j] + a->mat[3 + i] * b->mat[3 + j] + a->mat[6 + i] * b->mat[6 + j];
    // a mesh of any form counts by its box here
    tx_shape local = {b->type == TX_GEOM_SDF ? TX_GEOM_BOX : b->type, b->size, pos, mat, b->asset};
    const tx_heights *h = &a->asset->heights;
    if (!tx_convex_from_shape(shape, &local)) return false;
    s->h = h;
    s->other = b;
    s->margin = margin;
    s->hits.count = 0;
    find_bounds(s, shape);
    for (int k = 0; k < 2; k++)
        if (!(s->high[k] >= -h->size[k]) || !(s->low[k] <= h->size[k])) return false;
    if (!(s->low[2] <= h->size[2]) || !(s->high[2] >= -h->size[3])) return false;
    // the field of a mesh may touch a little outside of its bounds
    if (b->type != TX_GEOM_SDF && is_above(s)) return false;

    double extent = fmax(s->high[0] - s->low[0], fmax(s->high[1] - s->low[1], s->high[2] - s->low[2]));
    s->same = 1e-3 * extent;
    // what comes from above leaves upwards however thin the field is
    s->base = pos[2] > -h->size[3] ? fmin(-h->size[3], s->low[2] - 2 * extent) : -h->size[3];
    return true;
}

// to the world
static int finish(scene *s, const tx_shape *a, tx_hit *hits) {
    tx_hits_keep(&s->hits, TX_MAX_HITS);
    for (int i = 0; i < s->hits.count; i++) {
        const tx_hit *hit = &s->hits.item[i];
        hits[i] = (tx_hit){.dist = hit->dist, .feature = hit->feature};
        m3_mul(hits[i].pos, a->mat, hit->pos);
        v3_add(hits[i].pos, hits[i].pos, a->pos);
        m3_mul(hits[i].normal, a->mat, hit->normal);
    }
    return s->hits.count;
}

static bool has_heights(const tx_shape *s) {
    if (!s->asset || !s->asset->heights.data) return false;
    const double *size = s->asset->heights.size;
    return v_below(size, 4, TX_LONGEST) && fmin(size[0], size[1]) > 1 / TX_LONGEST;
}

static bool usable(const tx_shape *a, const tx_shape *b, int sizes, double margin) {
    return shape_usable(a, 0) && shape_usable(b, sizes) && isfinite(margin) && has_heights(a);
}

int tx_pair_hfield_sphere(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    scene s;
    tx_convex shape;
    if (!usable(a, b, 1, margin) || !start(&s, a, b, margin, &shape)) return 0;
    ball(&s, shape.pos, shape.radius, tx_part_corner(0));
    return finish(&s, a, hits);
}

// corner `number` of the shape, given in its own frame, with a radius around it
static void place_ball(scene *s, const tx_convex *shape, int number, double x, double y, double z) {
    double local[3] = {x, y, z}, at[3];
    m3_mul(at, shape->mat, local);
    v3_add(at, at, shape->pos);
    ball(s, at, shape->radius, tx_part_corner(number));
}

// both ends, then whatever the field lifts between them
int tx_pair_hfield_capsule(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    scene s;
    tx_convex shape;
    if (!usable(a, b, 2, margin) || !start(&s, a, b, margin, &shape)) return 0;
    place_ball(&s, &shape, 1, 0, 0, shape.size[0]);
    place_ball(&s, &shape, 0, 0, 0, -shape.size[0]);
    convex_hits(&s, &shape);
    return finish(&s, a, hits);
}

int tx_pair_hfield_ellipsoid(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    scene s;
    tx_convex shape;
    if (!usable(a, b, 3, margin) || !start(&s, a, b, margin, &shape)) return 0;
    convex_hits(&s, &shape);
    return finish(&s, a, hits);
}

// four points of each rim, the lowest among them
int tx_pair_hfield_cylinder(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    scene s;
    tx_convex shape;
    if (!usable(a, b, 2, margin) || !start(&s, a, b, margin, &shape)) return 0;
    double x = shape.mat[6], y = shape.mat[7], across = sqrt(x * x + y * y), radius = shape.size[0];
    x = across > LEVEL ? radius * x / across : radius, y = across > LEVEL ? radius * y / across : 0;
    for (int end = -1; end <= 1; end += 2) {
        double z = end * shape.size[1];
        int first = end > 0 ? 4 : 0;
        place_ball(&s, &shape, first, x, y, z);
        place_ball(&s, &shape, first + 1, -x, -y, z);
        place_ball(&s, &shape, first + 2, y, -x, z);
        place_ball(&s, &shape, first + 3, -y, x, z);
    }
    convex_hits(&s, &shape);
    return finish(&s, a, hits);
}

int tx_pair_hfield_box(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    scene s;
    tx_convex shape;
    if (!usable(a, b, 3, margin) || !start(&s, a, b, margin, &shape)) return 0;
    for (int i = 0; i < 8; i++)
        place_ball(&s, &shape, i, i & 1 ? b->size[0] : -b->size[0], i & 2 ? b->size[1] : -b->size[1],
                   i & 4 ? b->size[2] : -b->size[2]);
    convex_hits(&s, &shape);
    return finish(&s, a, hits);
}

// the corners of the convex hull
int tx_pair_hfield_mesh(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    scene s;
    tx_convex shape;
    if (!usable(a, b, 3, margin) || !b->asset || !start(&s, a, b, margin, &shape)) return 0;
    for (int i = 0; i < shape.point_count; i++) {
        const double *p = tx_convex_corner(&shape, i);
        place_ball(&s, &shape, i, p[0], p[1], p[2]);
    }
    convex_hits(&s, &shape);
    return finish(&s, a, hits);
}

// a grid point of the field against the distance of a mesh of any form: a hit where the field faces it
static void grid_point_hit(scene *s, const tx_convex *box, const tx_sdf *sdf, int row, int column) {
    tx_heights_triangle t;
    double from[3], local[3], gradient[3], normal[3];
    tx_heights_triangle_at(s->h, row, column, 0, &t);
    v3_sub(from, t.corner[0], box->pos);
    m3_mul_transposed(local, box->mat, from);
    double value = tx_sdf_value(sdf, local, gradient), length = v3_length(gradient);
    if (!(value < s->margin) || !(length > 0.5)) return;
    m3_mul(normal, box->mat, gradient);
    v3_scale(normal, normal, -1 / length);
    if (tx_heights_faces(s->h, &t, 3, normal, LEVEL))
        add(s, value, t.corner[0], normal, field_part(s->h, &t, 3), tx_part_face(0));
}

// the mesh's vertices on the field, then the field's grid points in the mesh
int tx_pair_hfield_sdf(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    scene s;
    tx_convex box;
    if (!usable(a, b, 3, margin) || !b->asset || !b->asset->sdf.value || !start(&s, a, b, margin, &box)) return 0;
    for (int i = 0; i < b->asset->vertex_count; i++) {
        const double *p = b->asset->vertex + 3 * i;
        // most are above the highest point
        double z = box.mat[6] * p[0] + box.mat[7] * p[1] + box.mat[8] * p[2] + box.pos[2];
        if (z < s.h->size[2] + margin) place_ball(&s, &box, i, p[0], p[1], p[2]);
    }
    tx_heights_range cells = tx_heights_cells(s.h, s.low, s.high);
    for (int r = cells.row[0]; r <= cells.row[1]; r++)
        for (int c = cells.column[0]; c <= cells.column[1]; c++) grid_point_hit(&s, &box, &b->asset->sdf, r, c);
    return finish(&s, a, hits);
}
