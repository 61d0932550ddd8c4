// model.h - a compiled model: sizes, names and read-only arrays. Immutable, so any number of simulations may share it.
#ifndef THIXIS_MODEL_H
#define THIXIS_MODEL_H

#include "thixis/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// X(NAME, name, meaning): the sizes of a model.
#define TX_SIZES(X)                                                              \
    X(NQ, nq, "position coordinates")                                            \
    X(NV, nv, "degrees of freedom: velocity coordinates")                        \
    X(NU, nu, "controls")                                                        \
    X(NACTUATOR, nactuator, "actuators, one per torque of an orientation servo") \
    X(NA, na, "activations of actuators")                                        \
    X(NHISTORY, nhistory, "numbers of the past of controls and sensors")         \
    X(NPLASTIC, nplastic, "numbers that say where springs that yield rest")      \
    X(NMOMENT, nmoment, "dofs that the actuators act on, counted per actuator")  \
    X(NTENDON, ntendon, "tendons")                                               \
    X(NWRAP, nwrap, "elements of the paths of all tendons")                      \
    X(NEQ, neq, "equalities")                                                    \
    X(NEQROW, neqrow, "rows of all equalities")                                  \
    X(NTENDOF, ntendof, "dofs that move the tendons, counted per tendon")        \
    X(NBODY, nbody, "bodies, the world included")                                \
    X(NJNT, njnt, "joints")                                                      \
    X(NGEOM, ngeom, "geoms")                                                     \
    X(NSITE, nsite, "sites")                                                     \
    X(NCAM, ncam, "cameras")                                                     \
    X(NSENSOR, nsensor, "sensors")                                               \
    X(NSENSORDATA, nsensordata, "numbers of all sensors")                        \
    X(NMOCAP, nmocap, "bodies moved by the user")                                \
    X(NTREE, ntree, "trees: bodies that move together, each with a root")        \
    X(NSLEEP, nsleep, "trees of a model that sleeps, else 0")                    \
    X(NKEY, nkey, "keyframes")                                                   \
    X(NM, nm, "stored entries of the mass matrix: each dof with its ancestors")  \
    X(NLIMIT, nlimit, "joint limits, both sides counted")                        \
    X(NPAIR, npair, "geom pairs that can collide, in the pair table")            \
    X(NSPECIAL, nspecial, "geom pairs with contact parameters of their own")     \
    X(NEXCLUDE, nexclude, "body pairs that do not collide")                      \
    X(NMESH, nmesh, "meshes")                                                    \
    X(NMESHVERT, nmeshvert, "vertices of all meshes")                            \
    X(NMESHCORNER, nmeshcorner, "corners of the faces of all meshes, 3 each")    \
    X(NHULLVERT, nhullvert, "corners of the convex hulls of all meshes")         \
    X(NHULLCORNER, nhullcorner, "corners of the faces of all hulls, 3 each")     \
    X(NHULLSTART, nhullstart, "entries of the direction tables of all hulls")    \
    X(NHULLFOUR, nhullfour, "groups of four corners of the small hulls")         \
    X(NMESHFACE, nmeshface, "faces of all meshes")                               \
    X(NMESHNODE, nmeshnode, "nodes of the trees over the faces of all meshes")   \
    X(NHFIELD, nhfield, "height fields")                                         \
    X(NHFIELDDATA, nhfielddata, "grid points of all height fields")              \
    X(NSDF, nsdf, "signed distance fields of meshes")                            \
    X(NSDFDATA, nsdfdata, "grid points of all signed distance fields")           \
    X(NTEX, ntex, "textures")                                                    \
    X(NTEXDATA, ntexdata, "texels of all textures")                              \
    X(NMESHUV, nmeshuv, "corners of faces that have texture coordinates")        \
    X(NNAME, nname, "bytes of all names")

