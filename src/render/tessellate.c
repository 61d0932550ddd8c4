// tessellate.c - shapes to triangles with smooth normals, as fine as the picture needs
#include "render_internal.h"

#include "base/memory.h"

static const float pi = 3.14159265f;

// a point of a profile that is turned about z: radius, height, and its normal
typedef struct {
    float r, z, nr, nz;
} ring;

enum { MAX_SEGMENTS = 128, MAX_RINGS = MAX_SEGMENTS / 2 + 4 };

// where a shape stands; local = scale * unit shape
typedef struct {
    tx_tris *tris;
    vec3 pos, x, y, z;
    vec3 scale;
    tx_surface surface;
    bool failed;
} placement;

static void begin_surface(placement *at) {
    tx_tris *t = at->tris;
    void *array = t->surfaces;
    if (!tx_render_grow(&array, &t->surface_capacity, t->surface_count + 1, sizeof(tx_surface))) at->failed = true;
    t->surfaces = (tx_surface *)array;
    at->surface.first = t->triangle_count;
    if (!at->failed) t->surfaces[t->surface_count++] = at->surface;
}

// room for more vertices and triangles; the index of the first new vertex, or -1
static int reserve(placement *at, int vertices, int triangles) {
    tx_tris *t = at->tris;
    void *v = t->vertices, *f = t->triangles;
    bool room = tx_render_grow(&v, &t->vertex_capacity, t->vertex_count + vertices, sizeof(tx_vertex));
    t->vertices = (tx_vertex *)v;
    room = room && tx_render_grow(&f, &t->triangle_capacity, t->triangle_count + triangles, sizeof(tx_triangle));
    t->triangles = (tx_triangle *)f;
    at->failed = at->failed || !room;
    return at->failed ? -1 : t->vertex_count;
}

static void put_vertex(placement *at, vec3 local, vec3 normal) {
    vec3 p = mul3(local, at->scale);
    vec3 n = v3(normal.x / at->scale.x, normal.y / at->scale.y, normal.z / at->scale.z);
    tx_vertex *v = &at->tris->vertices[at->tris->vertex_count++];
    v->pos = axpy3(p.x, at->x, axpy3(p.y, at->y, axpy3(p.z, at->z, at->pos)));
    v->normal = unit3(axpy3(n.x, at->x, axpy3(n.y, at->y, scale3(at->z, n.z))));
}

static void put_triangle(placement *at, int a, int b, int c) {
    tx_tris *t = at->tris;
    t->triangles[t->triangle_count++] = (tx_triangle){{a, b, c}, t->surface_count - 1};
}

// turns a profile, from its low end to its high end, about z
static void revolve(placement *at, const ring *profile, int rings, int segments) {
    begin_surface(at);
    int first = reserve(at, rings * segments, 2 * (rings - 1) * segments);
    if (first < 0) return;
    for (int i = 0; i < rings; i++)
        for (int j = 0; j < segments; j++) {
            float c = cosf(2 * pi * (float)j / (float)segments);
            float s = sinf(2 * pi * (float)j / (float)segments);
            ring p = profile[i];
            put_vertex(at, v3(p.r * c, p.r * s, p.z), v3(p.nr * c, p.nr * s, p.nz));
        }
    for (int i = 0; i + 1 < rings; i++)
        for (int j = 0; j < segments; j++) {
            int a = first + i * segments + j, b = first + i * segments + (j + 1) % segments;
            // at a pole the quad is one triangle
            if (profile[i].r > 0) put_triangle(at, a, b, profile[i + 1].r > 0 ? b + segments : a + segments);
            if (profile[i + 1].r > 0) put_triangle(at, a, b + segments, a + segments);
        }
}

// an arc of a circle about (0, z) from one polar angle to another, -pi/2 .. pi/2
static int arc(ring *out, float radius, float z, float from, float to, int steps) {
    for (int i = 0; i <= steps; i++) {
        float a = from + (to - from) * (float)i / (float)steps, c = cosf(a), s = sinf(a);
        // the poles are exact, so that they are seen as poles
        if (fabsf(a) > pi / 2 - 1e-4f) c = 0;
        out[i] = (ring){radius * c, z + radius * s, c, s};
    }
    return steps + 1;
}

static void sphere(placement *at, float radius, int segments) {
    ring p[MAX_RINGS];
    revolve(at, p, arc(p, radius, 0, -pi / 2, pi / 2, segments / 2), segments);
}

static void capsule(placement *at, float radius, float half, int segments) {
    ring p[MAX_RINGS];
    int n = arc(p, radius, -half, -pi / 2, 0, segments / 4);
    n += arc(p + n, radius, half, 0, pi / 2, segments / 4);
    revolve(at, p, n, segments);
}

