// broad_peer.h - Bullet's collision world behind a C interface, so that broad.c needs no C++.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer peer;

/// A world of `count` boxes, half sizes 3 each; the first one stands still. margin: distance at which pairs are tested.
/// hulls: points of `hull_count` hulls, `hull_points` each; box i > 0 then is hull i % hull_count instead, with
/// Bullet's own margin hull_margin around it. null: boxes only. It lives as long as the program: Bullet looks through
/// all pairs for every box it lets go, which takes minutes. They start where pos and mat say: Bullet looks for pairs as
/// it takes them in.
peer *peer_create(int count, const double *size, const double *pos, const double *mat, double margin,
                  const double *hulls, int hull_count, int hull_points, double hull_margin);
/// Places them: 3 and 9 numbers each.
void peer_place(peer *p, const double *pos, const double *mat);
/// Broad phase, then narrow phase of all pairs.
void peer_detect(peer *p);
/// Pairs of the broad phase, and points at most `margin` apart, of the last call.
void peer_count(peer *p, int *pairs, int *points);
const char *peer_version(void);

#ifdef __cplusplus
}
#endif