/// X(NAME, name, count, meaning): integer arrays.
#define TX_MODEL_INTS(X)                                                                                 \
    X(BODY_PARENT, body_parent, nbody, "parent body")                                                    \
    X(BODY_ROOT, body_root, nbody, "the ancestor that is a child of the world")                          \
    X(BODY_WELD, body_weld, nbody, "top of the group of bodies without joints between")                  \
    X(BODY_JNTADR, body_jntadr, nbody, "first joint")                                                    \
    X(BODY_JNTNUM, body_jntnum, nbody, "number of joints")                                               \
    X(BODY_DOFADR, body_dofadr, nbody, "first dof")                                                      \
    X(BODY_DOFNUM, body_dofnum, nbody, "number of dofs")                                                 \
    X(BODY_LASTDOF, body_lastdof, nbody, "last dof that moves the body, -1: none")                       \
    X(BODY_SLIDERS, body_sliders, nbody, "1: a lone body that only slides along its axes")               \
    X(BODY_GEOMADR, body_geomadr, nbody, "first geom")                                                   \
    X(BODY_GEOMNUM, body_geomnum, nbody, "number of geoms")                                              \
    X(JNT_TYPE, jnt_type, njnt, "tx_joint_type")                                                         \
    X(JNT_BODY, jnt_body, njnt, "body it moves")                                                         \
    X(JNT_QPOSADR, jnt_qposadr, njnt, "first position coordinate")                                       \
    X(JNT_DOFADR, jnt_dofadr, njnt, "first dof")                                                         \
    X(JNT_LIMITED, jnt_limited, njnt, "has limits")                                                      \
    X(JNT_ACTFRCLIMITED, jnt_actfrclimited, njnt, "sum of its actuators is clamped")                     \
    X(JNT_ACTGRAVCOMP, jnt_actgravcomp, njnt, "gravity compensation is an actuator force")               \
    X(JNT_PLASTIC, jnt_plastic, njnt, "where its spring rests: first of `plastic`, -1: qpos_spring")     \
    X(BODY_MOCAP, body_mocap, nbody, "index among the mocap bodies, -1: none")                           \
    X(BODY_LONE, body_lone, nbody, "1: a free body without children")                                    \
    X(BODY_TREE, body_tree, nbody, "its tree, -1: it cannot move")                                       \
    X(BODY_SLEEP, body_sleep, nbody, "tx_sleep_policy as given, at the root of a tree")                  \
    X(TREE_BODYADR, tree_bodyadr, ntree, "first body: the root")                                         \
    X(TREE_BODYNUM, tree_bodynum, ntree, "number of bodies")                                             \
    X(TREE_DOFADR, tree_dofadr, ntree, "first dof")                                                      \
    X(TREE_DOFNUM, tree_dofnum, ntree, "number of dofs")                                                 \
    X(TREE_SLEEP, tree_sleep, ntree, "tx_sleep_policy, never auto")                                      \
    X(DOF_BODY, dof_body, nv, "body it moves")                                                           \
    X(DOF_JNT, dof_jnt, nv, "joint it belongs to")                                                       \
    X(DOF_PARENT, dof_parent, nv, "next dof towards the world, -1: none")                                \
    X(DOF_MADR, dof_madr, nv, "first entry of its row of the mass matrix")                               \
    X(DOF_MNUM, dof_mnum, nv, "entries of its row: itself and its ancestors")                            \
    X(GEOM_TYPE, geom_type, ngeom, "tx_geom_type")                                                       \
    X(GEOM_BODY, geom_body, ngeom, "body it is fixed to")                                                \
    X(GEOM_CONTYPE, geom_contype, ngeom, "collision bits it has")                                        \
    X(GEOM_CONAFFINITY, geom_conaffinity, ngeom, "collision bits it reacts to")                          \
    X(GEOM_CONDIM, geom_condim, ngeom, "dimension of its contacts")                                      \
    X(GEOM_PRIORITY, geom_priority, ngeom, "whose parameters win")                                       \
    X(GEOM_GROUP, geom_group, ngeom, "visual group")                                                     \
    X(GEOM_MESH, geom_mesh, ngeom, "its mesh, -1: a primitive")                                          \
    X(GEOM_FLUID, geom_fluid, ngeom, "1: a medium acts on its ellipsoid, not on the box of its body")    \
    X(GEOM_HFIELD, geom_hfield, ngeom, "its height field, -1: none")                                     \
    X(GEOM_TEXTURE, geom_texture, ngeom, "its texture, -1: none")                                        \
    X(GEOM_TEXUNIFORM, geom_texuniform, ngeom, "1: repeated per length, 0: per size")                    \
    X(TEX_CUBE, tex_cube, ntex, "1: six sides around the shape, 0: one picture")                         \
    X(TEX_WIDTH, tex_width, ntex, "texels of a row")                                                     \
    X(TEX_HEIGHT, tex_height, ntex, "rows, of one side of a cube")                                       \
    X(TEX_ADR, tex_adr, ntex, "first texel")                                                             \
    X(TEX_DATA, tex_data, ntexdata, "texels 0xRRGGBB, row by row from the top")                          \
    X(MESH_UVADR, mesh_uvadr, nmesh, "first of its corners in mesh_uv, -1: none")                        \
    X(HFIELD_NROW, hfield_nrow, nhfield, "grid points along y")                                          \
    X(HFIELD_NCOL, hfield_ncol, nhfield, "grid points along x")                                          \
    X(HFIELD_ADR, hfield_adr, nhfield, "first grid point")                                               \
    X(MESH_SDF, mesh_sdf, nmesh, "its signed distance field, -1: none")                                  \
    X(SDF_NX, sdf_nx, nsdf, "grid points along x")                                                       \
    X(SDF_NY, sdf_ny, nsdf, "grid points along y")                                                       \
    X(SDF_NZ, sdf_nz, nsdf, "grid points along z")                                                       \
    X(SDF_ADR, sdf_adr, nsdf, "first grid point")                                                        \
    X(MESH_VERTADR, mesh_vertadr, nmesh, "first vertex")                                                 \
    X(MESH_VERTNUM, mesh_vertnum, nmesh, "number of vertices")                                           \
    X(MESH_FACEADR, mesh_faceadr, nmesh, "first corner of its faces")                                    \
    X(MESH_FACENUM, mesh_facenum, nmesh, "number of faces")                                              \
    X(MESH_HULLVERTADR, mesh_hullvertadr, nmesh, "first corner of its hull")                             \
    X(MESH_HULLVERTNUM, mesh_hullvertnum, nmesh, "corners of its hull, 0: it has none")                  \
    X(MESH_HULLFACEADR, mesh_hullfaceadr, nmesh, "first corner of the faces of its hull")                \
    X(MESH_HULLFACENUM, mesh_hullfacenum, nmesh, "faces of its hull")                                    \
    X(MESH_FOURADR, mesh_fouradr, nmesh, "first group of its hull's corners, -1: none")                  \
    X(MESH_STARTADR, mesh_startadr, nmesh, "first entry of its hull's direction table, -1: none")        \
    X(MESH_INERTIA, mesh_inertia, nmesh, "tx_mesh_inertia")                                              \
    X(MESH_HULLFACED, mesh_hullfaced, nmesh, "1: it was given without faces and has those of its hull")  \
    X(MESH_FACE, mesh_face, nmeshcorner, "vertex of the mesh")                                           \
    X(HULL_VERT, hull_vert, nhullvert, "vertex of the mesh")                                             \
    X(HULL_EDGEADR, hull_edgeadr, nhullvert, "first edge in its mesh's hull_edge")                       \
    X(HULL_EDGENUM, hull_edgenum, nhullvert, "number of edges")                                          \
    X(HULL_FACE, hull_face, nhullcorner, "corner of the hull, counter-clockwise outside")                \
    X(HULL_EDGE, hull_edge, nhullcorner, "corner of the hull at the other end, from mesh_hullfaceadr")   \
    X(HULL_START, hull_start, nhullstart, "corner of the hull to climb from, by direction")              \
    X(MESH_NODEADR, mesh_nodeadr, nmesh, "first node of the tree over its faces")                        \
    X(MESH_NODENUM, mesh_nodenum, nmesh, "number of nodes")                                              \
    X(MESH_ORDER, mesh_order, nmeshface, "faces of the mesh as its tree sorts them")                     \
    X(NODE_LEAF, node_leaf, nmeshnode, "which eight of the sorted faces, -1: an inner node")             \
    X(NODE_END, node_end, nmeshnode, "first node of the mesh behind its subtree")                        \
    X(ACTUATOR_TRN, actuator_trn, nactuator, "tx_transmission")                                          \
    X(ACTUATOR_TRNID, actuator_trnid, nactuator, "its joint, tendon, site or body")                      \
    X(ACTUATOR_TRNREF, actuator_trnref, nactuator, "site it acts against, or of the slider; -1: none")   \
    X(ACTUATOR_DOFADR, actuator_dofadr, nactuator, "first of the dofs it acts on")                       \
    X(ACTUATOR_DOFNUM, actuator_dofnum, nactuator, "how many")                                           \
    X(MOMENT_DOF, moment_dof, nmoment, "dof")                                                            \
    X(ACTUATOR_GROUP, actuator_group, nactuator, "can be switched off together")                         \
    X(ACTUATOR_DYN, actuator_dyn, nactuator, "tx_dynamics")                                              \
    X(ACTUATOR_ACT, actuator_act, nactuator, "its first activation, -1: none")                           \
    X(ACTUATOR_ACTNUM, actuator_actnum, nactuator, "how many activations it has")                        \
    X(ACTUATOR_STATES, actuator_states, nactuator, "which: bits of tx_actuator_state")                   \
    X(ACTUATOR_CTRLADR, actuator_ctrladr, nactuator, "first of its controls")                            \
    X(ACTUATOR_CTRLNUM, actuator_ctrlnum, nactuator, "how many it has")                                  \
    X(ACTUATOR_INPUTS, actuator_inputs, nactuator, "what they are: bits of tx_input, 0: one command")    \
    X(ACTUATOR_NSAMPLE, actuator_nsample, nactuator, "samples of its controls that are kept")            \
    X(ACTUATOR_INTERP, actuator_interp, nactuator, "tx_interp between them")                             \
    X(ACTUATOR_HISTORY, actuator_history, nactuator, "first number of its past, -1: none")               \
    X(ACTUATOR_ACTEARLY, actuator_actearly, nactuator, "force by the activation at the end of the step") \
    X(ACTUATOR_GAINCURVE, actuator_gaincurve, nactuator, "tx_force_curve")                               \
    X(ACTUATOR_BIASCURVE, actuator_biascurve, nactuator, "tx_force_curve")                               \
    X(ACTUATOR_ACTLIMITED, actuator_actlimited, nactuator, "activation is clamped")                      \
    X(EQ_TYPE, eq_type, neq, "tx_equality_type")                                                         \
    X(EQ_OBJ1, eq_obj1, neq, "body, joint, tendon or site")                                              \
    X(EQ_OBJ2, eq_obj2, neq, "body, joint or tendon, -1: none")                                          \
    X(EQ_ACTIVE0, eq_active0, neq, "acts at the start")                                                  \
    X(EQ_NAME, eq_name, neq, "offset of its name")                                                       \
    X(TENDON_ADR, tendon_adr, ntendon, "first element of its path")                                      \
    X(TENDON_NUM, tendon_num, ntendon, "how many")                                                       \
    X(TENDON_PLASTIC, tendon_plastic, ntendon, "the same, two numbers, -1: tendon_lengthspring")         \
    X(KEY_YIELDED, key_yielded, nkey, "1: key_plastic counts, 0: springs rest as at the start")          \
    X(MESH_HULLMOST, mesh_hullmost, nmesh, "most corners that its hull may have, 0: any number")         \
    X(WRAP_TYPE, wrap_type, nwrap, "tx_path_kind")                                                       \
    X(WRAP_OBJ, wrap_obj, nwrap, "joint, site or geom, -1: a pulley")                                    \
    X(WRAP_SIDE, wrap_side, nwrap, "site on the side where the path passes a geom, -1: none")            \
    X(TENDON_DOFADR, tendon_dofadr, ntendon, "first of the dofs that move it")                           \
    X(TENDON_DOFNUM, tendon_dofnum, ntendon, "how many")                                                 \
    X(TENDON_DOF, tendon_dof, ntendof, "dof")                                                            \
    X(TENDON_LIMITED, tendon_limited, ntendon, "has limits")                                             \
    X(TENDON_ACTFRCLIMITED, tendon_actfrclimited, ntendon, "sum of its actuators is clamped")            \
    X(ACTUATOR_CTRLLIMITED, actuator_ctrllimited, nu, "control is clamped")                              \
    X(ACTUATOR_FORCELIMITED, actuator_forcelimited, nactuator, "force is clamped")                       \
    X(SITE_BODY, site_body, nsite, "body it is fixed to")                                                \
    X(SITE_TYPE, site_type, nsite, "tx_geom_type")                                                       \
    X(SITE_GROUP, site_group, nsite, "visual group")                                                     \
    X(CAM_BODY, cam_body, ncam, "body it is fixed to")                                                   \
    X(CAM_MODE, cam_mode, ncam, "tx_camera_mode")                                                        \
    X(CAM_TARGET, cam_target, ncam, "body it looks at, -1: none")                                        \
    X(CAM_ORTHOGRAPHIC, cam_orthographic, ncam, "1: without perspective")                                \
    X(CAM_WIDTH, cam_width, ncam, "pixels")                                                              \
    X(CAM_HEIGHT, cam_height, ncam, "pixels")                                                            \
    X(CAM_NAME, cam_name, ncam, "offset of its name")                                                    \
    X(SENSOR_TYPE, sensor_type, nsensor, "tx_sensor_type")                                               \
    X(SENSOR_DIM, sensor_dim, nsensor, "how many numbers it has")                                        \
    X(SENSOR_DATA, sensor_data, nsensor, "contact: bits of tx_contact_data, else 0")                     \
    X(SENSOR_REDUCE, sensor_reduce, nsensor, "contact: tx_reduce, else 0")                               \
    X(SENSOR_NSAMPLE, sensor_nsample, nsensor, "samples that are kept")                                  \
    X(SENSOR_INTERP, sensor_interp, nsensor, "tx_interp between them")                                   \
    X(SENSOR_HISTORY, sensor_history, nsensor, "first number of its past, -1: none")                     \
    X(SENSOR_ADR, sensor_adr, nsensor, "first of its numbers")                                           \
    X(SENSOR_OBJTYPE, sensor_objtype, nsensor, "tx_object it looks at")                                  \
    X(SENSOR_OBJ, sensor_obj, nsensor, "index of that, -1: none")                                        \
    X(SENSOR_REFTYPE, sensor_reftype, nsensor, "tx_object of its reference frame")                       \
    X(SENSOR_REF, sensor_ref, nsensor, "index of that, -1: the world")                                   \
    X(LIMIT_JNT, limit_jnt, nlimit, "joint of the limit")                                                \
    X(LIMIT_SIDE, limit_side, nlimit, "+1 lower, -1 upper, 0 ball")                                      \
    X(PAIR_GEOM1, pair_geom1, npair, "first geom: the lower type")                                       \
    X(PAIR_GEOM2, pair_geom2, npair, "second geom")                                                      \
    X(PAIR_SPECIAL, pair_special, npair, "its own parameters, -1: from the geoms")                       \
    X(SPECIAL_DIM, special_dim, nspecial, "dimension of the contacts")                                   \
    X(SPECIAL_GEOM1, special_geom1, nspecial, "first geom: the lower type")                              \
    X(SPECIAL_GEOM2, special_geom2, nspecial, "second geom")                                             \
    X(SPECIAL_SORTED, special_sorted, nspecial, "special pairs by lower and higher geom")                \
    X(EXCLUDE_BODY1, exclude_body1, nexclude, "the lower body; the list is sorted")                      \
    X(EXCLUDE_BODY2, exclude_body2, nexclude, "the higher body")                                         \
    X(BODY_NAME, body_name, nbody, "offset of its name")                                                 \
    X(JNT_NAME, jnt_name, njnt, "offset of its name")                                                    \
    X(GEOM_NAME, geom_name, ngeom, "offset of its name")                                                 \
    X(SITE_NAME, site_name, nsite, "offset of its name")                                                 \
    X(SENSOR_NAME, sensor_name, nsensor, "offset of its name")                                           \
    X(ACTUATOR_NAME, actuator_name, nactuator, "offset of its name")                                     \
    X(TENDON_NAME, tendon_name, ntendon, "offset of its name")                                           \
    X(KEY_NAME, key_name, nkey, "offset of its name")                                                    \
    X(MESH_NAME, mesh_name, nmesh, "offset of its name")                                                 \
    X(HFIELD_NAME, hfield_name, nhfield, "offset of its name")