// a frustum of a cone, closed by discs where asked
static void frustum(placement *at, float r0, float z0, float r1, float z1, bool low_cap, bool high_cap, int segments) {
    float norm = maxf(hypotf(z1 - z0, r0 - r1), 1e-30f), nr = (z1 - z0) / norm, nz = (r0 - r1) / norm;
    ring side[2] = {{r0, z0, nr, nz}, {r1, z1, nr, nz}};
    revolve(at, side, 2, segments);
    if (low_cap) revolve(at, (ring[2]){{0, z0, 0, -1}, {r0, z0, 0, -1}}, 2, segments);
    if (high_cap) revolve(at, (ring[2]){{r1, z1, 0, 1}, {0, z1, 0, 1}}, 2, segments);
}

// a shaft and a cone head; short arrows keep their proportions
static void arrow(placement *at, float radius, float length, int segments) {
    float r = minf(radius, 0.08f * length), head = minf(7 * r, 0.45f * length);
    frustum(at, r, 0, r, length - head, true, false, segments);
    frustum(at, 2.5f * r, length - head, 0, length, true, false, segments);
}

static void quad(placement *at, vec3 center, vec3 u, vec3 v, vec3 normal) {
    begin_surface(at);
    int a = reserve(at, 4, 2);
    if (a < 0) return;
    put_vertex(at, sub3(sub3(center, u), v), normal);
    put_vertex(at, sub3(add3(center, u), v), normal);
    put_vertex(at, add3(add3(center, u), v), normal);
    put_vertex(at, add3(sub3(center, u), v), normal);
    put_triangle(at, a, a + 1, a + 2);
    put_triangle(at, a, a + 2, a + 3);
}

static void box(placement *at, vec3 h) {
    vec3 x = v3(h.x, 0, 0), y = v3(0, h.y, 0), z = v3(0, 0, h.z);
    vec3 nx = v3(1, 0, 0), ny = v3(0, 1, 0), nz = v3(0, 0, 1);
    quad(at, x, y, z, nx);
    quad(at, scale3(x, -1), z, y, scale3(nx, -1));
    quad(at, y, z, x, ny);
    quad(at, scale3(y, -1), x, z, scale3(ny, -1));
    quad(at, z, x, y, nz);
    quad(at, scale3(z, -1), y, x, scale3(nz, -1));
}

// a rectangle; an infinite edge reaches beyond the fog, centred below the eye
static void plane(placement *at, const tx_view *view, const tx_draw *draw) {
    vec3 eye = sub3(view->eye, at->pos);
    float far_edge = 60 * view->distance + 4 * fabsf(dot3(eye, at->z));
    float hx = (float)draw->size[0], hy = (float)draw->size[1];
    vec3 center = v3(hx > 0 ? 0 : dot3(eye, at->x), hy > 0 ? 0 : dot3(eye, at->y), 0);
    hx = hx > 0 ? hx : far_edge;
    hy = hy > 0 ? hy : far_edge;
    quad(at, center, v3(hx, 0, 0), v3(0, hy, 0), v3(0, 0, 1));
}

static float depth_of(const tx_view *view, vec3 p) {
    return maxf(dot3(sub3(p, view->eye), view->forward), view->near_depth);
}

// a tube as wide on the picture at both ends
static void line(placement *at, const tx_view *view, float width, float length) {
    float r = 0.5f * (width > 0 ? width : 2) * view->pixel;
    vec3 end = axpy3(length, at->z, at->pos);
    frustum(at, r * depth_of(view, at->pos), 0, r * depth_of(view, end), length, true, true, 8);
}

// segments of a circle so that its chords stay within an eighth of a pixel of it
static int circle_segments(const tx_view *view, vec3 center, float radius, float extent) {
    float depth = maxf(dot3(sub3(center, view->eye), view->forward) - extent, 4 * view->near_depth);
    float pixels = radius / (depth * view->pixel);
    int n = 4 * (int)ceilf(pi * sqrtf(4 * pixels) / 4);
    return n < 12 ? 12 : n > MAX_SEGMENTS ? MAX_SEGMENTS : n;
}

// ---- meshes --------------------------------------------------------------------------------------------------------

// which faces meet at each vertex: those of vertex v are list[first[v]] to list[first[v + 1] - 1]
typedef struct {
    int *first, *list;
    vec3 *normal; // per face
} incidence;

static bool find_incidence(const tx_draw *draw, incidence *at) {
    const size_t corners = 3 * (size_t)draw->face_count, vertices = (size_t)draw->vertex_count;
    at->first = tx_alloc((vertices + 2) * sizeof *at->first);
    at->list = tx_alloc(corners * sizeof *at->list);
    at->normal = tx_alloc((size_t)draw->face_count * sizeof *at->normal);
    if (!at->first || !at->list || !at->normal) return false;
    for (size_t i = 0; i < corners; i++) at->first[draw->faces[i] + 2]++;
    for (size_t v = 0; v < vertices; v++) at->first[v + 2] += at->first[v + 1];
    for (size_t i = 0; i < corners; i++) at->list[at->first[draw->faces[i] + 1]++] = (int)(i / 3);
    return true;
}

static vec3 mesh_vertex(const tx_draw *draw, int i) {
    const double *v = draw->vertices + 3 * (size_t)i;
    return v3((float)v[0], (float)v[1], (float)v[2]);
}

