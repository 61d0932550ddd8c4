// rigid_bullet.cpp - Bullet: sequential impulses in floats, with one direction of friction a point as it comes, or two.
#include "rigid.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

struct bullet {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btBoxShape cube{btVector3(0.5f, 0.5f, 0.5f)};
    std::vector<std::unique_ptr<btStaticPlaneShape>> planes;
    std::vector<std::unique_ptr<btRigidBody>> bodies; // cubes first
};

void add(bullet *b, btScalar mass, btCollisionShape *shape, const btTransform &at) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform = at;
    // coefficients of two bodies are multiplied
    info.m_friction = btScalar(std::sqrt(RIGID_FRICTION));
    b->bodies.emplace_back(new btRigidBody(info));
    b->bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    b->world.addRigidBody(b->bodies.back().get());
}

void *create(const rigid_scene *scene, int mode) {
    bullet *b = new bullet;
    b->world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    b->world.getSolverInfo().m_numIterations = RIGID_SWEEPS;
    b->world.getSolverInfo().m_solverMode |= mode;
    for (int i = 0; i < scene->cubes; i++) {
        const double *p = scene->pose + 7 * i;
        btQuaternion turn{btScalar(p[4]), btScalar(p[5]), btScalar(p[6]), btScalar(p[3])};
        add(b, 1, &b->cube, btTransform(turn, btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2]))));
    }
    for (int k = 0; k < (scene->wall > 0 ? 5 : 1); k++) {
        btVector3 normal(0, 0, 1);
        if (k > 0) normal = btVector3(k == 1 ? 1 : k == 2 ? -1 : 0, k == 3 ? 1 : k == 4 ? -1 : 0, 0);
        b->planes.emplace_back(new btStaticPlaneShape(normal, k ? btScalar(-scene->wall) : 0));
        add(b, 0, b->planes.back().get(), btTransform::getIdentity());
    }
    return b;
}

void *create_one(const rigid_scene *scene) { return create(scene, 0); }
void *create_two(const rigid_scene *scene) { return create(scene, SOLVER_USE_2_FRICTION_DIRECTIONS); }

void step(void *engine) { static_cast<bullet *>(engine)->world.stepSimulation(btScalar(RIGID_STEP), 0); }

void read(void *engine, double *pose, double *velocity) {
    for (const auto &body : static_cast<bullet *>(engine)->bodies) {
        if (body->isStaticObject()) continue;
        const btTransform &at = body->getWorldTransform();
        const btQuaternion q = at.getRotation();
        for (int k = 0; k < 3; k++) pose[k] = at.getOrigin()[k], velocity[k] = body->getLinearVelocity()[k];
        pose[3] = q.w(), pose[4] = q.x(), pose[5] = q.y(), pose[6] = q.z();
        pose += 7, velocity += 3;
    }
}

int points(void *engine) {
    btCollisionDispatcher &dispatcher = static_cast<bullet *>(engine)->dispatcher;
    int count = 0;
    for (int i = 0; i < dispatcher.getNumManifolds(); i++)
        count += dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    return count;
}

void destroy(void *engine) {
    bullet *b = static_cast<bullet *>(engine);
    for (const auto &body : b->bodies) b->world.removeRigidBody(body.get());
    delete b;
}

} // namespace

extern "C" {
const rigid_engine rigid_bullet = {"bullet", create_one, step, read, points, destroy};
const rigid_engine rigid_bullet_two = {"bullet, two frictions", create_two, step, read, points, destroy};
}