/// X(NAME, name, count, width, meaning): physical parameters. Each may differ per environment (tx_sim_param()).
#define TX_MODEL_PARAMS(X) \
    TX_MODEL_GIVEN(X)      \
    TX_MODEL_DERIVED(X)
#define TX_MODEL_GIVEN(X)                                                                               \
    X(GRAVITY, gravity, one, 3, "gravity [m/s2]")                                                       \
    X(MAGNETIC, magnetic, one, 3, "magnetic field")                                                     \
    X(DENSITY, density, one, 1, "density of the medium [kg/m3], 0: none")                               \
    X(VISCOSITY, viscosity, one, 1, "viscosity of the medium [Pa s]")                                   \
    X(WIND, wind, one, 3, "velocity of the medium [m/s]")                                               \
    X(QPOS0, qpos0, nq, 1, "initial position")                                                          \
    X(QPOS_SPRING, qpos_spring, nq, 1, "position where springs rest")                                   \
    X(BODY_POS, body_pos, nbody, 3, "place in the parent [m]")                                          \
    X(BODY_QUAT, body_quat, nbody, 4, "orientation in the parent")                                      \
    X(BODY_IPOS, body_ipos, nbody, 3, "centre of mass in the body [m]")                                 \
    X(BODY_IQUAT, body_iquat, nbody, 4, "principal axes in the body")                                   \
    X(BODY_MASS, body_mass, nbody, 1, "mass [kg]")                                                      \
    X(BODY_INERTIA, body_inertia, nbody, 3, "principal moments [kg m2]")                                \
    X(BODY_GRAVCOMP, body_gravcomp, nbody, 1, "part of the weight taken away")                          \
    X(JNT_POS, jnt_pos, njnt, 3, "anchor in the body [m]")                                              \
    X(JNT_AXIS, jnt_axis, njnt, 3, "axis in the body")                                                  \
    X(JNT_STIFFNESS, jnt_stiffness, njnt, 1, "spring [N m/rad, N/m]")                                   \
    X(JNT_STIFFNESSPOLY, jnt_stiffnesspoly, njnt, 2, "its spring: times the square and the cube")       \
    X(JNT_SPRINGYIELD, jnt_springyield, njnt, 1, "stretch at which its spring yields [rad, m]")         \
    X(JNT_RANGE, jnt_range, njnt, 2, "limits [rad, m]")                                                 \
    X(JNT_MARGIN, jnt_margin, njnt, 1, "distance at which the limit acts")                              \
    X(JNT_SOLREF, jnt_solref, njnt, 2, "reference of the limit")                                        \
    X(JNT_SOLIMP, jnt_solimp, njnt, 5, "impedance of the limit")                                        \
    X(JNT_ACTFRCRANGE, jnt_actfrcrange, njnt, 2, "range of the sum of its actuators")                   \
    X(DOF_FRICTIONLOSS, dof_frictionloss, nv, 1, "dry friction [N m, N]")                               \
    X(DOF_SOLREF, dof_solref, nv, 2, "reference of the dry friction")                                   \
    X(DOF_SOLIMP, dof_solimp, nv, 5, "impedance of the dry friction")                                   \
    X(DOF_ARMATURE, dof_armature, nv, 1, "rotor inertia [kg m2, kg]")                                   \
    X(DOF_DAMPING, dof_damping, nv, 1, "damping [N m s/rad, N s/m]")                                    \
    X(DOF_DAMPINGPOLY, dof_dampingpoly, nv, 2, "its damper: times the square and the cube")             \
    X(GEOM_SIZE, geom_size, ngeom, 3, "sizes, see tx_geom_def [m]")                                     \
    X(GEOM_POS, geom_pos, ngeom, 3, "place in the body [m]")                                            \
    X(GEOM_QUAT, geom_quat, ngeom, 4, "orientation in the body")                                        \
    X(GEOM_FRICTION, geom_friction, ngeom, 3, "sliding [1], torsional, rolling [m]")                    \
    X(GEOM_SURFACEVEL, geom_surfacevel, ngeom, 6, "velocity of its surface: linear, angular")           \
    X(GEOM_MARGIN, geom_margin, ngeom, 1, "distance at which a contact acts [m]")                       \
    X(GEOM_GAP, geom_gap, ngeom, 1, "extra distance for detection [m]")                                 \
    X(GEOM_SOLMIX, geom_solmix, ngeom, 1, "weight when parameters are mixed")                           \
    X(GEOM_SOLREF, geom_solref, ngeom, 2, "reference of its contacts")                                  \
    X(GEOM_SOLIMP, geom_solimp, ngeom, 5, "impedance of its contacts")                                  \
    X(GEOM_STIFFNESS, geom_stiffness, ngeom, 1, "of its contacts [N/m]; these: TX_GEOM_MATERIALS")      \
    X(GEOM_RELAXATION, geom_relaxation, ngeom, 1, "damping / stiffness of its contacts [s]")            \
    X(GEOM_DISSIPATION, geom_dissipation, ngeom, 1, "their dissipation after Hunt and Crossley [s/m]")  \
    X(GEOM_BETA, geom_beta, ngeom, 1, "they vibrate once in so many steps, not faster")                 \
    X(GEOM_SIGMA, geom_sigma, ngeom, 1, "softness of their friction relative to the weight")            \
    X(GEOM_STICTION, geom_stiction, ngeom, 1, "speed of slip below which they stick [m/s]")             \
    X(GEOM_RESTITUTION, geom_restitution, ngeom, 1, "share of the speed of an impact left after it")    \
    X(GEOM_FLUIDCOEF, geom_fluidcoef, ngeom, 5, "blunt, slender, turning drag; lifts")                  \
    X(SITE_SIZE, site_size, nsite, 3, "sizes, see tx_geom_def [m]")                                     \
    X(SITE_POS, site_pos, nsite, 3, "place in the body [m]")                                            \
    X(SITE_QUAT, site_quat, nsite, 4, "orientation in the body")                                        \
    X(CAM_POS, cam_pos, ncam, 3, "place in the body [m]")                                               \
    X(CAM_QUAT, cam_quat, ncam, 4, "orientation in the body")                                           \
    X(SENSOR_DELAY, sensor_delay, nsensor, 1, "its numbers come so much later [s]")                     \
    X(CAM_FOVY, cam_fovy, ncam, 1, "vertical angle [degree], or height of the view [m]")                \
    X(SPECIAL_FRICTION, special_friction, nspecial, 5, "friction of a special pair")                    \
    X(SPECIAL_SOLREF, special_solref, nspecial, 2, "reference of a special pair")                       \
    X(SPECIAL_SOLIMP, special_solimp, nspecial, 5, "impedance of a special pair")                       \
    X(SPECIAL_SOLREFFRICTION, special_solreffriction, nspecial, 2, "that of its tangents, 0: the same") \
    X(SPECIAL_MARGIN, special_margin, nspecial, 1, "margin of a special pair [m]")                      \
    X(SPECIAL_GAP, special_gap, nspecial, 1, "gap of a special pair [m]")                               \
    X(ACTUATOR_GEAR, actuator_gear, nactuator, 6, "joint force per actuator force")                     \
    X(ACTUATOR_DELAY, actuator_delay, nactuator, 1, "its controls act so much later [s]")               \
    X(ACTUATOR_ARMATURE, actuator_armature, nactuator, 1, "inertia, times gear²")                       \
    X(ACTUATOR_DAMPING, actuator_damping, nactuator, 3, "damper at its joint or tendon, times gear²")   \
    X(ACTUATOR_CRANKLENGTH, actuator_cranklength, nactuator, 1, "length of the rod of the crank [m]")   \
    X(ACTUATOR_DYNPRM, actuator_dynprm, nactuator, 10, "parameters of the activation")                  \
    X(ACTUATOR_GAIN, actuator_gain, nactuator, 10, "gain: constant, per length, per velocity")          \
    X(ACTUATOR_BIAS, actuator_bias, nactuator, 10, "bias: constant, per length, per velocity")          \
    X(ACTUATOR_ACTRANGE, actuator_actrange, nactuator, 2, "range of the activation")                    \
    X(ACTUATOR_LENGTHRANGE, actuator_lengthrange, nactuator, 2, "lengths a muscle can have")            \
    X(ACTUATOR_CTRLRANGE, actuator_ctrlrange, nu, 2, "range of the control")                            \
    X(ACTUATOR_FORCERANGE, actuator_forcerange, nactuator, 2, "range of the force")                     \
    X(EQ_DATA, eq_data, neq, 11, "anchors, pose, weight or polynomial: equality.inl")                   \
    X(EQ_SOLREF, eq_solref, neq, 2, "reference of the equality")                                        \
    X(EQ_SOLIMP, eq_solimp, neq, 5, "impedance of the equality")                                        \
    X(WRAP_COEF, wrap_coef, nwrap, 1, "length per joint position, or divisor of a pulley")              \
    X(TENDON_STIFFNESS, tendon_stiffness, ntendon, 1, "spring [N/m]")                                   \
    X(TENDON_DAMPING, tendon_damping, ntendon, 1, "damping [N s/m]")                                    \
    X(TENDON_STIFFNESSPOLY, tendon_stiffnesspoly, ntendon, 2, "its spring: square and cube")            \
    X(TENDON_DAMPINGPOLY, tendon_dampingpoly, ntendon, 2, "its damper: square and cube")                \
    X(TENDON_SPRINGYIELD, tendon_springyield, ntendon, 1, "stretch at which its spring yields [m]")     \
    X(TENDON_ARMATURE, tendon_armature, ntendon, 1, "inertia of its length [kg]")                       \
    X(TENDON_LENGTHSPRING, tendon_lengthspring, ntendon, 2, "its spring rests between [m]")             \
    X(TENDON_RANGE, tendon_range, ntendon, 2, "limits [m]")                                             \
    X(TENDON_MARGIN, tendon_margin, ntendon, 1, "distance at which the limit acts")                     \
    X(TENDON_SOLREF_LIM, tendon_solref_lim, ntendon, 2, "reference of the limit")                       \
    X(TENDON_SOLIMP_LIM, tendon_solimp_lim, ntendon, 5, "impedance of the limit")                       \
    X(TENDON_FRICTIONLOSS, tendon_frictionloss, ntendon, 1, "dry friction [N]")                         \
    X(TENDON_SOLREF_FRI, tendon_solref_fri, ntendon, 2, "reference of the dry friction")                \
    X(TENDON_SOLIMP_FRI, tendon_solimp_fri, ntendon, 5, "impedance of the dry friction")                \
    X(TENDON_ACTFRCRANGE, tendon_actfrcrange, ntendon, 2, "range of the sum of its actuators")
