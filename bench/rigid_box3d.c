// rigid_box3d.c - Box3D: soft contacts in floats, four substeps of a solve and a relaxation, one pair of friction rows
// and a twist row a manifold. It has no planes: floor and walls are boxes 100 m thick.
#include "rigid.h"

#include <box3d/box3d.h>
#include <stdlib.h>

enum { SUBSTEPS = 4, MANIFOLDS = 64 };

typedef struct box3d {
    b3WorldId world;
    b3BodyId *bodies;
    int cubes;
} box3d;

static b3BodyId add(const box3d *b, b3BodyType type, b3Pos at, b3Quat turn, float half) {
    b3BodyDef body = b3DefaultBodyDef();
    body.type = type, body.position = at, body.rotation = turn, body.enableSleep = false;
    const b3BodyId id = b3CreateBody(b->world, &body);
    b3ShapeDef shape = b3DefaultShapeDef();
    shape.density = 1, shape.baseMaterial.friction = (float)RIGID_FRICTION;
    const b3BoxHull hull = b3MakeCubeHull(half);
    b3CreateHullShape(id, &shape, &hull.base);
    return id;
}

static void *create(const rigid_scene *scene) {
    static const b3Quat UPRIGHT = {.s = 1};
    box3d *b = calloc(1, sizeof *b);
    b3WorldDef def = b3DefaultWorldDef();
    def.gravity = (b3Vec3){.z = -9.81f}, def.enableSleep = false, def.enableContinuous = false, def.workerCount = 1;
    b->world = b3CreateWorld(&def);
    b->cubes = scene->cubes;
    b->bodies = calloc((size_t)scene->cubes, sizeof *b->bodies);
    for (int i = 0; i < scene->cubes; i++) {
        const double *p = scene->pose + 7 * i;
        const b3Quat turn = {.v = {(float)p[4], (float)p[5], (float)p[6]}, .s = (float)p[3]};
        b->bodies[i] = add(b, b3_dynamicBody, (b3Pos){(float)p[0], (float)p[1], (float)p[2]}, turn, 0.5f);
    }
    add(b, b3_staticBody, (b3Pos){.z = -100}, UPRIGHT, 100);
    for (int k = 0; k < 4 && scene->wall > 0; k++) {
        const float far = (float)(k % 2 ? scene->wall + 100 : -scene->wall - 100);
        add(b, b3_staticBody, k < 2 ? (b3Pos){.x = far} : (b3Pos){.y = far}, UPRIGHT, 100);
    }
    return b;
}

static void step(void *engine) { b3World_Step(((box3d *)engine)->world, (float)RIGID_STEP, SUBSTEPS); }

static void read(void *engine, double *pose, double *velocity) {
    const box3d *b = engine;
    for (int i = 0; i < b->cubes; i++, pose += 7, velocity += 3) {
        const b3Pos at = b3Body_GetPosition(b->bodies[i]);
        const b3Quat q = b3Body_GetRotation(b->bodies[i]);
        const b3Vec3 v = b3Body_GetLinearVelocity(b->bodies[i]);
        pose[0] = at.x, pose[1] = at.y, pose[2] = at.z;
        pose[3] = q.s, pose[4] = q.v.x, pose[5] = q.v.y, pose[6] = q.v.z;
        velocity[0] = v.x, velocity[1] = v.y, velocity[2] = v.z;
    }
}

// those of a pair of cubes are met from both
static int points(void *engine) {
    const box3d *b = engine;
    int twice = 0;
    for (int i = 0; i < b->cubes; i++) {
        b3ContactData data[MANIFOLDS];
        const int count = b3Body_GetContactData(b->bodies[i], data, MANIFOLDS);
        for (int k = 0; k < count; k++) {
            const b3BodyId first = b3Shape_GetBody(data[k].shapeIdA), second = b3Shape_GetBody(data[k].shapeIdB);
            const bool fixed = b3Body_GetType(first) == b3_staticBody || b3Body_GetType(second) == b3_staticBody;
            for (int m = 0; m < data[k].manifoldCount; m++) twice += data[k].manifolds[m].pointCount * (fixed ? 2 : 1);
        }
    }
    return twice / 2;
}

static void destroy(void *engine) {
    box3d *b = engine;
    b3DestroyWorld(b->world);
    free(b->bodies), free(b);
}

const rigid_engine rigid_box3d = {"box3d", create, step, read, points, destroy};
