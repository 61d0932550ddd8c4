// shade.c - light: one sun with soft shadow, a sky of many small lights, floor, fog
#include "render_internal.h"

// linear radiance of the lights; a white, open, level floor comes out near 1
static const vec3 sun_light = {0.84f, 0.78f, 0.68f};
static const vec3 sky_light = {0.34f, 0.39f, 0.46f};
static const vec3 bounce_light = {0.20f, 0.18f, 0.16f};
static const vec3 horizon = {0.80f, 0.85f, 0.90f};
static const vec3 zenith = {0.26f, 0.42f, 0.64f};
// tangent of the sun's radius: larger than the real one, so that shadows are soft
static const float sun_size = 0.045f;

float tx_shade_linear(float s) { return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f); }

float tx_shade_srgb(float l) { return l <= 0.0031308f ? 12.92f * l : 1.055f * powf(l, 1 / 2.4f) - 0.055f; }

vec3 tx_shade_sky(vec3 ray) {
    float up = ray.z / length3(ray);
    float t = up > 0 ? 1 - (1 - up) * (1 - up) * (1 - up) : 0;
    return mix3(horizon, zenith, t);
}

static vec3 linear_colour(const float rgba[4]) {
    return v3(tx_shade_linear(rgba[0]), tx_shade_linear(rgba[1]), tx_shade_linear(rgba[2]));
}

// a sphere around the casters near the action; 0 casters: radius 0
static void bound_casters(const tx_tris *tris, const tx_view *view, vec3 *center, float *radius) {
    float far_away = 4 * view->distance;
    vec3 low = v3(far_away, far_away, far_away), high = scale3(low, -1);
    for (int i = 0; i < tris->triangle_count; i++) {
        const tx_triangle *t = &tris->triangles[i];
        if (!tris->surfaces[t->surface].casts) continue;
        for (int k = 0; k < 3; k++) {
            vec3 p = tris->vertices[t->vertex[k]].pos;
            p = v3(clampf(p.x, -far_away, far_away), clampf(p.y, -far_away, far_away),
                   clampf(p.z, -far_away, far_away));
            low = v3(minf(low.x, p.x), minf(low.y, p.y), minf(low.z, p.z));
            high = v3(maxf(high.x, p.x), maxf(high.y, p.y), maxf(high.z, p.z));
        }
    }
    *center = scale3(add3(low, high), 0.5f);
    *radius = low.x <= high.x ? 0.5f * length3(sub3(high, low)) + 1e-6f : 0;
}

// 1, 2 or 5 times a power of ten, about a third of the camera's distance
static float automatic_checker(float distance) {
    float raw = 0.3f * distance, power = powf(10, floorf(log10f(raw))), rest = raw / power;
    return power * (rest < 1.5f ? 1 : rest < 3.5f ? 2 : rest < 7.5f ? 5 : 10);
}

bool tx_shade_prepare(const tx_scene *scene, const tx_view *view, const tx_tris *tris, tx_shader *shader) {
    *shader = (tx_shader){.scene = scene, .view = view, .tris = tris};
    shader->checker = scene->checker > 0 ? (float)scene->checker : automatic_checker(view->distance);

    // the sun: as told, or over the camera's left shoulder
    vec3 ahead = unit3(cross3(v3(0, 0, 1), view->right));
    vec3 to_sun = add3(scale3(view->right, -0.62f), add3(scale3(ahead, -0.35f), v3(0, 0, 1)));
    if (scene->light_set) to_sun = v3((float)scene->light[0], (float)scene->light[1], (float)scene->light[2]);
    shader->to_sun = unit3(to_sun);

    // sky lights: a Fibonacci spiral over the upper half sphere, equal solid angles
    for (int i = 0; i < SKY_LIGHTS; i++) {
        float z = ((float)i + 0.5f) / SKY_LIGHTS, r = sqrtf(1 - z * z);
        float angle = 2.39996323f * (float)i;
        shader->sky_dir[i] = v3(r * cosf(angle), r * sinf(angle), z);
        shader->sky_norm += z;
    }

    bound_casters(tris, view, &shader->cast_center, &shader->cast_radius);
    shader->shadows = shader->cast_radius > 0;
    if (!shader->shadows) return true;
    vec3 center = shader->cast_center;
    float radius = shader->cast_radius;
    // maps as fine as the picture deserves
    int size = view->height > 480 ? 2048 : 1024, sky_size = size / 8;
    bool room = tx_lightmap_make(tris, center, radius, shader->to_sun, size, &shader->sun);
    for (int i = 0; i < SKY_LIGHTS && room; i++)
        room = tx_lightmap_make(tris, center, radius, shader->sky_dir[i], sky_size, &shader->sky[i]);
    return room;
}