/// Those that follow from the others: recomputed by tx_sim_params_changed(), never set by hand.
#define TX_MODEL_DERIVED(X)                                                                          \
    X(BODY_INVWEIGHT0, body_invweight0, nbody, 2, "mean inverse inertia at qpos0: tran, rot")        \
    X(DOF_INVWEIGHT0, dof_invweight0, nv, 1, "diagonal of the inverse mass matrix at qpos0")         \
    X(MEANINERTIA, meaninertia, one, 1, "mean diagonal of the mass matrix at qpos0")                 \
    X(ACTUATOR_ACC0, actuator_acc0, nactuator, 1, "norm of the acceleration by a unit force, qpos0") \
    X(TENDON_LENGTH0, tendon_length0, ntendon, 1, "length at qpos0 [m]")                             \
    X(TENDON_INVWEIGHT0, tendon_invweight0, ntendon, 1, "inverse inertia at qpos0")                  \
    X(CAM_POS0, cam_pos0, ncam, 3, "place at qpos0 from the body, world axes [m]")                   \
    X(CAM_POSCOM0, cam_poscom0, ncam, 3, "the same from the subtree's centre of mass [m]")           \
    X(CAM_MAT0, cam_mat0, ncam, 9, "orientation at qpos0, row-major")                                \
    X(GEOM_ADDEDMASS, geom_addedmass, ngeom, 6, "medium that moves along per density: mass, moments")

