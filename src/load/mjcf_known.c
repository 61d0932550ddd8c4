// mjcf_known.c - the names of MJCF, as MuJoCo 3.12's mj_printSchema() lists them: they tell a typing error from
// something that waits. What is supported is in the attribute tables; this list is only asked when those have no
// answer.
#include <string.h>

#include "load/mjcf.h"
#include "load/text.h"

// clang-format off
#define SENSOR \
    "cutoff delay interp interval name noise nsample user"
#define ACTUATOR \
    "armature class cranklength cranksite ctrllimited ctrlrange damping delay " \
    "forcelimited forcerange gear group interp joint jointinparent lengthrange name " \
    "nsample refsite site slidersite tendon user"
#define ACTUATOR_DEFAULT \
    "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange " \
    "gear group interp nsample user"

static const tx_mjcf_known known[] = {
    {"", "mujoco", "model"},
    {"mujoco", "compiler",
     "passthrough savecanonical savecompiled alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict "
     "coordinate discardvisual eulerseq fitaabb fusestatic inertiafromgeom "
     "inertiagrouprange meshdir saveinertial settotalmass strippath texturedir usethread"},
    {"compiler", "lengthrange",
     "accel interval inttotal maxforce mode timeconst timestep tolrange useexisting "
     "uselimit"},
    {"mujoco", "option",
     "actuatorgroupdisable ccd_iterations ccd_tolerance cone density gravity impratio "
     "integrator iterations jacobian ls_iterations ls_tolerance magnetic noslip_iterations "
     "noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints sdf_iterations "
     "sleep_tolerance solver timestep tolerance viscosity wind"},
    {"option", "flag",
     "ipc speculative actuation autoreset clampctrl constraint contact damper diagexact energy equality "
     "eulerdamp filterparent frictionloss fwdinv gravity invdiscrete island limit midphase "
     "multiccd nativeccd override refsafe sensor sleep spring warmstart"},
    {"mujoco", "size",
     "memory nconmax njmax nkey nstack nuser_actuator nuser_body nuser_cam nuser_geom "
     "nuser_jnt nuser_sensor nuser_site nuser_tendon nuserdata"},
    {"mujoco", "statistic", "center extent meaninertia meanmass meansize"},
    {"mujoco", "visual", ""},
    {"visual", "global",
     "azimuth bvactive cameraid elevation ellipsoidinertia fovy glow ipd linewidth "
     "offheight offwidth orthographic realtime"},
    {"visual", "quality", "numquads numslices numstacks offsamples shadowsize"},
    {"visual", "headlight", "active ambient diffuse specular"},
    {"visual", "map",
     "actuatortendon alpha fogend fogstart force haze shadowclip shadowscale stiffness "
     "stiffnessrot torque zfar znear"},
    {"visual", "scale",
     "actuatorlength actuatorwidth camera com connect constraint contactheight "
     "contactwidth forcewidth framelength framewidth frustum jointlength jointwidth light "
     "selectpoint slidercrank"},
    {"visual", "rgba",
     "actuator actuatornegative actuatorpositive bv bvactive camera com connect constraint "
     "contactforce contactfriction contactgap contactpoint contacttorque crankbroken fog "
     "force frustum haze inertia joint light rangefinder selectpoint slidercrank"},
    {"mujoco", "default", "class"},
    {"default", "default", "class"},
    {"default", "mesh", "inertia maxhullvert scale"},
    {"default", "material",
     "emission metallic reflectance rgba roughness shininess specular texrepeat texture "
     "texuniform"},
    {"material", "layer", "role texture"},
    {"default", "joint",
     "springyield actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis damping "
     "frictionloss group limited margin pos range ref solimpfriction solimplimit "
     "solreffriction solreflimit springdamper springref stiffness type user"},
    {"default", "geom",
     "castshadow adhesion axisangle conaffinity condim contype density euler fitscale fluidcoef "
     "fluidshape friction fromto gap group hfield margin mass material mesh pos priority "
     "quat rgba shellinertia size solimp solmix solref surfacevel type user xyaxes zaxis"},
    {"default", "site",
     "mesh axisangle euler fromto group material pos quat rgba size type user xyaxes zaxis"},
    {"default", "camera",
     "axisangle euler focal focalpixel fovy ipd mode output pos principal principalpixel "
     "projection quat resolution sensorsize user xyaxes zaxis"},
    {"default", "light",
     "active ambient attenuation bulbradius castshadow cutoff diffuse dir directional "
     "exponent intensity mode pos range softness specular type"},
    {"default", "texture",
     "builtin embed colorspace gridlayout gridsize height hflip mark markrgb nchannel random rgb1 rgb2 type vflip width"},
    {"default", "pair", "adhesion condim friction gap margin solimp solref solreffriction"},
    {"default", "equality", "active solimp solref"},
    {"default", "tendon",
     "springyield damping frictionloss group limited margin material range rgba solimpfriction "
     "solimplimit solreffriction solreflimit springlength stiffness user width"},
    {"default", "general",
     ACTUATOR_DEFAULT " actdim actearly actlimited actrange biasprm biastype dynprm dyntype ffrange gainprm "
     "gaintype input velrange"},
    {"default", "motor", ACTUATOR_DEFAULT},
    {"default", "position", ACTUATOR_DEFAULT " dampratio inheritrange kp kv timeconst"},
    {"default", "velocity", ACTUATOR_DEFAULT " kv"},
    {"default", "intvelocity",
     ACTUATOR_DEFAULT " actlimited actrange dampratio inheritrange kp kv"},
    {"default", "orientation",
     "ctrlrange dampratio delay forcelimited forcerange group input interp kp kv nsample "
     "user"},
    {"default", "pid",
     ACTUATOR_DEFAULT " dampratio ffrange imax inheritrange input ki kp kv posrange slewmax velrange"},
    {"default", "damper",
     "armature cranklength ctrlrange damping delay forcelimited forcerange gear group "
     "interp kv nsample user"},
    {"default", "cylinder", ACTUATOR_DEFAULT " area bias diameter timeconst"},
    {"default", "muscle",
     ACTUATOR_DEFAULT " force fpmax fvmax lmax lmin range scale timeconst vmax"},
    {"default", "adhesion",
     "ctrlrange delay forcelimited forcerange gain group interp nsample user"},
    {"default", "dcmotor",
     "armature cogging controller cranklength ctrllimited ctrlrange damping delay gear "
     "group inductance input interp lugre motorconst nominal nsample resistance saturation "
     "thermal user"},
    {"mujoco", "extension", ""},
    {"extension", "plugin", "plugin"},
    {"plugin", "instance", "name"},
    {"instance", "config", "key value"},
    {"mujoco", "asset", ""},
    {"asset", "mesh",
     "builtin class content_type face file inertia material maxhullvert name normal params "
     "refpos refquat scale smoothnormal texcoord vertex"},
    {"mesh", "plugin", "instance plugin"},
    {"plugin", "config", "key value"},
    {"asset", "hfield", "content_type elevation file name ncol nrow size"},
    {"asset", "skin", "face file group inflate material name rgba texcoord vertex"},
    {"skin", "bone", "bindpos bindquat body vertid vertweight"},
    {"asset", "texture",
     "class embed builtin colorspace content_type file fileback filedown filefront fileleft fileright "
     "fileup gridlayout gridsize height hflip mark markrgb name nchannel random rgb1 rgb2 "
     "type vflip width"},
    {"asset", "material",
     "class emission metallic name reflectance rgba roughness shininess specular texrepeat "
     "texture texuniform"},
    {"asset", "model", "content_type file name"},
    {"mujoco", "worldbody", ""},
    {"body", "body",
     "fuse axisangle childclass euler gravcomp mocap name pos quat simple sleep user xyaxes "
     "zaxis"},
    {"body", "frame", "massscale scale scaling axisangle childclass euler name pos quat xyaxes zaxis"},
    {"body", "replicate", "axisangle childclass count euler name offset pos quat sep xyaxes zaxis"},
    {"body", "inertial", "axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis"},
    {"body", "joint",
     "springyield actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping "
     "frictionloss group limited margin name pos range ref solimpfriction solimplimit "
     "solreffriction solreflimit springdamper springref stiffness type user"},
    {"body", "freejoint", "align group name"},
    {"body", "geom",
     "castshadow adhesion axisangle class conaffinity condim contype density euler fitscale fluidcoef "
     "fluidshape friction fromto gap group hfield margin mass material mesh name pos "
     "priority quat rgba shellinertia size solimp solmix solref surfacevel type user "
     "xyaxes zaxis"},
    {"geom", "plugin", "instance plugin"},
    {"body", "attach", "body frame model prefix"},
    {"body", "site",
     "mesh axisangle class euler fromto group material name pos quat rgba size type user xyaxes "
     "zaxis"},
    {"body", "camera",
     "axisangle class euler focal focalpixel fovy ipd mode name output pos principal "
     "principalpixel projection quat resolution sensorsize target user xyaxes zaxis"},
    {"body", "light",
     "active ambient attenuation bulbradius castshadow class cutoff diffuse dir "
     "directional exponent intensity mode name pos range softness specular target texture "
     "type"},
    {"body", "plugin", "instance plugin"},
    {"body", "composite", "count curve initial offset prefix quat size type vertex"},
    {"composite", "joint",
     "armature axis damping frictionloss group kind limited margin range solimpfix "
     "solimpfriction solimplimit solreffix solreffriction solreflimit stiffness type"},
    {"composite", "skin", "group inflate material rgba subgrid texcoord"},
    {"composite", "geom",
     "adhesion conaffinity condim contype density friction gap group margin mass material "
     "priority rgba size solimp solmix solref surfacevel type"},
    {"composite", "site", "group material rgba size"},
    {"composite", "plugin", "instance plugin"},
    {"body", "flexcomp",
     "axisangle cellcount count dim dof element euler file flatskin group inertiabox mass mesh "
     "material name origin point pos quat radius rgba rigid scale spacing texcoord type "
     "xyaxes zaxis"},
    {"flexcomp", "edge", "damping equality solimp solref stiffness"},
    {"flexcomp", "elasticity", "damping elastic2d poisson section sectionsize shear thickness yield young"},
    {"flexcomp", "contact",
     "activelayers conaffinity condim contype friction gap margin passive "
     "priority selfcollide solimp solmix solref"},
    {"flexcomp", "pin", "grid gridrange id range"},
    {"flexcomp", "plugin", "instance plugin"},
    {"mujoco", "deformable", ""},
    {"deformable", "flex",
     "body cellcount dim dof element elemtexcoord flatskin group material name node "
     "nodecoord radius rgba texcoord vertex"},
    {"flex", "contact",
     "activelayers conaffinity condim contype friction gap margin passive "
     "priority selfcollide solimp solmix solref"},
    {"flex", "edge", "damping stiffness"},
    {"flex", "elasticity", "damping elastic2d poisson section sectionsize shear thickness yield young"},
    {"deformable", "skin", "face file group inflate material name rgba texcoord vertex"},
    {"mujoco", "contact", ""},
    {"contact", "pair",
     "adhesion class condim friction gap geom1 geom2 margin name solimp solref "
     "solreffriction"},
    {"contact", "exclude", "body1 body2 name"},
    {"mujoco", "tendon", ""},
    {"tendon", "spatial",
     "springyield actuatorfrclimited actuatorfrcrange armature class damping frictionloss group "
     "limited margin material name range rgba solimpfriction solimplimit solreffriction "
     "solreflimit springlength stiffness user width"},
    {"spatial", "site", "site"},
    {"spatial", "geom", "geom sidesite"},
    {"spatial", "pulley", "divisor"},
    {"tendon", "fixed",
     "springyield actuatorfrclimited actuatorfrcrange armature class damping frictionloss group "
     "limited margin name range solimpfriction solimplimit solreffriction solreflimit "
     "springlength stiffness user"},
    {"fixed", "joint", "coef joint"},
    {"mujoco", "equality", ""},
    {"equality", "connect", "active anchor body1 body2 class name site1 site2 solimp solref"},
    {"equality", "weld",
     "active anchor body1 body2 class name relpose site1 site2 solimp solref torquescale"},
    {"equality", "joint", "active class joint1 joint2 name polycoef solimp solref"},
    {"equality", "tendon", "active class name polycoef solimp solref tendon1 tendon2"},
    {"equality", "flex", "active class flex name solimp solref"},
    {"equality", "flexvert", "active class flex name solimp solref"},
    {"equality", "flexstrain", "active cell class flex name solimp solref"},
    {"mujoco", "actuator", ""},
    {"actuator", "general",
     ACTUATOR " actdim actearly actlimited actrange biasprm biastype body dynprm dyntype ffrange "
     "gainprm gaintype input velrange"},
    {"actuator", "motor", ACTUATOR},
    {"actuator", "position", ACTUATOR " dampratio inheritrange kp kv timeconst"},
    {"actuator", "velocity", ACTUATOR " kv"},
    {"actuator", "intvelocity", ACTUATOR " actlimited actrange dampratio inheritrange kp kv"},
    {"actuator", "orientation",
     "class ctrlrange dampratio delay forcelimited forcerange group input interp joint kp "
     "kv name nsample refsite site user"},
    {"actuator", "pid",
     ACTUATOR " dampratio ffrange imax inheritrange input ki kp kv posrange slewmax velrange"},
    {"actuator", "damper",
     "armature class cranklength cranksite ctrlrange damping delay forcelimited forcerange "
     "gear group interp joint jointinparent kv lengthrange name nsample refsite site "
     "slidersite tendon user"},
    {"actuator", "cylinder", ACTUATOR " area bias diameter timeconst"},
    {"actuator", "muscle",
     ACTUATOR_DEFAULT " class cranksite force fpmax fvmax joint jointinparent lengthrange lmax lmin name "
     "range scale slidersite tausmooth tendon timeconst vmax"},
    {"actuator", "adhesion",
     "body class ctrlrange delay forcelimited forcerange gain group interp name nsample "
     "user"},
    {"actuator", "dcmotor",
     "armature class cogging controller cranklength cranksite ctrllimited ctrlrange "
     "damping delay gear group inductance input interp joint jointinparent lengthrange "
     "lugre motorconst name nominal nsample refsite resistance saturation site slidersite "
     "tendon thermal user"},
    {"actuator", "plugin",
     ACTUATOR_DEFAULT " actdim actearly actlimited actrange class cranksite dynprm dyntype instance joint "
     "jointinparent lengthrange name plugin site slidersite tendon"},
    {"mujoco", "sensor", ""},
    {"sensor", "touch", SENSOR " site"},
    {"sensor", "accelerometer", SENSOR " site"},
    {"sensor", "velocimeter", SENSOR " site"},
    {"sensor", "gyro", SENSOR " site"},
    {"sensor", "force", SENSOR " site"},
    {"sensor", "torque", SENSOR " site"},
    {"sensor", "magnetometer", SENSOR " site"},
    {"sensor", "camprojection", SENSOR " camera site"},
    {"sensor", "rangefinder", SENSOR " camera data site"},
    {"sensor", "jointpos", SENSOR " joint"},
    {"sensor", "jointvel", SENSOR " joint"},
    {"sensor", "tendonpos", SENSOR " tendon"},
    {"sensor", "tendonvel", SENSOR " tendon"},
    {"sensor", "actuatorpos", SENSOR " actuator"},
    {"sensor", "actuatorvel", SENSOR " actuator"},
    {"sensor", "actuatorfrc", SENSOR " actuator"},
    {"sensor", "jointactuatorfrc", SENSOR " joint"},
    {"sensor", "tendonactuatorfrc", SENSOR " tendon"},
    {"sensor", "ballquat", SENSOR " joint"},
    {"sensor", "ballangvel", SENSOR " joint"},
    {"sensor", "jointlimitpos", SENSOR " joint"},
    {"sensor", "jointlimitvel", SENSOR " joint"},
    {"sensor", "jointlimitfrc", SENSOR " joint"},
    {"sensor", "tendonlimitpos", SENSOR " tendon"},
    {"sensor", "tendonlimitvel", SENSOR " tendon"},
    {"sensor", "tendonlimitfrc", SENSOR " tendon"},
    {"sensor", "framepos", SENSOR " objname objtype refname reftype"},
    {"sensor", "framequat", SENSOR " objname objtype refname reftype"},
    {"sensor", "framexaxis", SENSOR " objname objtype refname reftype"},
    {"sensor", "frameyaxis", SENSOR " objname objtype refname reftype"},
    {"sensor", "framezaxis", SENSOR " objname objtype refname reftype"},
    {"sensor", "framelinvel", SENSOR " objname objtype refname reftype"},
    {"sensor", "frameangvel", SENSOR " objname objtype refname reftype"},
    {"sensor", "framelinacc", SENSOR " objname objtype"},
    {"sensor", "frameangacc", SENSOR " objname objtype"},
    {"sensor", "subtreecom", SENSOR " body"},
    {"sensor", "subtreelinvel", SENSOR " body"},
    {"sensor", "subtreeangmom", SENSOR " body"},
    {"sensor", "insidesite", SENSOR " enclosed objname objtype site"},
    {"sensor", "distance", SENSOR " body1 body2 geom1 geom2"},
    {"sensor", "normal", SENSOR " body1 body2 geom1 geom2"},
    {"sensor", "fromto", SENSOR " body1 body2 geom1 geom2"},
    {"sensor", "contact", SENSOR " body1 body2 data geom1 geom2 num reduce site subtree1 subtree2"},
    {"sensor", "e_potential", SENSOR},
    {"sensor", "e_kinetic", SENSOR},
    {"sensor", "clock", SENSOR},
    {"sensor", "tactile", "cutoff delay geom interp interval mesh name nsample user"},
    {"sensor", "user", "cutoff datatype dim name needstage noise objname objtype user"},
    {"sensor", "plugin", "cutoff instance name objname objtype plugin refname reftype user"},
    {"mujoco", "custom", ""},
    {"custom", "numeric", "data name size"},
    {"custom", "text", "data name"},
    {"custom", "tuple", "name"},
    {"tuple", "element", "objname objtype prm"},
    {"mujoco", "keyframe", ""},
    {"keyframe", "key", "plastic act ctrl mpos mquat name qpos qvel time"},
};
// clang-format on

