// camera.c - the view of a camera, and the camera that frames a scene exactly
#include "render_internal.h"

static const double degree = 0.017453292519943295; // [rad]

// forward, right and up of MuJoCo's free camera
static void camera_axes(double azimuth, double elevation, double axes[3][3]) {
    double ca = cos(azimuth), sa = sin(azimuth), ce = cos(elevation), se = sin(elevation);
    double found[3][3] = {{ce * ca, ce * sa, se}, {sa, -ca, 0}, {-se * ca, -se * sa, ce}};
    for (int i = 0; i < 9; i++) axes[i / 3][i % 3] = found[i / 3][i % 3];
}

// right and up turned about forward; without roll they stay to the last bit
static void roll_axes(double roll, double axes[3][3]) {
    if (roll == 0) return;
    double c = cos(roll), s = sin(roll);
    for (int i = 0; i < 3; i++) {
        double right = axes[1][i], up = axes[2][i];
        axes[1][i] = c * right + s * up;
        axes[2][i] = c * up - s * right;
    }
}

static vec3 to_vec3(const double a[3]) { return v3((float)a[0], (float)a[1], (float)a[2]); }

bool tx_view_make(const tx_camera *camera, int width, int height, tx_view *view) {
    bool valid = fabs(camera->azimuth) < 1e6 && fabs(camera->roll) < 1e6 && fabs(camera->elevation) <= 90 * degree &&
                 camera->distance > 1e-6 && camera->distance < 1e9 && camera->fovy >= degree &&
                 camera->fovy <= 170 * degree;
    for (int i = 0; i < 3; i++) valid = valid && fabs(camera->lookat[i]) < 1e9;
    if (!valid) return false;
    double axes[3][3];
    camera_axes(camera->azimuth, camera->elevation, axes);
    roll_axes(camera->roll, axes);
    *view = (tx_view){.forward = to_vec3(axes[0]), .right = to_vec3(axes[1]), .up = to_vec3(axes[2])};
    for (int i = 0; i < 3; i++) view->origin[i] = camera->lookat[i];
    view->distance = (float)camera->distance;
    view->eye = scale3(view->forward, -view->distance);
    view->near_depth = 1e-3f * view->distance;
    view->pixel = (float)(2 * tan(0.5 * camera->fovy) / height);
    view->width = width;
    view->height = height;
    return true;
}

// direction in the shape's frame
static void to_local(const tx_draw *draw, const double d[3], double local[3]) {
    for (int i = 0; i < 3; i++) local[i] = draw->mat[i] * d[0] + draw->mat[3 + i] * d[1] + draw->mat[6 + i] * d[2];
}

double tx_draw_support(const tx_draw *draw, const double d[3]) {
    double l[3];
    to_local(draw, d, l);
    const double *s = draw->size;
    double center = draw->pos[0] * d[0] + draw->pos[1] * d[1] + draw->pos[2] * d[2];
    double across = sqrt(l[0] * l[0] + l[1] * l[1]), norm = sqrt(across * across + l[2] * l[2]);
    switch (draw->kind) {
    case TX_DRAW_SPHERE: return center + s[0] * norm;
    case TX_DRAW_CAPSULE: return center + s[0] * norm + s[1] * fabs(l[2]);
    case TX_DRAW_BOX: return center + s[0] * fabs(l[0]) + s[1] * fabs(l[1]) + s[2] * fabs(l[2]);
    case TX_DRAW_CYLINDER: return center + s[0] * across + s[1] * fabs(l[2]);
    case TX_DRAW_ELLIPSOID:
        return center + sqrt(s[0] * s[0] * l[0] * l[0] + s[1] * s[1] * l[1] * l[1] + s[2] * s[2] * l[2] * l[2]);
    case TX_DRAW_DISC: return center + s[0] * across;
    case TX_DRAW_ARROW: return center + s[0] * across + (l[2] > 0 ? s[2] * l[2] : 0);
    case TX_DRAW_LINE: return center + (l[2] > 0 ? s[2] * l[2] : 0);
    case TX_DRAW_MESH: {
        double most = -INFINITY;
        for (int i = 0; i < draw->vertex_count; i++) {
            const double *v = draw->vertices + 3 * i;
            most = fmax(most, v[0] * l[0] + v[1] * l[1] + v[2] * l[2]);
        }
        return center + most;
    }
    case TX_DRAW_PLANE:
    case TX_DRAW_COUNT: break;
    }
    return center;
}

// support of all shapes but planes; false if there are none
static bool scene_support(const tx_scene *scene, const double d[3], double *support) {
    bool any = false;
    for (int i = 0; i < scene->count; i++) {
        if (scene->draws[i].kind == TX_DRAW_PLANE) continue;
        double s = tx_draw_support(&scene->draws[i], d);
        if (!any || s > *support) *support = s;
        any = true;
    }
    return any;
}