void tx_shade_free(tx_shader *shader) {
    tx_lightmap_free(&shader->sun);
    for (int i = 0; i < SKY_LIGHTS; i++) tx_lightmap_free(&shader->sky[i]);
}

// true if a ray may meet the sphere around the casters, `to_center` from its start
static inline bool meets_casters(const tx_shader *sh, vec3 to_center, float distance2, vec3 ray) {
    float along = dot3(to_center, ray), radius = sh->cast_radius;
    return along > -radius && distance2 - along * along < radius * radius;
}

// light that reaches a point from the whole sky and, from below, off the floor
static vec3 ambient(const tx_shader *sh, vec3 p, vec3 n) {
    // all sky maps have texels of one size
    vec3 above = axpy3(1.5f * sh->sky[0].texel, n, p), to_center = sub3(sh->cast_center, p);
    float distance2 = dot3(to_center, to_center), below = 0.5f - 0.5f * n.z;
    float sky = 0, seen = 0, most = 1e-6f;
    for (int i = 0; i < SKY_LIGHTS; i++) {
        // lights a little below the surface tell how open the place is for bounced light
        float facing = dot3(n, sh->sky_dir[i]), open = facing + 0.4f * below;
        if (open <= 0) continue;
        most += open;
        float visible = 1;
        if (sh->shadows && meets_casters(sh, to_center, distance2, sh->sky_dir[i]))
            visible = tx_lightmap_visible(&sh->sky[i], above);
        sky += facing > 0 ? facing * visible : 0;
        seen += open * visible;
    }
    vec3 bounce = scale3(bounce_light, below * (0.3f + 0.7f * seen / most));
    return axpy3(sky / sh->sky_norm, sky_light, bounce);
}

// share of dark squares in a pixel's footprint: the checker integrated over a box (Quilez)
static float checker(float x, float y, float wx, float wy) {
    float p[2] = {x, y}, w[2] = {wx, wy}, i[2];
    for (int k = 0; k < 2; k++) {
        float a = 0.5f * (p[k] - 0.5f * w[k]), b = 0.5f * (p[k] + 0.5f * w[k]);
        i[k] = 2 * (fabsf(a - floorf(a) - 0.5f) - fabsf(b - floorf(b) - 0.5f)) / w[k];
    }
    return 0.5f - 0.5f * i[0] * i[1];
}

static vec3 floor_colour(const tx_shader *sh, const tx_draw *draw, vec3 p, vec3 ray, float depth) {
    const tx_view *v = sh->view;
    const double *m = draw->mat;
    vec3 x = v3((float)m[0], (float)m[3], (float)m[6]), y = v3((float)m[1], (float)m[4], (float)m[7]);
    vec3 z = v3((float)m[2], (float)m[5], (float)m[8]);
    // how far one pixel moves the point on the plane, right and up
    float steep = minf(dot3(ray, z), -1e-6f), step = depth * v->pixel;
    vec3 right = scale3(axpy3(-dot3(v->right, z) / steep, ray, v->right), step);
    vec3 up = scale3(axpy3(-dot3(v->up, z) / steep, ray, v->up), step);
    float edge = sh->checker;
    float wx = (fabsf(dot3(right, x)) + fabsf(dot3(up, x))) / edge + 1e-4f;
    float wy = (fabsf(dot3(right, y)) + fabsf(dot3(up, y))) / edge + 1e-4f;
    // plane coordinates in squares, folded to a period in double
    double q[3];
    const float at[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) q[i] = at[i] + v->origin[i] - draw->pos[i];
    double u = (q[0] * m[0] + q[1] * m[3] + q[2] * m[6]) / edge;
    double w = (q[0] * m[1] + q[1] * m[4] + q[2] * m[7]) / edge;
    float dark = checker((float)(u - 2 * floor(u / 2)), (float)(w - 2 * floor(w / 2)), wx, wy);
    vec3 light = linear_colour(draw->rgba);
    return mix3(light, mul3(light, v3(0.76f, 0.79f, 0.83f)), dark);
}