/// X(NAME, name, count, width, meaning): other numbers, the same for all environments.
#define TX_MODEL_DATA(X)                                                                             \
    X(DOF_LENGTH, dof_length, nv, 1, "speed of the body per velocity of the dof, at most [1], [m]")  \
    X(GEOM_RBOUND, geom_rbound, ngeom, 1, "bounding radius, 0: infinite [m]")                        \
    X(GEOM_RGBA, geom_rgba, ngeom, 4, "colour")                                                      \
    X(GEOM_TEXREPEAT, geom_texrepeat, ngeom, 2, "how often a flat texture stands along x and y")     \
    X(MESH_UV, mesh_uv, nmeshuv, 2, "texture coordinates of a corner of a face: right, down")        \
    X(GEOM_OWNPOS, geom_ownpos, ngeom, 3, "place in the body before the frame of its mesh [m]")      \
    X(GEOM_OWNQUAT, geom_ownquat, ngeom, 4, "orientation before the frame of its mesh")              \
    X(CAM_INTRINSIC, cam_intrinsic, ncam, 4, "focal lengths, principal point [m]")                   \
    X(CAM_SENSORSIZE, cam_sensorsize, ncam, 2, "width and height of its sensor [m], 0: none")        \
    X(CAM_IPD, cam_ipd, ncam, 1, "distance of two eyes [m]")                                         \
    X(SENSOR_INTERVAL, sensor_interval, nsensor, 2,                                                  \
      "time from one measurement to the next, and of the last before the start [s]")                 \
    X(SENSOR_CUTOFF, sensor_cutoff, nsensor, 1, "bound of its numbers, 0: none")                     \
    X(SENSOR_NOISE, sensor_noise, nsensor, 1, "standard deviation, for the user")                    \
    X(MESH_VERT, mesh_vert, nmeshvert, 3, "vertices in the frame of the geom, single precision [m]") \
    X(HULL_FOUR, hull_four, nhullfour, 12, "corners of a hull: x of four, y of four, z of four [m]") \
    X(MESH_POS, mesh_pos, nmesh, 3, "that frame in the mesh's definition [m]")                       \
    X(MESH_QUAT, mesh_quat, nmesh, 4, "its orientation")                                             \
    X(MESH_GIVEN, mesh_given, nmeshvert, 3, "vertices as they were given, single precision")         \
    X(MESH_REFPOS, mesh_refpos, nmesh, 3, "taken from the given vertices first")                     \
    X(MESH_REFQUAT, mesh_refquat, nmesh, 4, "then turned back by this")                              \
    X(MESH_SCALE, mesh_scale, nmesh, 3, "then scaled")                                               \
    X(HFIELD_SIZE, hfield_size, nhfield, 4, "half x, half y, height, base [m]")                      \
    X(HFIELD_DATA, hfield_data, nhfielddata, 1, "heights, 0 to 1, row by row from the lowest y")     \
    X(NODE_BOX, node_box, nmeshnode, 6, "low and high corner of its faces, frame of the geom [m]")   \
    X(SDF_LOW, sdf_low, nsdf, 3, "lowest corner of the grid in the frame of the geom [m]")           \
    X(SDF_CELL, sdf_cell, nsdf, 1, "distance of grid points [m]")                                    \
    X(SDF_DATA, sdf_data, nsdfdata, 1, "signed distance, x fastest [m]")                             \
    X(KEY_TIME, key_time, nkey, 1, "time [s]")                                                       \
    X(KEY_QPOS, key_qpos, nkey, nq, "position")                                                      \
    X(KEY_QVEL, key_qvel, nkey, nv, "velocity")                                                      \
    X(KEY_ACT, key_act, nkey, na, "activation")                                                      \
    X(KEY_CTRL, key_ctrl, nkey, nu, "control")                                                       \
    X(KEY_MPOS, key_mpos, nkey, 3 * nmocap, "mocap places")                                          \
    X(KEY_MQUAT, key_mquat, nkey, 4 * nmocap, "mocap orientations")                                  \
    X(KEY_PLASTIC, key_plastic, nkey, nplastic, "where springs that yield rest")

/// What an actuator acts through.
typedef enum tx_transmission {
    TX_TRANSMISSION_JOINT = 0,
    TX_TRANSMISSION_JOINTINPARENT = 1,
    TX_TRANSMISSION_TENDON = 2,
    TX_TRANSMISSION_SITE = 3,
    TX_TRANSMISSION_CRANK = 4,
    TX_TRANSMISSION_BODY = 5
} tx_transmission;