#define KNOWN_COUNT ((int)(sizeof known / sizeof *known))

// the name under which a parent stands in the table
static const char *table_parent(const tx_xml_element *parent) {
    if (!parent) return "";
    static const char *const like_body[] = {"worldbody", "frame", "replicate", "attach"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(parent->name, like_body[i]) == 0) return "body";
    }
    return parent->name;
}

const tx_mjcf_known *tx_mjcf_known_find(const tx_xml_element *element) {
    const char *parent = table_parent(element->parent);
    for (int i = 0; i < KNOWN_COUNT; i++) {
        if (strcmp(known[i].name, element->name) == 0 && strcmp(known[i].parent, parent) == 0) return &known[i];
    }
    return NULL;
}

const tx_mjcf_known *tx_mjcf_known_row(int index) { return index < KNOWN_COUNT ? &known[index] : NULL; }

const char *tx_mjcf_known_parent(const char *name) {
    for (int i = 0; i < KNOWN_COUNT; i++) {
        bool is_default = strcmp(known[i].parent, "default") == 0;
        if (strcmp(known[i].name, name) == 0 && !is_default) return known[i].parent;
    }
    return NULL;
}

bool tx_mjcf_known_attribute(const tx_mjcf_known *row, const char *name) {
    return row && tx_has_word(row->attributes, name);
}

void tx_mjcf_nearest_element(const tx_xml_element *element, char best[48]) {
    const char *parent = table_parent(element->parent);
    tx_nearest nearest = tx_nearest_start(element->name);
    for (int i = 0; i < KNOWN_COUNT && !element->repeated; i++) {
        if (strcmp(known[i].parent, parent) == 0) tx_nearest_offer(&nearest, known[i].name, strlen(known[i].name));
    }
    memcpy(best, nearest.best, sizeof nearest.best);
}