// how much of the second and of the third corner a point of the triangle's plane is; false: it has no area
static bool shares_at(const tx_tris *tris, const tx_triangle *t, vec3 p, float *wb, float *wc) {
    vec3 a = tris->vertices[t->vertex[0]].pos;
    vec3 e1 = sub3(tris->vertices[t->vertex[1]].pos, a), e2 = sub3(tris->vertices[t->vertex[2]].pos, a), d = sub3(p, a);
    float d11 = dot3(e1, e1), d12 = dot3(e1, e2), d22 = dot3(e2, e2);
    float d1 = dot3(d, e1), d2 = dot3(d, e2), det = d11 * d22 - d12 * d12;
    if (!(det > 0)) return false;
    *wb = (d22 * d1 - d12 * d2) / det, *wc = (d11 * d2 - d12 * d1) / det;
    return true;
}

// normal where the ray meets the triangle, blended from its corners
static vec3 normal_at(const tx_tris *tris, const tx_triangle *t, vec3 p) {
    const tx_vertex *a = &tris->vertices[t->vertex[0]], *b = &tris->vertices[t->vertex[1]];
    const tx_vertex *c = &tris->vertices[t->vertex[2]];
    float wb, wc;
    if (!shares_at(tris, t, p, &wb, &wc)) return a->normal;
    wb = clampf(wb, 0, 1), wc = clampf(wc, 0, 1 - wb);
    return unit3(axpy3(wb, b->normal, axpy3(wc, c->normal, scale3(a->normal, 1 - wb - wc))));
}

// ---- textures ------------------------------------------------------------------------------------------------------

// a point, or a direction, in the frame of a shape
static void into_shape(const tx_draw *draw, const double world[3], double local[3]) {
    for (int k = 0; k < 3; k++)
        local[k] = draw->mat[k] * world[0] + draw->mat[3 + k] * world[1] + draw->mat[6 + k] * world[2];
}

// where the texture lies at a point of the plane of a triangle; a side that is given is kept
static tx_texture_place texture_place(const tx_shader *sh, int triangle, vec3 p, vec3 n, int side) {
    const tx_triangle *t = &sh->tris->triangles[triangle];
    const tx_surface *surface = &sh->tris->surfaces[t->surface];
    const tx_draw *draw = &sh->scene->draws[surface->draw];
    const tx_texture *texture = &sh->scene->textures[draw->texture - 1];
    float wb, wc;
    if (texture->sides == 1 && draw->texcoords && shares_at(sh->tris, t, p, &wb, &wc)) {
        const double *c = draw->texcoords + 6 * (size_t)(triangle - surface->first), b = (double)wb, d = (double)wc;
        return (tx_texture_place){0, (c[0] + b * (c[2] - c[0]) + d * (c[4] - c[0])) * draw->texrepeat[0],
                                  (c[1] + b * (c[3] - c[1]) + d * (c[5] - c[1])) * draw->texrepeat[1]};
    }
    const double *origin = sh->view->origin, *pos = draw->pos;
    const double world[3] = {(double)p.x + origin[0] - pos[0], (double)p.y + origin[1] - pos[1],
                             (double)p.z + origin[2] - pos[2]};
    const double facing[3] = {(double)n.x, (double)n.y, (double)n.z};
    double local[3], normal[3];
    into_shape(draw, world, local), into_shape(draw, facing, normal);
    return tx_texture_find(draw, texture, local, normal, side);
}