/// Activations that an actuator can have, in this order.
typedef enum tx_actuator_state {
    TX_ACTUATOR_STATE_SLEW = 1,             ///< the first input, as fast as it may move
    TX_ACTUATOR_STATE_INTEGRAL = 2,         ///< of the position error
    TX_ACTUATOR_STATE_TEMPERATURE = 4,      ///< of the winding above that around it [K]
    TX_ACTUATOR_STATE_BRISTLE = 8,          ///< deflection of LuGre's bristles
    TX_ACTUATOR_STATE_CURRENT = 16,         ///< [A]
    TX_ACTUATOR_STATE_PLAIN = 32,           ///< of all others: the one that drives the force
    TX_ACTUATOR_STATE_TURN = 64 + 128 + 256 ///< the rotation vector that an orientation servo turns to [rad]
} tx_actuator_state;

typedef enum tx_size {
    TX_SIZE_NQ = 0,
    TX_SIZE_NV = 1,
    TX_SIZE_NU = 2,
    TX_SIZE_NA = 3,
    TX_SIZE_NMOMENT = 4,
    TX_SIZE_NTENDON = 5,
    TX_SIZE_NWRAP = 6,
    TX_SIZE_NEQ = 7,
    TX_SIZE_NEQROW = 8,
    TX_SIZE_NTENDOF = 9,
    TX_SIZE_NBODY = 10,
    TX_SIZE_NJNT = 11,
    TX_SIZE_NGEOM = 12,
    TX_SIZE_NSITE = 13,
    TX_SIZE_NSENSOR = 14,
    TX_SIZE_NSENSORDATA = 15,
    TX_SIZE_NMOCAP = 16,
    TX_SIZE_NTREE = 17,
    TX_SIZE_NSLEEP = 18,
    TX_SIZE_NKEY = 19,
    TX_SIZE_NM = 20,
    TX_SIZE_NLIMIT = 21,
    TX_SIZE_NPAIR = 22,
    TX_SIZE_NSPECIAL = 23,
    TX_SIZE_NEXCLUDE = 24,
    TX_SIZE_NMESH = 25,
    TX_SIZE_NMESHVERT = 26,
    TX_SIZE_NMESHCORNER = 27,
    TX_SIZE_NHULLVERT = 28,
    TX_SIZE_NHULLCORNER = 29,
    TX_SIZE_NHULLSTART = 30,
    TX_SIZE_NHULLFOUR = 31,
    TX_SIZE_NMESHFACE = 32,
    TX_SIZE_NMESHNODE = 33,
    TX_SIZE_NHFIELD = 34,
    TX_SIZE_NHFIELDDATA = 35,
    TX_SIZE_NSDF = 36,
    TX_SIZE_NSDFDATA = 37,
    TX_SIZE_NNAME = 38,
    TX_SIZE_NCAM = 39,
    TX_SIZE_NACTUATOR = 40,
    TX_SIZE_NHISTORY = 41,
    TX_SIZE_NPLASTIC = 42,
    TX_SIZE_NTEX = 43,
    TX_SIZE_NTEXDATA = 44,
    TX_SIZE_NMESHUV = 45,
    TX_SIZE_COUNT
} tx_size;

