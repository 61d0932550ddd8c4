// broad_peer.cpp - Bullet: btDbvtBroadphase, its default dispatcher and collision algorithms.
#include "broad_peer.h"

#include <btBulletCollisionCommon.h>

#include <cstdio>
#include <vector>

struct peer {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btCollisionWorld world{&dispatcher, &broadphase, &configuration};
    std::vector<btCollisionShape *> shapes;
    std::vector<btCollisionObject *> objects;
    double margin;
};

static btCollisionShape *make_hull(const double *points, int count, double margin) {
    btConvexHullShape *hull = new btConvexHullShape;
    for (int i = 0; i < count; i++, points += 3)
        hull->addPoint(btVector3(btScalar(points[0]), btScalar(points[1]), btScalar(points[2])), false);
    hull->recalcLocalAabb();
    hull->setMargin(btScalar(margin));
    return hull;
}

peer *peer_create(int count, const double *size, const double *pos, const double *mat, double margin,
                  const double *hulls, int hull_count, int hull_points, double hull_margin) {
    gContactBreakingThreshold = btScalar(margin);
    peer *p = new peer;
    p->margin = margin;
    for (int i = 0; hulls && i < hull_count; i++)
        p->shapes.push_back(make_hull(hulls + 3 * hull_points * i, hull_points, hull_margin));
    for (int i = 0; i < count; i++, size += 3) {
        bool box = !hulls || i == 0;
        if (box)
            p->shapes.push_back(new btBoxShape(btVector3(btScalar(size[0]), btScalar(size[1]), btScalar(size[2]))));
        btCollisionObject *object = new btCollisionObject;
        object->setCollisionShape(box ? p->shapes.back() : p->shapes[size_t(i % hull_count)]);
        object->setCollisionFlags(i == 0 ? btCollisionObject::CF_STATIC_OBJECT : 0);
        p->objects.push_back(object);
    }
    peer_place(p, pos, mat);
    for (btCollisionObject *object : p->objects) p->world.addCollisionObject(object);
    return p;
}

void peer_place(peer *p, const double *pos, const double *mat) {
    for (btCollisionObject *object : p->objects) {
        btScalar m[9];
        for (int k = 0; k < 9; k++) m[k] = btScalar(mat[k]);
        btMatrix3x3 basis(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]);
        object->setWorldTransform(btTransform(basis, btVector3(btScalar(pos[0]), btScalar(pos[1]), btScalar(pos[2]))));
        pos += 3, mat += 9;
    }
}

void peer_detect(peer *p) { p->world.performDiscreteCollisionDetection(); }

void peer_count(peer *p, int *pairs, int *points) {
    *pairs = p->world.getPairCache()->getNumOverlappingPairs();
    *points = 0;
    for (int i = 0; i < p->dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold *manifold = p->dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold->getNumContacts(); k++)
            *points += manifold->getContactPoint(k).getDistance() <= btScalar(p->margin);
    }
}

const char *peer_version(void) {
    static char text[32];
    std::snprintf(text, sizeof text, "bullet %d.%02d %s", btGetVersion() / 100, btGetVersion() % 100,
                  sizeof(btScalar) == 8 ? "double" : "single");
    return text;
}
