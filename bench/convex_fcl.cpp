// convex_fcl.cpp - FCL's answers for bench/convex.c.
#include "convex.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <fcl/fcl.h>

typedef std::shared_ptr<fcl::CollisionGeometryd> shape_ptr;

static shape_ptr make(const bench_shape &s) {
    if (s.kind == BENCH_BOX) return std::make_shared<fcl::Boxd>(2 * s.size[0], 2 * s.size[1], 2 * s.size[2]);
    if (s.kind == BENCH_CAPSULE) return std::make_shared<fcl::Capsuled>(s.size[0], 2 * s.size[1]);
    if (s.kind == BENCH_CYLINDER) return std::make_shared<fcl::Cylinderd>(s.size[0], 2 * s.size[1]);
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (int i = 0; i < s.corners; i++) vertices->emplace_back(s.corner[i][0], s.corner[i][1], s.corner[i][2]);
    for (int f = 0; f < s.faces; f++) faces->insert(faces->end(), {3, s.face[f][0], s.face[f][1], s.face[f][2]});
    return std::make_shared<fcl::Convexd>(vertices, s.faces, faces, false);
}

static fcl::Transform3d pose(const bench_shape &s) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        t.translation()[i] = s.pos[i];
        for (int j = 0; j < 3; j++) t.linear()(i, j) = s.mat[3 * i + j];
    }
    return t;
}

struct placed {
    shape_ptr shape;
    fcl::Transform3d pose;
    EIGEN_MAKE_ALIGNED_OPERATOR_NEW
};

void fcl_make(bench_pair *pair) {
    pair->peer[0] = new placed{make(pair->a), pose(pair->a)};
    pair->peer[1] = new placed{make(pair->b), pose(pair->b)};
}

void fcl_free(bench_pair *pair) {
    for (void *p : pair->peer) delete static_cast<placed *>(p);
}

double fcl_distance(const bench_pair *pair, int solver) {
    const placed *a = static_cast<placed *>(pair->peer[0]), *b = static_cast<placed *>(pair->peer[1]);
    fcl::DistanceRequestd request(true, solver == 0); // its own solver has no signed distance
    request.distance_tolerance = 1e-6;
    request.gjk_solver_type = solver ? fcl::GST_INDEP : fcl::GST_LIBCCD;
    fcl::DistanceResultd result;
    fcl::distance(a->shape.get(), a->pose, b->shape.get(), b->pose, request, result);
    return result.min_distance;
}

double fcl_collide(const bench_pair *pair, int solver) {
    const placed *a = static_cast<placed *>(pair->peer[0]), *b = static_cast<placed *>(pair->peer[1]);
    fcl::CollisionRequestd request(8, true);
    request.gjk_solver_type = solver ? fcl::GST_INDEP : fcl::GST_LIBCCD;
    fcl::CollisionResultd result;
    fcl::collide(a->shape.get(), a->pose, b->shape.get(), b->pose, request, result);
    double depth = 0;
    for (size_t i = 0; i < result.numContacts(); i++)
        depth = std::max(depth, std::abs(result.getContact(i).penetration_depth)); // its own solver has it negative
    return -depth;
}