// one pair of opposite frustum planes with slopes t[0] and t[1]: everything inside both planes needs
// side + t[0] back >= high and -side + t[1] back >= low, for an eye at (side, -back) along (axis, forward)
typedef struct {
    double t[2], high, low;
} frustum_pair;

static frustum_pair fit_pair(const tx_scene *scene, const double axis[3], const double forward[3], double t0,
                             double t1) {
    frustum_pair pair = {.t = {t0, t1}};
    double plus[3], minus[3];
    for (int i = 0; i < 3; i++) {
        plus[i] = axis[i] - t0 * forward[i];
        minus[i] = -axis[i] - t1 * forward[i];
    }
    scene_support(scene, plus, &pair.high);
    scene_support(scene, minus, &pair.low);
    return pair;
}

// how far back the eye must be, and the middle of where it may stand sideways
static double pair_back(const frustum_pair *p) { return (p->high + p->low) / (p->t[0] + p->t[1]); }
static double pair_side(const frustum_pair *p, double back) {
    return 0.5 * (p->high - p->low - (p->t[0] - p->t[1]) * back);
}

// the part of half the picture's height that captions at the top, or at the bottom, leave free
static double free_height(const tx_scene *scene, bool bottom) {
    double left = fmax(tx_font_share(scene->text[bottom ? TX_CORNER_BOTTOM_LEFT : TX_CORNER_TOP_LEFT]),
                       tx_font_share(scene->text[bottom ? TX_CORNER_BOTTOM_RIGHT : TX_CORNER_TOP_RIGHT]));
    return fmax(1 - 2 * left, 0.3);
}

void tx_camera_look(tx_camera *camera, const double eye[3], const double mat[9]) {
    // the camera looks along its -z axis; straight up and down any azimuth will do
    const double forward[3] = {-mat[2], -mat[5], -mat[8]};
    camera->elevation = asin(fmin(fmax(forward[2], -1), 1));
    camera->azimuth = hypot(forward[0], forward[1]) > 1e-12 ? atan2(forward[1], forward[0]) : 0;
    double axes[3][3], c = 0, s = 0;
    camera_axes(camera->azimuth, camera->elevation, axes);
    // its x axis from the right of a camera without roll
    for (int i = 0; i < 3; i++) c += mat[3 * i] * axes[1][i], s += mat[3 * i] * axes[2][i];
    camera->roll = fabs(s) > 1e-12 || c < 0 ? atan2(s, c) : 0;
    for (int i = 0; i < 3; i++) camera->lookat[i] = eye[i] + camera->distance * axes[0][i];
}

double tx_scene_distance(const tx_scene *scene, const double eye[3]) {
    double square = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        double d[3] = {0}, most = 0, least = 0;
        d[i] = 1;
        if (!scene || !scene_support(scene, d, &most)) return 1;
        d[i] = -1;
        scene_support(scene, d, &least);
        double offset = 0.5 * (most - least) - eye[i];
        square += offset * offset, size = fmax(size, most + least);
    }
    // from within the scene, a part of its size
    return fmax(sqrt(square), fmax(0.25 * size, 1e-3));
}

tx_camera tx_scene_camera(const tx_scene *scene, double azimuth, double elevation, double aspect) {
    const double turn = 360 * degree, upright = 90 * degree;
    tx_camera camera = {.distance = 3, .fovy = 40 * degree};
    camera.azimuth = isfinite(azimuth) ? fmod(azimuth, turn) : 0;
    camera.elevation = isfinite(elevation) ? fmin(fmax(elevation, -upright), upright) : 0;
    if (!(aspect > 0.01 && aspect < 100)) aspect = 16.0 / 9.0;
    double axes[3][3], far_depth = 0, near_depth = 0;
    camera_axes(camera.azimuth, camera.elevation, axes);
    const double *forward = axes[0], backward[3] = {-forward[0], -forward[1], -forward[2]};
    if (!scene || !scene_support(scene, forward, &far_depth)) return camera;
    scene_support(scene, backward, &near_depth);

    // leave a margin of an eighth of the picture, and what the captions cover; the shapes' supports bound each plane
    const double half = tan(0.5 * camera.fovy), margin = 0.875, tx = half * aspect * margin;
    double up = half * fmin(margin, free_height(scene, false)), down = half * fmin(margin, free_height(scene, true));
    frustum_pair across = fit_pair(scene, axes[1], forward, tx, tx), tall = fit_pair(scene, axes[2], forward, up, down);
    // the eye stands back until both pairs hold, and sideways in the middle of what they allow
    double back = fmax(pair_back(&across), pair_back(&tall));
    double side = pair_side(&across, back), height = pair_side(&tall, back);
    double depth = 0.5 * (far_depth - near_depth);
    camera.distance = fmax(back + depth, 1e-3);
    for (int i = 0; i < 3; i++) camera.lookat[i] = depth * forward[i] + side * axes[1][i] + height * axes[2][i];
    return camera;
}