// the mean of the faces around a vertex that stand less than 37 degrees to this one: creases stay sharp
static vec3 corner_normal(const incidence *at, int face, int vertex) {
    vec3 sum = v3(0, 0, 0), own = at->normal[face];
    for (int k = at->first[vertex]; k < at->first[vertex + 1]; k++) {
        vec3 other = at->normal[at->list[k]];
        if (dot3(own, other) > 0.8f) sum = add3(sum, other);
    }
    return unit3(length3(sum) > 0 ? sum : own);
}

static void mesh(placement *at, const tx_draw *draw) {
    incidence around = {0};
    if (!find_incidence(draw, &around)) at->failed = true;
    if (!at->failed) begin_surface(at);
    int first = at->failed ? -1 : reserve(at, 3 * draw->face_count, draw->face_count);
    for (int f = 0; first >= 0 && f < draw->face_count; f++) {
        const int *v = draw->faces + 3 * (size_t)f;
        vec3 a = mesh_vertex(draw, v[0]);
        around.normal[f] = unit3(cross3(sub3(mesh_vertex(draw, v[1]), a), sub3(mesh_vertex(draw, v[2]), a)));
    }
    for (int f = 0; first >= 0 && f < draw->face_count; f++) {
        for (int k = 0; k < 3; k++) {
            int v = draw->faces[3 * (size_t)f + (size_t)k];
            put_vertex(at, mesh_vertex(draw, v), corner_normal(&around, f, v));
        }
        put_triangle(at, first + 3 * f, first + 3 * f + 1, first + 3 * f + 2);
    }
    tx_free(around.first);
    tx_free(around.list);
    tx_free(around.normal);
}

static bool is_marker(tx_draw_kind kind) {
    return kind == TX_DRAW_ARROW || kind == TX_DRAW_DISC || kind == TX_DRAW_LINE;
}

static bool tessellate(const tx_scene *scene, int index, const tx_view *view, tx_tris *tris) {
    const tx_draw *draw = &scene->draws[index];
    const double *m = draw->mat;
    placement at = {.tris = tris, .scale = v3(1, 1, 1)};
    at.pos = v3((float)(draw->pos[0] - view->origin[0]), (float)(draw->pos[1] - view->origin[1]),
                (float)(draw->pos[2] - view->origin[2]));
    at.x = v3((float)m[0], (float)m[3], (float)m[6]);
    at.y = v3((float)m[1], (float)m[4], (float)m[7]);
    at.z = v3((float)m[2], (float)m[5], (float)m[8]);
    bool on_top = draw->flags & TX_DRAW_FLAG_ON_TOP;
    at.surface = (tx_surface){
        .draw = index,
        .layer = on_top              ? LAYER_ON_TOP
                 : draw->rgba[3] < 1 ? LAYER_TRANSPARENT
                                     : LAYER_OPAQUE,
        .casts = !on_top && !(draw->flags & TX_DRAW_FLAG_NO_SHADOW) && draw->rgba[3] >= 0.5f &&
                 draw->kind != TX_DRAW_PLANE && !is_marker(draw->kind),
        .marker = is_marker(draw->kind),
    };

    vec3 size = v3((float)draw->size[0], (float)draw->size[1], (float)draw->size[2]);
    float largest = maxf(size.x, maxf(size.y, size.z));
    int segments = circle_segments(view, at.pos, size.x, largest);
    float screen = view->pixel * (float)view->height * depth_of(view, at.pos);
    switch (draw->kind) {
    case TX_DRAW_PLANE: plane(&at, view, draw); break;
    case TX_DRAW_SPHERE: sphere(&at, size.x, segments); break;
    case TX_DRAW_CAPSULE: capsule(&at, size.x, size.y, segments); break;
    case TX_DRAW_BOX: box(&at, size); break;
    case TX_DRAW_CYLINDER: frustum(&at, size.x, -size.y, size.x, size.y, true, true, segments); break;
    case TX_DRAW_ELLIPSOID:
        at.scale = size;
        sphere(&at, 1, circle_segments(view, at.pos, largest, largest));
        break;
    case TX_DRAW_MESH: mesh(&at, draw); break;
    case TX_DRAW_ARROW: arrow(&at, size.x > 0 ? size.x : screen / 200, size.z, 32); break;
    case TX_DRAW_DISC: {
        float radius = size.x > 0 ? size.x : screen / 100;
        frustum(&at, radius, -0.05f * radius, radius, 0.05f * radius, true, true, 32);
        break;
    }
    case TX_DRAW_LINE: line(&at, view, size.x, size.z); break;
    case TX_DRAW_COUNT: break;
    }
    return !at.failed;
}

bool tx_tris_build(const tx_scene *scene, const tx_view *view, tx_tris *tris) {
    *tris = (tx_tris){0};
    for (int i = 0; i < scene->count; i++)
        if (scene->draws[i].rgba[3] > 0 && !tessellate(scene, i, view, tris)) return false;
    return true;
}

void tx_tris_free(tx_tris *tris) {
    tx_free(tris->vertices);
    tx_free(tris->triangles);
    tx_free(tris->surfaces);
    *tris = (tx_tris){0};
}
