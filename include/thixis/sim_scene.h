// sim_scene.h - a picture of a simulation: its geoms, contact points and contact forces as shapes of a scene.
//
//     tx_scene *scene = tx_scene_create();
//     tx_sim_scene_def def = tx_default_sim_scene_def();
//     tx_sim_forward(sim);                            // poses, contacts and forces of the present state
//     tx_scene_add_sim(scene, sim, 0, &def, NULL);
//     tx_camera camera = tx_scene_camera(scene, 135 * TX_DEGREE, -20 * TX_DEGREE, 16.0 / 9.0);
#ifndef THIXIS_SIM_SCENE_H
#define THIXIS_SIM_SCENE_H

#include "thixis/render.h"
#include "thixis/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The groups that MuJoCo shows: 0, 1 and 2. By custom collision hulls are in group 3, over the visual meshes.
#define TX_DRAWN_GROUPS 7u

typedef struct tx_sim_scene_def {
    bool contacts;      ///< contact points as discs (true)
    bool forces;        ///< contact forces as arrows (true)
    double force_scale; ///< length of an arrow per force [m/N]; 0: chosen from the total weight (default)
    unsigned groups;    ///< bit g: geoms of group g are drawn (those below 0 as 0, above 5 as 5); 0: TX_DRAWN_GROUPS
} tx_sim_scene_def;
TX_API tx_sim_scene_def tx_default_sim_scene_def(void);
TX_API tx_result tx_sim_scene_def_init(tx_sim_scene_def *def, size_t size);

/// What a picture shows, for its caption.
typedef struct tx_sim_scene_info {
    int contacts;         ///< that act
    double largest_force; ///< [N]
    double weight;        ///< of all bodies that can move, at 9.81 m/s2 where there is no gravity [N]
    double force_scale;   ///< the scale of the arrows [m/N]
} tx_sim_scene_info;

/// Adds environment `env` as it was in its last step or forward(): every geom of the drawn groups in its colour, planes
/// included, and the contacts. An arrow shows the force on the body that can move; between two such bodies there is one
/// arrow for the second and an orange one, opposite, for the first. All arrows have one scale. Unless it is given, a
/// force as large as the total weight would be 0.6 times the size of the scene (the diagonal around its moving geoms),
/// but the longest arrow is made 0.15 to 0.3 times that size, so that light touches and impacts can both be seen.
/// @param def null: the default   @param info may be null
/// @return TX_ERROR_ARGUMENT, TX_ERROR_MEMORY, or TX_OK; shapes that cannot be drawn are counted by tx_scene_skipped()
TX_API tx_result tx_scene_add_sim(tx_scene *scene, tx_sim *sim, int env, const tx_sim_scene_def *def,
                                  tx_sim_scene_info *info);

/// A camera of the model (cam_xpos, cam_xmat, cam_fovy) as it stood in the last step or forward() of environment `env`.
/// It looks at the point ahead that is as far away as the middle of the scene's shapes. The principal point is taken to
/// be the middle of the picture.
/// @param scene sets the distance of the point it looks at; null: 1 m
/// @return TX_ERROR_ARGUMENT; TX_ERROR_MEMORY; TX_ERROR_UNSUPPORTED: it is orthographic, or sees less than 1 or more
/// than 170 degrees; the camera is then unchanged
TX_API tx_result tx_scene_sim_camera(const tx_scene *scene, tx_sim *sim, int env, int camera, tx_camera *out);

#ifdef __cplusplus
}
#endif
#endif