typedef enum tx_model_int {
    TX_INT_BODY_PARENT = 0,
    TX_INT_BODY_ROOT = 1,
    TX_INT_BODY_WELD = 2,
    TX_INT_BODY_JNTADR = 3,
    TX_INT_BODY_JNTNUM = 4,
    TX_INT_BODY_DOFADR = 5,
    TX_INT_BODY_DOFNUM = 6,
    TX_INT_BODY_LASTDOF = 7,
    TX_INT_BODY_SLIDERS = 8,
    TX_INT_BODY_GEOMADR = 9,
    TX_INT_BODY_GEOMNUM = 10,
    TX_INT_JNT_TYPE = 11,
    TX_INT_JNT_BODY = 12,
    TX_INT_JNT_QPOSADR = 13,
    TX_INT_JNT_DOFADR = 14,
    TX_INT_JNT_LIMITED = 15,
    TX_INT_JNT_ACTFRCLIMITED = 16,
    TX_INT_JNT_ACTGRAVCOMP = 17,
    TX_INT_BODY_MOCAP = 18,
    TX_INT_BODY_LONE = 19,
    TX_INT_BODY_TREE = 20,
    TX_INT_BODY_SLEEP = 21,
    TX_INT_TREE_BODYADR = 22,
    TX_INT_TREE_BODYNUM = 23,
    TX_INT_TREE_DOFADR = 24,
    TX_INT_TREE_DOFNUM = 25,
    TX_INT_TREE_SLEEP = 26,
    TX_INT_DOF_BODY = 27,
    TX_INT_DOF_JNT = 28,
    TX_INT_DOF_PARENT = 29,
    TX_INT_DOF_MADR = 30,
    TX_INT_DOF_MNUM = 31,
    TX_INT_GEOM_TYPE = 32,
    TX_INT_GEOM_BODY = 33,
    TX_INT_GEOM_CONTYPE = 34,
    TX_INT_GEOM_CONAFFINITY = 35,
    TX_INT_GEOM_CONDIM = 36,
    TX_INT_GEOM_PRIORITY = 37,
    TX_INT_GEOM_GROUP = 38,
    TX_INT_GEOM_MESH = 39,
    TX_INT_GEOM_FLUID = 40,
    TX_INT_GEOM_HFIELD = 41,
    TX_INT_HFIELD_NROW = 42,
    TX_INT_HFIELD_NCOL = 43,
    TX_INT_HFIELD_ADR = 44,
    TX_INT_MESH_SDF = 45,
    TX_INT_SDF_NX = 46,
    TX_INT_SDF_NY = 47,
    TX_INT_SDF_NZ = 48,
    TX_INT_SDF_ADR = 49,
    TX_INT_MESH_VERTADR = 50,
    TX_INT_MESH_VERTNUM = 51,
    TX_INT_MESH_FACEADR = 52,
    TX_INT_MESH_FACENUM = 53,
    TX_INT_MESH_HULLVERTADR = 54,
    TX_INT_MESH_HULLVERTNUM = 55,
    TX_INT_MESH_HULLFACEADR = 56,
    TX_INT_MESH_HULLFACENUM = 57,
    TX_INT_MESH_FOURADR = 58,
    TX_INT_MESH_STARTADR = 59,
    TX_INT_MESH_INERTIA = 60,
    TX_INT_MESH_HULLFACED = 61,
    TX_INT_MESH_FACE = 62,
    TX_INT_HULL_VERT = 63,
    TX_INT_HULL_EDGEADR = 64,
    TX_INT_HULL_EDGENUM = 65,
    TX_INT_HULL_FACE = 66,
    TX_INT_HULL_EDGE = 67,
    TX_INT_HULL_START = 68,
    TX_INT_MESH_NODEADR = 69,
    TX_INT_MESH_NODENUM = 70,
    TX_INT_MESH_ORDER = 71,
    TX_INT_NODE_LEAF = 72,
    TX_INT_NODE_END = 73,
    TX_INT_ACTUATOR_TRN = 74,
    TX_INT_ACTUATOR_TRNID = 75,
    TX_INT_ACTUATOR_TRNREF = 76,
    TX_INT_ACTUATOR_DOFADR = 77,
    TX_INT_ACTUATOR_DOFNUM = 78,
    TX_INT_MOMENT_DOF = 79,
    TX_INT_ACTUATOR_GROUP = 80,
    TX_INT_ACTUATOR_DYN = 81,
    TX_INT_ACTUATOR_ACT = 82,
    TX_INT_ACTUATOR_ACTEARLY = 83,
    TX_INT_ACTUATOR_GAINCURVE = 84,
    TX_INT_ACTUATOR_BIASCURVE = 85,
    TX_INT_ACTUATOR_ACTLIMITED = 86,
    TX_INT_EQ_TYPE = 87,
    TX_INT_EQ_OBJ1 = 88,
    TX_INT_EQ_OBJ2 = 89,
    TX_INT_EQ_ACTIVE0 = 90,
    TX_INT_EQ_NAME = 91,
    TX_INT_TENDON_ADR = 92,
    TX_INT_TENDON_NUM = 93,
    TX_INT_WRAP_TYPE = 94,
    TX_INT_WRAP_OBJ = 95,
    TX_INT_WRAP_SIDE = 96,
    TX_INT_TENDON_DOFADR = 97,
    TX_INT_TENDON_DOFNUM = 98,
    TX_INT_TENDON_DOF = 99,
    TX_INT_TENDON_LIMITED = 100,
    TX_INT_TENDON_ACTFRCLIMITED = 101,
    TX_INT_ACTUATOR_CTRLLIMITED = 102,
    TX_INT_ACTUATOR_FORCELIMITED = 103,
    TX_INT_SITE_BODY = 104,
    TX_INT_SITE_TYPE = 105,
    TX_INT_SITE_GROUP = 106,
    TX_INT_SENSOR_TYPE = 107,
    TX_INT_SENSOR_ADR = 108,
    TX_INT_SENSOR_OBJTYPE = 109,
    TX_INT_SENSOR_OBJ = 110,
    TX_INT_SENSOR_REFTYPE = 111,
    TX_INT_SENSOR_REF = 112,
    TX_INT_LIMIT_JNT = 113,
    TX_INT_LIMIT_SIDE = 114,
    TX_INT_PAIR_GEOM1 = 115,
    TX_INT_PAIR_GEOM2 = 116,
    TX_INT_PAIR_SPECIAL = 117,
    TX_INT_SPECIAL_DIM = 118,
    TX_INT_SPECIAL_GEOM1 = 119,
    TX_INT_SPECIAL_GEOM2 = 120,
    TX_INT_SPECIAL_SORTED = 121,
    TX_INT_EXCLUDE_BODY1 = 122,
    TX_INT_EXCLUDE_BODY2 = 123,
    TX_INT_BODY_NAME = 124,
    TX_INT_JNT_NAME = 125,
    TX_INT_GEOM_NAME = 126,
    TX_INT_SITE_NAME = 127,
    TX_INT_SENSOR_NAME = 128,
    TX_INT_ACTUATOR_NAME = 129,
    TX_INT_TENDON_NAME = 130,
    TX_INT_KEY_NAME = 131,
    TX_INT_MESH_NAME = 132,
    TX_INT_HFIELD_NAME = 133,
    TX_INT_CAM_BODY = 134,
    TX_INT_CAM_MODE = 135,
    TX_INT_CAM_TARGET = 136,
    TX_INT_CAM_ORTHOGRAPHIC = 137,
    TX_INT_CAM_WIDTH = 138,
    TX_INT_CAM_HEIGHT = 139,
    TX_INT_CAM_NAME = 140,
    TX_INT_SENSOR_DIM = 141,
    TX_INT_SENSOR_DATA = 142,
    TX_INT_SENSOR_REDUCE = 143,
    TX_INT_ACTUATOR_ACTNUM = 144,
    TX_INT_ACTUATOR_STATES = 145,
    TX_INT_ACTUATOR_CTRLADR = 146,
    TX_INT_ACTUATOR_CTRLNUM = 147,
    TX_INT_ACTUATOR_INPUTS = 148,
    TX_INT_ACTUATOR_NSAMPLE = 149,
    TX_INT_ACTUATOR_INTERP = 150,
    TX_INT_ACTUATOR_HISTORY = 151,
    TX_INT_SENSOR_NSAMPLE = 152,
    TX_INT_SENSOR_INTERP = 153,
    TX_INT_SENSOR_HISTORY = 154,
    TX_INT_JNT_PLASTIC = 155,
    TX_INT_TENDON_PLASTIC = 156,
    TX_INT_KEY_YIELDED = 157,
    TX_INT_MESH_HULLMOST = 158,
    TX_INT_GEOM_TEXTURE = 159,
    TX_INT_GEOM_TEXUNIFORM = 160,
    TX_INT_TEX_CUBE = 161,
    TX_INT_TEX_WIDTH = 162,
    TX_INT_TEX_HEIGHT = 163,
    TX_INT_TEX_ADR = 164,
    TX_INT_TEX_DATA = 165,
    TX_INT_MESH_UVADR = 166,
    TX_INT_COUNT
} tx_model_int;

