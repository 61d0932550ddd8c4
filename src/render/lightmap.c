// lightmap.c - shadow maps of parallel lights: depth of the first caster, filtered when read
#include "render_internal.h"

#include "base/memory.h"

static const float nothing = 1e30f;

typedef struct {
    float u, v, depth; // texels, texels, m away from the light
} map_point;

static inline map_point to_map(const tx_lightmap *map, vec3 p) {
    return (map_point){dot3(p, map->to_u) + map->u0, dot3(p, map->to_v) + map->v0,
                       map->depth0 - dot3(p, map->to_light)};
}

// nearest depth at texel centres; both faces of a triangle cast
static void draw(tx_lightmap *map, map_point a, map_point b, map_point c) {
    float x0 = minf(a.u, minf(b.u, c.u)), x1 = maxf(a.u, maxf(b.u, c.u));
    float y0 = minf(a.v, minf(b.v, c.v)), y1 = maxf(a.v, maxf(b.v, c.v));
    float top = (float)map->size;
    if (!(x1 >= 0 && y1 >= 0 && x0 < top && y0 < top)) return;
    float area = (b.u - a.u) * (c.v - a.v) - (c.u - a.u) * (b.v - a.v);
    if (fabsf(area) < 1e-12f) return;
    // texels whose centres it may cover; coordinates are not negative after the clamp
    int i0 = (int)maxf(x0 + 0.5f, 0), i1 = (int)minf(x1 + 0.5f, top) - 1;
    int j0 = (int)maxf(y0 + 0.5f, 0), j1 = (int)minf(y1 + 0.5f, top) - 1;
    // barycentric weights of b and c are linear in (u, v)
    float bu = (c.v - a.v) / area, bv = -(c.u - a.u) / area;
    float cu = -(b.v - a.v) / area, cv = (b.u - a.u) / area;
    const float edge = -1e-4f;
    for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++) {
            float du = (float)i + 0.5f - a.u, dv = (float)j + 0.5f - a.v;
            float wb = du * bu + dv * bv, wc = du * cu + dv * cv;
            if (wb < edge || wc < edge || wb + wc > 1 - edge) continue;
            float depth = a.depth + wb * (b.depth - a.depth) + wc * (c.depth - a.depth);
            float *texel = &map->depth[j * map->size + i];
            *texel = depth < *texel ? depth : *texel;
        }
}

// the least depth of every block and its neighbours: most points are seen to be lit there
static void fill_blocks(tx_lightmap *map) {
    int n = map->blocks, edge = 1 << map->shift;
    for (int i = 0; i < n * n; i++) map->block_depth[i] = nothing;
    for (int i = 0; i < n * n; i++) {
        int u0 = i % n * edge, v0 = i / n * edge;
        float least = nothing;
        for (int v = v0; v < v0 + edge && v < map->size; v++)
            for (int u = u0; u < u0 + edge && u < map->size; u++) least = minf(least, map->depth[v * map->size + u]);
        map->top_depth = minf(map->top_depth, least);
        for (int y = i / n - 1; y <= i / n + 1; y++)
            for (int x = i % n - 1; x <= i % n + 1; x++)
                if (x >= 0 && y >= 0 && x < n && y < n)
                    map->block_depth[y * n + x] = minf(map->block_depth[y * n + x], least);
    }
}

bool tx_lightmap_make(const tx_tris *tris, vec3 center, float radius, vec3 to_light, int size, tx_lightmap *map) {
    // a frame about the light, and a margin of four texels around what casts
    vec3 helper = fabsf(to_light.z) < 0.9f ? v3(0, 0, 1) : v3(1, 0, 0);
    *map = (tx_lightmap){.to_light = to_light, .size = size};
    map->right = unit3(cross3(helper, to_light));
    map->up = cross3(to_light, map->right);
    map->texel = 2 * radius / (float)(size - 8);
    map->to_u = scale3(map->right, 1 / map->texel);
    map->to_v = scale3(map->up, 1 / map->texel);
    map->u0 = 0.5f * (float)size - dot3(center, map->to_u);
    map->v0 = 0.5f * (float)size - dot3(center, map->to_v);
    map->depth0 = dot3(center, to_light);
    map->shift = size >= 1024 ? 5 : 3;
    map->blocks = (size >> map->shift) + 1;
    map->top_depth = nothing;
    map->depth = tx_alloc((size_t)size * (size_t)size * sizeof(float));
    map->block_depth = tx_alloc((size_t)map->blocks * (size_t)map->blocks * sizeof(float));
    map_point *points = tx_alloc((size_t)tris->vertex_count * sizeof(map_point));
    bool room = map->depth && map->block_depth && points;
    if (room) {
        for (int i = 0; i < size * size; i++) map->depth[i] = nothing;
        for (int i = 0; i < tris->vertex_count; i++) points[i] = to_map(map, tris->vertices[i].pos);
        for (int i = 0; i < tris->triangle_count; i++) {
            const tx_triangle *t = &tris->triangles[i];
            if (!tris->surfaces[t->surface].casts) continue;
            draw(map, points[t->vertex[0]], points[t->vertex[1]], points[t->vertex[2]]);
        }
        fill_blocks(map);
    }
    tx_free(points);
    return room;
}