// how many texels lie between two places; round shapes begin again where they end
static double texels_between(const tx_texture *texture, const tx_texture_place *a, const tx_texture_place *b) {
    double u = b->u - a->u, v = b->v - a->v;
    if (texture->sides == 1) u -= round(u), v -= round(v);
    return hypot(u * texture->width, v * texture->height);
}

static vec3 texture_colour(const tx_shader *sh, int triangle, const tx_draw *draw, vec3 p, vec3 n, vec3 ray,
                           float depth) {
    const tx_view *view = sh->view;
    const tx_texture *texture = &sh->scene->textures[draw->texture - 1];
    tx_texture_place at = texture_place(sh, triangle, p, n, -1);
    // how far one pixel moves the point on the surface, right and up
    float slant = dot3(ray, n), step = depth * view->pixel;
    if (!(slant < -0.05f)) slant = -0.05f;
    vec3 right = scale3(axpy3(-dot3(view->right, n) / slant, ray, view->right), step);
    vec3 up = scale3(axpy3(-dot3(view->up, n) / slant, ray, view->up), step);
    tx_texture_place beside = texture_place(sh, triangle, add3(p, right), n, at.side);
    tx_texture_place above = texture_place(sh, triangle, add3(p, up), n, at.side);
    double across = texels_between(texture, &at, &beside), upward = texels_between(texture, &at, &above);
    return tx_texture_at(texture, at.side, at.u, at.v, sqrt(0.5 * (across * across + upward * upward)));
}

// annotations keep their colour: a little form, no shadow
static vec3 marker_colour(const tx_shader *sh, vec3 base, vec3 n) {
    float form = 0.5f + 0.5f * dot3(n, sh->to_sun);
    return scale3(base, 0.62f + 0.46f * form);
}

vec3 tx_shade_point(const tx_shader *sh, int triangle, vec3 ray, float depth) {
    const tx_triangle *t = &sh->tris->triangles[triangle];
    const tx_surface *surface = &sh->tris->surfaces[t->surface];
    const tx_draw *draw = &sh->scene->draws[surface->draw];
    vec3 p = axpy3(depth, ray, sh->view->eye), n = normal_at(sh->tris, t, p);
    bool is_floor = draw->kind == TX_DRAW_PLANE;
    // beyond a few camera distances everything melts into the background
    float away = length3(p) / sh->view->distance;
    float fog = smoothstep(1.2f, 6.5f, away);
    vec3 sky = tx_shade_sky(ray);
    if (fog >= 1) return sky;

    const bool textured = draw->texture > 0;
    vec3 base = is_floor && !textured ? floor_colour(sh, draw, p, ray, depth) : linear_colour(draw->rgba);
    if (textured) base = mul3(base, texture_colour(sh, triangle, draw, p, n, ray, depth));
    if (surface->marker) return mix3(marker_colour(sh, base, n), sky, fog);
    vec3 view = unit3(scale3(ray, -1));
    float facing = dot3(n, sh->to_sun), sun = 0;
    if (facing > 0) sun = facing * (sh->shadows ? tx_lightmap_soft(&sh->sun, p, n, sun_size) : 1);
    vec3 light = axpy3(sun, sun_light, ambient(sh, p, n));
    vec3 colour = mul3(base, light);

    // a soft highlight of the sun and a rim that mirrors the sky (Schlick's Fresnel term)
    if (!is_floor) {
        vec3 half = unit3(add3(view, sh->to_sun));
        float shine = dot3(n, half);
        float rim = 1 - clampf(dot3(n, view), 0, 1);
        rim = rim * rim * rim * rim;
        if (sun > 0 && shine > 0) colour = axpy3(0.22f * powf(shine, 48) * sun / facing, sun_light, colour);
        colour = axpy3(0.12f * rim * (0.5f + 0.5f * n.z), sky, colour);
    }
    return mix3(colour, sky, fog);
}
