// rigid.h - scenes of cubes for engines of rigid bodies, and what each engine must be able to do.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif

/// Cubes of 1 m and 1 kg with friction 0.5 on a floor at z = 0, between walls at |x|, |y| = wall where that is above 0.
typedef struct rigid_scene {
    const char *name;
    int cubes;
    double *pose; ///< per cube: place, then quaternion w x y z
    double wall;
} rigid_scene;

enum { RIGID_SWEEPS = 10 };
#define RIGID_STEP     (1.0 / 60)
#define RIGID_FRICTION 0.5

/// An engine; state is its own. One thread, no sleeping, RIGID_SWEEPS sweeps a step, warm started.
typedef struct rigid_engine {
    const char *name;
    void *(*create)(const rigid_scene *scene); ///< null: it could not
    void (*step)(void *engine);
    void (*read)(void *engine, double *pose, double *velocity); ///< 7 and 3 numbers a cube
    int (*points)(void *engine);                                ///< of contact in the last step
    void (*destroy)(void *engine);
} rigid_engine;

extern const rigid_engine rigid_bullet, rigid_bullet_two, rigid_ode;
#ifdef RIGID_BOX3D
extern const rigid_engine rigid_box3d;
#endif

#ifdef __cplusplus
}
#endif