void tx_lightmap_free(tx_lightmap *map) {
    tx_free(map->depth);
    tx_free(map->block_depth);
}

// the receiver near p is taken as its tangent plane, so that a wide filter does not see the
// receiver itself as its own caster; depth of that plane per texel
typedef struct {
    float u, v;
} slope;

static inline slope receiver_slope(const tx_lightmap *map, vec3 normal) {
    float scale = map->texel / maxf(dot3(normal, map->to_light), 0.15f);
    return (slope){dot3(normal, map->right) * scale, dot3(normal, map->up) * scale};
}

static inline float depth_at(const tx_lightmap *map, float u, float v) {
    float top = (float)map->size;
    if (!(u >= 0 && v >= 0 && u < top && v < top)) return nothing;
    return map->depth[(int)v * map->size + (int)u];
}

// share of the light that passes at (u, v): four texels compared, then blended
static inline float compare(const tx_lightmap *map, float u, float v, float depth) {
    float top = (float)(map->size - 1), du = u - 0.5f, dv = v - 0.5f;
    if (!(du >= 0 && dv >= 0 && du < top && dv < top)) return 1;
    int i = (int)du, j = (int)dv;
    const float *row = &map->depth[j * map->size + i], *next = row + map->size;
    float a = du - (float)i, b = dv - (float)j;
    float low = (row[0] >= depth ? 1 - a : 0) + (row[1] >= depth ? a : 0);
    float high = (next[0] >= depth ? 1 - a : 0) + (next[1] >= depth ? a : 0);
    return low + b * (high - low);
}

// true if no caster within a block of (u, v) is nearer to the light than this depth
static inline bool surely_lit(const tx_lightmap *map, map_point p, float depth) {
    float top = (float)map->size - 1, u = clampf(p.u, 0, top), v = clampf(p.v, 0, top);
    if (fabsf(p.u - u) + fabsf(p.v - v) > (float)(1 << map->shift)) return true;
    int i = (int)u >> map->shift, j = (int)v >> map->shift;
    return map->block_depth[j * map->blocks + i] >= depth;
}

float tx_lightmap_visible(const tx_lightmap *map, vec3 p) {
    map_point m = to_map(map, p);
    return surely_lit(map, m, m.depth) ? 1 : compare(map, m.u, m.v, m.depth);
}

// percentage-closer soft shadows (Fernando 2005): the mean caster above the point sets how wide
// the filter is; both look along a sunflower spiral
float tx_lightmap_soft(const tx_lightmap *map, vec3 p, vec3 normal, float light_size) {
    enum { SEARCH = 16, FILTER = 32 };
    const float widest = 24; // texels, less than a block
    map_point m = to_map(map, axpy3(map->texel, normal, p));
    slope s = receiver_slope(map, normal);
    float steep = fabsf(s.u) + fabsf(s.v), bias = 0.5f * map->texel + 0.25f * steep;
    if (surely_lit(map, m, m.depth + widest * steep)) return 1;

    // mean depth of casters within the largest possible filter
    float reach = clampf((m.depth - map->top_depth) * light_size / map->texel, 2, widest);
    const float turn_cos = -0.73736888f, turn_sin = 0.67549029f; // golden angle
    float c = 1, n = 0, sum = 0, sn = 0;
    for (int k = 0; k < SEARCH; k++) {
        float r = reach * sqrtf(((float)k + 0.5f) / SEARCH), du = r * c, dv = r * sn;
        float depth = depth_at(map, m.u + du, m.v + dv);
        if (depth < m.depth + du * s.u + dv * s.v - bias) {
            sum += m.depth - depth;
            n++;
        }
        float turned = c * turn_cos - sn * turn_sin;
        sn = c * turn_sin + sn * turn_cos;
        c = turned;
    }
    // the filter below is never wider than this search
    if (n == 0 || n == SEARCH) return n == 0 ? 1 : 0;

    // penumbra radius by similar triangles
    float radius = clampf(sum / n * light_size / map->texel, 1.5f, widest);
    float lit = 0;
    c = 1, sn = 0;
    for (int k = 0; k < FILTER; k++) {
        float r = radius * sqrtf(((float)k + 0.5f) / FILTER), du = r * c, dv = r * sn;
        lit += compare(map, m.u + du, m.v + dv, m.depth + du * s.u + dv * s.v - bias);
        float turned = c * turn_cos - sn * turn_sin;
        sn = c * turn_sin + sn * turn_cos;
        c = turned;
    }
    return lit / FILTER;
}