typedef enum tx_param {
    TX_PARAM_GRAVITY = 0,
    TX_PARAM_MAGNETIC = 1,
    TX_PARAM_DENSITY = 2,
    TX_PARAM_VISCOSITY = 3,
    TX_PARAM_WIND = 4,
    TX_PARAM_QPOS0 = 5,
    TX_PARAM_QPOS_SPRING = 6,
    TX_PARAM_BODY_POS = 7,
    TX_PARAM_BODY_QUAT = 8,
    TX_PARAM_BODY_IPOS = 9,
    TX_PARAM_BODY_IQUAT = 10,
    TX_PARAM_BODY_MASS = 11,
    TX_PARAM_BODY_INERTIA = 12,
    TX_PARAM_BODY_GRAVCOMP = 13,
    TX_PARAM_JNT_POS = 14,
    TX_PARAM_JNT_AXIS = 15,
    TX_PARAM_JNT_STIFFNESS = 16,
    TX_PARAM_JNT_RANGE = 17,
    TX_PARAM_JNT_MARGIN = 18,
    TX_PARAM_JNT_SOLREF = 19,
    TX_PARAM_JNT_SOLIMP = 20,
    TX_PARAM_JNT_ACTFRCRANGE = 21,
    TX_PARAM_DOF_FRICTIONLOSS = 22,
    TX_PARAM_DOF_SOLREF = 23,
    TX_PARAM_DOF_SOLIMP = 24,
    TX_PARAM_DOF_ARMATURE = 25,
    TX_PARAM_DOF_DAMPING = 26,
    TX_PARAM_GEOM_SIZE = 27,
    TX_PARAM_GEOM_POS = 28,
    TX_PARAM_GEOM_QUAT = 29,
    TX_PARAM_GEOM_FRICTION = 30,
    TX_PARAM_GEOM_MARGIN = 31,
    TX_PARAM_GEOM_GAP = 32,
    TX_PARAM_GEOM_SOLMIX = 33,
    TX_PARAM_GEOM_SOLREF = 34,
    TX_PARAM_GEOM_SOLIMP = 35,
    TX_PARAM_GEOM_FLUIDCOEF = 36,
    TX_PARAM_SITE_SIZE = 37,
    TX_PARAM_SITE_POS = 38,
    TX_PARAM_SITE_QUAT = 39,
    TX_PARAM_SPECIAL_FRICTION = 40,
    TX_PARAM_SPECIAL_SOLREF = 41,
    TX_PARAM_SPECIAL_SOLIMP = 42,
    TX_PARAM_SPECIAL_MARGIN = 43,
    TX_PARAM_SPECIAL_GAP = 44,
    TX_PARAM_ACTUATOR_GEAR = 45,
    TX_PARAM_ACTUATOR_CRANKLENGTH = 46,
    TX_PARAM_ACTUATOR_DYNPRM = 47,
    TX_PARAM_ACTUATOR_GAIN = 48,
    TX_PARAM_ACTUATOR_BIAS = 49,
    TX_PARAM_ACTUATOR_ACTRANGE = 50,
    TX_PARAM_ACTUATOR_LENGTHRANGE = 51,
    TX_PARAM_ACTUATOR_CTRLRANGE = 52,
    TX_PARAM_ACTUATOR_FORCERANGE = 53,
    TX_PARAM_EQ_DATA = 54,
    TX_PARAM_EQ_SOLREF = 55,
    TX_PARAM_EQ_SOLIMP = 56,
    TX_PARAM_WRAP_COEF = 57,
    TX_PARAM_TENDON_STIFFNESS = 58,
    TX_PARAM_TENDON_DAMPING = 59,
    TX_PARAM_TENDON_LENGTHSPRING = 60,
    TX_PARAM_TENDON_RANGE = 61,
    TX_PARAM_TENDON_MARGIN = 62,
    TX_PARAM_TENDON_SOLREF_LIM = 63,
    TX_PARAM_TENDON_SOLIMP_LIM = 64,
    TX_PARAM_TENDON_FRICTIONLOSS = 65,
    TX_PARAM_TENDON_SOLREF_FRI = 66,
    TX_PARAM_TENDON_SOLIMP_FRI = 67,
    TX_PARAM_TENDON_ACTFRCRANGE = 68,
    TX_PARAM_BODY_INVWEIGHT0 = 69,
    TX_PARAM_DOF_INVWEIGHT0 = 70,
    TX_PARAM_MEANINERTIA = 71,
    TX_PARAM_ACTUATOR_ACC0 = 72,
    TX_PARAM_TENDON_LENGTH0 = 73,
    TX_PARAM_TENDON_INVWEIGHT0 = 74,
    TX_PARAM_GEOM_ADDEDMASS = 75,
    TX_PARAM_CAM_POS = 76,
    TX_PARAM_CAM_QUAT = 77,
    TX_PARAM_CAM_FOVY = 78,
    TX_PARAM_CAM_POS0 = 79,
    TX_PARAM_CAM_POSCOM0 = 80,
    TX_PARAM_CAM_MAT0 = 81,
    TX_PARAM_ACTUATOR_ARMATURE = 82,
    TX_PARAM_TENDON_ARMATURE = 83,
    TX_PARAM_GEOM_SURFACEVEL = 84,
    TX_PARAM_ACTUATOR_DELAY = 85,
    TX_PARAM_SENSOR_DELAY = 86,
    TX_PARAM_JNT_STIFFNESSPOLY = 87,
    TX_PARAM_DOF_DAMPINGPOLY = 88,
    TX_PARAM_TENDON_STIFFNESSPOLY = 89,
    TX_PARAM_TENDON_DAMPINGPOLY = 90,
    TX_PARAM_ACTUATOR_DAMPING = 91,
    TX_PARAM_SPECIAL_SOLREFFRICTION = 92,
    TX_PARAM_JNT_SPRINGYIELD = 93,
    TX_PARAM_TENDON_SPRINGYIELD = 94,
    TX_PARAM_GEOM_STIFFNESS = 95,
    TX_PARAM_GEOM_RELAXATION = 96,
    TX_PARAM_GEOM_DISSIPATION = 97,
    TX_PARAM_GEOM_BETA = 98,
    TX_PARAM_GEOM_SIGMA = 99,
    TX_PARAM_GEOM_STICTION = 100,
    TX_PARAM_GEOM_RESTITUTION = 101,
    TX_PARAM_COUNT
} tx_param;

typedef enum tx_model_data {
    TX_DATA_DOF_LENGTH = 0,
    TX_DATA_GEOM_RBOUND = 1,
    TX_DATA_GEOM_RGBA = 2,
    TX_DATA_GEOM_OWNPOS = 3,
    TX_DATA_GEOM_OWNQUAT = 4,
    TX_DATA_SENSOR_CUTOFF = 5,
    TX_DATA_SENSOR_NOISE = 6,
    TX_DATA_MESH_VERT = 7,
    TX_DATA_HULL_FOUR = 8,
    TX_DATA_MESH_POS = 9,
    TX_DATA_MESH_QUAT = 10,
    TX_DATA_MESH_GIVEN = 11,
    TX_DATA_MESH_REFPOS = 12,
    TX_DATA_MESH_REFQUAT = 13,
    TX_DATA_MESH_SCALE = 14,
    TX_DATA_HFIELD_SIZE = 15,
    TX_DATA_HFIELD_DATA = 16,
    TX_DATA_NODE_BOX = 17,
    TX_DATA_SDF_LOW = 18,
    TX_DATA_SDF_CELL = 19,
    TX_DATA_SDF_DATA = 20,
    TX_DATA_KEY_TIME = 21,
    TX_DATA_KEY_QPOS = 22,
    TX_DATA_KEY_QVEL = 23,
    TX_DATA_KEY_ACT = 24,
    TX_DATA_KEY_CTRL = 25,
    TX_DATA_KEY_MPOS = 26,
    TX_DATA_KEY_MQUAT = 27,
    TX_DATA_CAM_INTRINSIC = 28,
    TX_DATA_CAM_SENSORSIZE = 29,
    TX_DATA_CAM_IPD = 30,
    TX_DATA_SENSOR_INTERVAL = 31,
    TX_DATA_KEY_PLASTIC = 32,
    TX_DATA_GEOM_TEXREPEAT = 33,
    TX_DATA_MESH_UV = 34,
    TX_DATA_COUNT
} tx_model_data;

/// Kinds of named elements.
typedef enum tx_element {
    TX_ELEMENT_BODY = 0,
    TX_ELEMENT_JOINT = 1,
    TX_ELEMENT_GEOM = 2,
    TX_ELEMENT_ACTUATOR = 3,
    TX_ELEMENT_KEY = 4,
    TX_ELEMENT_TENDON = 5,
    TX_ELEMENT_EQUALITY = 6,
    TX_ELEMENT_SITE = 7,
    TX_ELEMENT_SENSOR = 8,
    TX_ELEMENT_MESH = 9,
    TX_ELEMENT_HFIELD = 10,
    TX_ELEMENT_CAMERA = 11
} tx_element;

TX_API void tx_model_destroy(tx_model *model); ///< null is fine

TX_API int tx_model_size(const tx_model *model, tx_size size);
TX_API const int *tx_model_ints(const tx_model *model, tx_model_int field, int *count);
TX_API const double *tx_model_params(const tx_model *model, tx_param field, int *count);
TX_API const double *tx_model_data_array(const tx_model *model, tx_model_data field, int *count);
TX_API const tx_options *tx_model_options(const tx_model *model);
TX_API const char *tx_model_name(const tx_model *model);

/// Name of an element, "" when it has none; null for a wrong index.
TX_API const char *tx_element_name(const tx_model *model, tx_element kind, int index);
/// Index of a named element, -1 when there is none.
TX_API int tx_element_find(const tx_model *model, tx_element kind, const char *name);

/// The whole model as one relocatable buffer: what tx_model_write() stores. Owned by the model.
TX_API const void *tx_model_bytes(const tx_model *model, size_t *size);
/// Makes a model from such a buffer (copied); null and a message when it is not one.
TX_API tx_model *tx_model_from_bytes(const void *bytes, size_t size, tx_diag *diag);
TX_API tx_result tx_model_write(const tx_model *model, const char *path);
TX_API tx_model *tx_model_read(const char *path, tx_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
