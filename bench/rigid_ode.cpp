// rigid_ode.cpp - ODE: quickstep (sequential impulses with successive over-relaxation), friction by a box whose size is
// the normal force.
#include "rigid.h"

#include <ode/ode.h>

#include <algorithm>
#include <vector>

namespace {

enum { MOST_POINTS = 4 };

struct ode {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    std::vector<dBodyID> bodies;
    int points;
};

void near(void *engine, dGeomID a, dGeomID b) {
    ode *o = static_cast<ode *>(engine);
    dContact contact[MOST_POINTS];
    if (!dGeomGetBody(a) && !dGeomGetBody(b)) return;
    int count = dCollide(a, b, MOST_POINTS, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < count; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = RIGID_FRICTION;
        dJointAttach(dJointCreateContact(o->world, o->contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
    o->points += count;
}

void *create(const rigid_scene *scene) {
    dInitODE2(0);
    ode *o = new ode;
    o->world = dWorldCreate();
    o->space = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    o->contacts = dJointGroupCreate(0);
    o->points = 0;
    dWorldSetGravity(o->world, 0, 0, -9.81);
    dWorldSetQuickStepNumIterations(o->world, RIGID_SWEEPS);
    for (int i = 0; i < scene->cubes; i++) {
        const double *p = scene->pose + 7 * i;
        dQuaternion turn = {p[3], p[4], p[5], p[6]};
        dMass mass;
        dMassSetBoxTotal(&mass, 1, 1, 1, 1);
        dBodyID body = dBodyCreate(o->world);
        dBodySetMass(body, &mass);
        dGeomSetBody(dCreateBox(o->space, 1, 1, 1), body);
        dBodySetPosition(body, p[0], p[1], p[2]);
        dBodySetQuaternion(body, turn);
        o->bodies.push_back(body);
    }
    dCreatePlane(o->space, 0, 0, 1, 0);
    for (int k = 0; k < 4 && scene->wall > 0; k++)
        dCreatePlane(o->space, k == 0 ? 1 : k == 1 ? -1 : 0, k == 2 ? 1 : k == 3 ? -1 : 0, 0, -scene->wall);
    return o;
}

void step(void *engine) {
    ode *o = static_cast<ode *>(engine);
    o->points = 0;
    dSpaceCollide(o->space, o, near);
    dWorldQuickStep(o->world, RIGID_STEP);
    dJointGroupEmpty(o->contacts);
}

void read(void *engine, double *pose, double *velocity) {
    for (dBodyID body : static_cast<ode *>(engine)->bodies) {
        std::copy_n(dBodyGetPosition(body), 3, pose);
        std::copy_n(dBodyGetQuaternion(body), 4, pose + 3);
        std::copy_n(dBodyGetLinearVel(body), 3, velocity);
        pose += 7, velocity += 3;
    }
}

int points(void *engine) { return static_cast<ode *>(engine)->points; }

void destroy(void *engine) {
    ode *o = static_cast<ode *>(engine);
    dJointGroupDestroy(o->contacts);
    dSpaceDestroy(o->space);
    dWorldDestroy(o->world);
    delete o;
    dCloseODE();
}

} // namespace

extern "C" const rigid_engine rigid_ode = {"ode", create, step, read, points, destroy};
