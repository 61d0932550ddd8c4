// fluid.inl - drag and lift of a medium, at rest or in wind, on moving bodies as MuJoCo models them. docs/fluid.md
// lanes: any
//
// A body meets the medium as the box that has its mass and moments, or as the ellipsoids of those of its geoms that ask
// for it. Motions and forces are (angular, linear); "local" ones are at the middle and in the axes of the box or
// ellipsoid, the others at the centre of mass of the tree. A force is a function of the local motion alone, so its
// derivative is a 6 x 6 matrix per body, which add_fluid_derivative() adds up over subtrees.
#pragma once
#include "dynamics/kinematics.inl"

#define FLUID_TINY R(1e-15)
#define FLUID_ZERO R(1e-30) // below any number of order one that is not zero
#define FLUID_PI   R(3.14159265358979323846)

// ---- where the medium acts -----------------------------------------------------------------------------------------

typedef struct medium {
    real density, viscosity;
} medium;

FN medium medium_of(const tx_block *b) {
    return (medium){vmax(PARAM(b, density, 0), splat(0)), vmax(PARAM(b, viscosity, 0), splat(0))};
}

// without springs and dampers there are no passive forces at all, as in MuJoCo
FN bool has_medium(const tx_block *b, medium fluid) {
    return (b->opt->spring || b->opt->damper) && any((fluid.density > R(0)) | (fluid.viscosity > R(0)));
}

// a place of the body: from the centre of mass of the tree, and its axes
typedef struct wet_frame {
    real arm[3], mat[9];
} wet_frame;

FN void set_arm(const tx_block *b, int body, const real *place, wet_frame *frame) {
    for (int k = 0; k < 3; k++) frame->arm[k] = place[k] - AT(b->tree_com, 3 * b->m->body_root[body] + k);
}

FN wet_frame box_frame(const tx_block *b, int body) {
    wet_frame frame;
    set_arm(b, body, &AT(b->xipos, 3 * body), &frame);
    for (int k = 0; k < 9; k++) frame.mat[k] = AT(b->ximat, 9 * body + k);
    return frame;
}

// geoms are placed only where contacts are sought, which is later in the step
FN wet_frame geom_frame(const tx_block *b, int geom) {
    wet_frame frame;
    real centre[3];
    int body = b->m->geom_body[geom];
    place(b, body, &PARAM(b, geom_pos, 3 * geom), &PARAM(b, geom_quat, 4 * geom), centre, frame.mat);
    set_arm(b, body, centre, &frame);
    return frame;
}

FN void motion_into_frame(const wet_frame *frame, const real *motion, real *local) {
    real turned[3], linear[3];
    cross3(turned, motion, frame->arm);
    for (int k = 0; k < 3; k++) linear[k] = motion[3 + k] + turned[k];
    mat_vec_transposed(local, frame->mat, motion);
    mat_vec_transposed(local + 3, frame->mat, linear);
}

FN void force_out_of_frame(const wet_frame *frame, const real *local, real *force) {
    real torque[3];
    mat_vec(force + 3, frame->mat, local + 3);
    mat_vec(torque, frame->mat, local);
    cross3(force, frame->arm, force + 3);
    for (int k = 0; k < 3; k++) force[k] = force[k] + torque[k];
}

// motion of the body relative to the medium
FN void relative_motion(const tx_block *b, int body, const wet_frame *frame, real *local) {
    real wind[3];
    motion_into_frame(frame, &AT(b->cvel, 6 * body), local);
    mat_vec_transposed(wind, frame->mat, &PARAM(b, wind, 0));
    for (int k = 0; k < 3; k++) local[3 + k] = local[3 + k] - wind[k];
}

// ---- the box of a body ---------------------------------------------------------------------------------------------

// drag along and about each axis by itself: -(linear + quadratic |v|) v
typedef struct box_drag {
    real linear[6], quadratic[6];
} box_drag;

FN box_drag drag_of_box(const tx_block *b, medium fluid, int body) {
    const real *moment = &PARAM(b, body_inertia, 3 * body);
    real mass = vmax(PARAM(b, body_mass, body), splat(FLUID_TINY)), side[3], power[3];
    for (int k = 0; k < 3; k++) {
        real square = (moment[(k + 1) % 3] + moment[(k + 2) % 3]) - moment[k];
        side[k] = vsqrt(vmax(square, splat(FLUID_TINY)) / mass * R(6));
        power[k] = (side[k] * side[k]) * (side[k] * side[k]);
    }
    // Stokes drag of the ball with the mean side as its diameter
    real diameter = (side[0] + side[1] + side[2]) / R(3);
    box_drag drag;
    for (int k = 0; k < 3; k++) {
        int y = (k + 1) % 3, z = (k + 2) % 3;
        drag.linear[k] = FLUID_PI * diameter * diameter * diameter * fluid.viscosity;
        drag.linear[3 + k] = R(3) * FLUID_PI * diameter * fluid.viscosity;
        drag.quadratic[k] = fluid.density * side[k] * (power[y] + power[z]) / R(64);
        drag.quadratic[3 + k] = R(0.5) * fluid.density * side[y] * side[z];
    }
    return drag;
}

// ---- the ellipsoid of a geom ---------------------------------------------------------------------------------------

FN void semi_axes(const tx_block *b, int geom, real *axis) {
    const real *size = &PARAM(b, geom_size, 3 * geom);
    int type = b->m->geom_type[geom];
    bool ball = type == TX_GEOM_SPHERE, round = type == TX_GEOM_CAPSULE || type == TX_GEOM_CYLINDER;
    axis[0] = size[0];
    axis[1] = ball || round ? size[0] : size[1];
    axis[2] = ball ? size[0] : type == TX_GEOM_CAPSULE ? size[1] + size[0] : round ? size[1] : size[2];
}

// (Lamb 1932, §114) α = abc ∫₀^∞ dλ / ((a² + λ) √((a² + λ)(b² + λ)(c² + λ))) by the 15 points of Gauss and Kronrod over
// λ = s x³ / (1 - x)², x from 0 to 1; the points have the eight digits that MuJoCo has
FN real lamb_integral(real a, real b, real c) {
    static const num points[15] = {R(0.00427231), R(0.02544604), R(0.06756779), R(0.12923441), R(0.20695638),
                                   R(0.29707742), R(0.39610752), R(0.5),        R(0.60389248), R(0.70292258),
                                   R(0.79304362), R(0.87076559), R(0.93243221), R(0.97455396), R(0.99572769)};
    static const num weights[8] = {R(0.01146766), R(0.03154605), R(0.05239501), R(0.07032663),
                                   R(0.08450236), R(0.09517529), R(0.10221647), R(0.10474107)};
    real scale = lane_pow(a * a * a * b * c, splat(R(0.4))), sum = splat(0);
    for (int i = 0; i < 15; i++) {
        num x = points[i], left = 1 - x, at = x * x * x / (left * left);
        num slope = x * x * (3 - x) / (left * left * left), weight = weights[i < 8 ? i : 14 - i];
        real lambda = scale * at, along = R(1) + lambda / (a * a);
        real root = vsqrt(along * (R(1) + lambda / (b * b)) * (R(1) + lambda / (c * c)));
        sum = sum + scale * slope / (along * root) * weight;
    }
    return sum / (a * a);
}

// mass and moments of the medium that moves with the ellipsoid, per density
FN void added_mass(const real *axis, real *mass, real *moment) {
    real volume = R(4) / R(3) * FLUID_PI * axis[0] * axis[1] * axis[2], alpha[3];
    for (int k = 0; k < 3; k++) alpha[k] = lamb_integral(axis[k], axis[(k + 1) % 3], axis[(k + 2) % 3]);
    for (int k = 0; k < 3; k++) {
        int y = (k + 1) % 3, z = (k + 2) % 3;
        real yy = axis[y] * axis[y], zz = axis[z] * axis[z], longer = yy - zz, turn = alpha[z] - alpha[y];
        real below = vabs(R(2) * longer + (yy + zz) * -turn);
        mass[k] = volume * alpha[k] / vmax(R(2) - alpha[k], splat(R(1e-14)));
        moment[k] = volume * (longer * longer * vabs(turn) / vmax(below, splat(R(1e-14)))) / R(5);
    }
}

typedef struct ellipsoid {
    real mass[3], moment[3];  // of the medium that moves along
    real face[3];             // squared product of the two other semi-axes, 1 for the widest
    real resistance[3];       // to turning, of a fast motion
    real stokes, stokes_turn; // drag of a slow motion
    real density, largest_face;
    real widest;                        // product of the two longest semi-axes
    real blunt, slender, kutta, magnus; // with the density
} ellipsoid;

FN ellipsoid ellipsoid_of(const tx_block *b, medium fluid, int geom) {
    const real *coef = &PARAM(b, geom_fluidcoef, 5 * geom), *added = &PARAM(b, geom_addedmass, 6 * geom);
    real axis[3], sum, diameter;
    semi_axes(b, geom, axis);
    sum = axis[0] + axis[1] + axis[2];
    real longest = vmax(vmax(axis[0], axis[1]), axis[2]), shortest = vmin(vmin(axis[0], axis[1]), axis[2]);
    real middle = (sum - longest) - shortest, volume = R(4) / R(3) * FLUID_PI * axis[0] * axis[1] * axis[2];
    real fourth = (longest * longest) * (longest * longest), most = R(8) / R(15) * FLUID_PI * middle * fourth;
    ellipsoid e;
    for (int k = 0; k < 3; k++) {
        real y = axis[(k + 1) % 3], z = axis[(k + 2) % 3], wider = vmax(y, z), product = y * z;
        real turning = R(8) / R(15) * FLUID_PI * axis[k] * ((wider * wider) * (wider * wider));
        e.face[k] = product / vmax(longest * middle, splat(FLUID_ZERO));
        e.face[k] = e.face[k] * e.face[k];
        e.mass[k] = fluid.density * added[k];
        e.moment[k] = fluid.density * added[3 + k];
        e.resistance[k] = coef[2] * turning + coef[1] * (most - turning);
    }
    diameter = R(2) / R(3) * sum;
    e.stokes = fluid.viscosity * (R(3) * FLUID_PI * diameter);
    e.stokes_turn = fluid.viscosity * (FLUID_PI * diameter * diameter * diameter);
    e.density = fluid.density;
    e.widest = longest * middle;
    e.largest_face = FLUID_PI * e.widest;
    e.blunt = fluid.density * coef[0], e.slender = fluid.density * coef[1];
    e.kutta = fluid.density * coef[3], e.magnus = fluid.density * coef[4] * volume;
    return e;
}

// what the flow with velocity v sees of an ellipsoid. All but speed and section are numbers of order one, so that small
// bodies and slow flows are treated as large and fast ones
typedef struct flow {
    real speed, along[3]; // |v| and the direction of v; zero at rest
    real normal[3];       // of the cross section, not of unit length
    real slant, square;   // along · normal, normal · normal
    real section;         // area of the projection along v
} flow;

FN flow flow_past(const ellipsoid *e, const real *v) {
    flow f;
    f.speed = vsqrt(dot3(v, v));
    for (int k = 0; k < 3; k++) {
        f.along[k] = v[k] / vmax(f.speed, splat(FLUID_ZERO));
        f.normal[k] = e->face[k] * f.along[k];
    }
    f.slant = dot3(f.normal, f.along);
    f.square = dot3(f.normal, f.normal);
    f.section = FLUID_PI * e->widest * vsqrt(f.square / vmax(f.slant, splat(FLUID_ZERO)));
    return f;
}

STAGE void ellipsoid_force(const ellipsoid *e, const real *motion, real *force) {
    const real *w = motion, *v = motion + 3;
    flow past = flow_past(e, v);
    real momentum[3], spin[3], resisting[3], pull[3], tip[3], gyro[3], side[3], circulation[3], lift[3];
    for (int k = 0; k < 3; k++) {
        momentum[k] = e->mass[k] * v[k];
        spin[k] = e->moment[k] * w[k];
        resisting[k] = e->resistance[k] * w[k];
    }
    // the medium that moves along
    cross3(pull, momentum, w);
    cross3(tip, momentum, v);
    cross3(gyro, spin, w);
    // lift of a turning body (Magnus) and of a slanted one (Kutta and Zhukovsky)
    cross3(side, w, v);
    cross3(circulation, past.normal, past.along);
    cross3(lift, circulation, past.along);
    real slant = past.slant / vmax(past.square, splat(FLUID_ZERO));
    real lifting = e->kutta * slant * past.section * (past.speed * past.speed);
    // drag, slow and fast
    real face = past.section * e->blunt + e->slender * (e->largest_face - past.section);
    real drag = e->stokes + past.speed * face;
    real brake = e->stokes_turn + e->density * vsqrt(dot3(resisting, resisting));
    for (int k = 0; k < 3; k++) {
        force[k] = (tip[k] + gyro[k]) - brake * w[k];
        force[3 + k] = pull[k] + ((e->magnus * side[k] + lifting * lift[k]) - drag * v[k]);
    }
}

// ---- derivatives by the motion -------------------------------------------------------------------------------------

// column j of D: adds the derivatives of the cross products by w_j (or, turning false, by v_j)
FN void carried_column(const ellipsoid *e, const real *motion, int j, bool turning, real *D) {
    const real *w = motion, *v = motion + 3;
    real unit[3], momentum[3], spin[3], a[3], c[3], torque[3], pull[3];
    for (int k = 0; k < 3; k++) {
        unit[k] = splat(k == j);
        momentum[k] = e->mass[k] * v[k];
        spin[k] = e->moment[k] * w[k];
    }
    if (turning) {
        cross3(a, spin, unit);
        cross3(c, unit, w);
        for (int k = 0; k < 3; k++) torque[k] = a[k] + e->moment[j] * c[k];
        cross3(a, momentum, unit);
        cross3(c, unit, v);
        for (int k = 0; k < 3; k++) pull[k] = a[k] + e->magnus * c[k];
    } else {
        cross3(a, momentum, unit);
        cross3(c, unit, v);
        for (int k = 0; k < 3; k++) torque[k] = a[k] + e->mass[j] * c[k];
        cross3(c, unit, w);
        for (int k = 0; k < 3; k++) pull[k] = (e->mass[j] - e->magnus) * c[k];
    }
    int column = turning ? j : 3 + j;
    for (int k = 0; k < 3; k++) {
        D[6 * k + column] = torque[k];
        D[6 * (3 + k) + column] = pull[k];
    }
}

// adds the derivatives of lift and drag by v to the lower right part of D. For a flow of unit speed the lift is q u
// with u = v (v·n) - n (v·v), q = π √(v·n / n·n) / |v|; lift and drag grow with the square of the speed
FN void add_flow_derivative(const ellipsoid *e, const real *v, real *D) {
    const flow f = flow_past(e, v);
    const real *a = f.along, n = f.slant, d = f.square, zero = splat(FLUID_ZERO), size = f.speed * e->widest;
    real lift = size * FLUID_PI * e->kutta / vmax(vsqrt(d * n), zero), n_over_d = n / vmax(d, zero);
    real widening = size * FLUID_PI * (e->blunt - e->slender) / vmax(n * vsqrt(n * d), zero);
    real face = f.section * e->blunt + e->slender * (e->largest_face - f.section);
    for (int i = 0; i < 3; i++) {
        real u = a[i] * n - f.normal[i];
        for (int j = 0; j < 3; j++) {
            real g = e->face[j], turn = R(2) * (a[i] * f.normal[j] - f.normal[i] * a[j]);
            if (i == j) turn = turn + (n - g);
            real falling = a[j] * ((g - g * g * n_over_d) - n);
            real drag = f.speed * face * a[j] + widening * f.normal[j] * (g * n - d);
            real *entry = &D[6 * (3 + i) + 3 + j];
            *entry = *entry + (lift * (n * turn + u * falling) - a[i] * drag);
            if (i == j) *entry = *entry - (e->stokes + f.speed * face);
        }
    }
}

// adds the derivative of the turning drag by w to the upper left part of D
FN void add_brake_derivative(const ellipsoid *e, const real *w, real *D) {
    real resisting[3];
    for (int k = 0; k < 3; k++) resisting[k] = e->resistance[k] * w[k];
    real square = dot3(resisting, resisting), scale = e->density / vmax(vsqrt(square), splat(FLUID_TINY));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) D[6 * i + j] = D[6 * i + j] - scale * w[i] * (e->resistance[j] * resisting[j]);
        D[7 * i] = D[7 * i] - (e->stokes_turn + scale * square);
    }
}

STAGE void ellipsoid_derivative(const ellipsoid *e, const real *motion, bool symmetric, real *D) {
    for (int j = 0; j < 3; j++) {
        carried_column(e, motion, j, true, D);
        carried_column(e, motion, j, false, D);
    }
    add_flow_derivative(e, motion + 3, D);
    add_brake_derivative(e, motion, D);
    for (int i = 0; symmetric && i < 6; i++)
        for (int j = 0; j < i; j++) D[6 * i + j] = D[6 * j + i] = R(0.5) * (D[6 * i + j] + D[6 * j + i]);
}

// what resists alone, as MuJoCo's discrete integrator has it: no lift, nothing that is carried along
STAGE void ellipsoid_drag_derivative(const ellipsoid *e, const real *motion, real *D) {
    ellipsoid still = *e;
    still.kutta = splat(0);
    for (int k = 0; k < 36; k++) D[k] = splat(0);
    add_flow_derivative(&still, motion + 3, D);
    add_brake_derivative(e, motion, D);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++) D[6 * i + j] = D[6 * j + i] = R(0.5) * (D[6 * i + j] + D[6 * j + i]);
}

// adds a local matrix to that of the body: motion into the frame, force out of it
FN void add_matrix_out_of_frame(const wet_frame *frame, const real *D, real *sum) {
    for (int c = 0; c < 6; c++) {
        real unit[6], local[6], force[6], out[6];
        for (int k = 0; k < 6; k++) unit[k] = splat(k == c);
        motion_into_frame(frame, unit, local);
        for (int k = 0; k < 6; k++) force[k] = dot6(D + 6 * k, local);
        force_out_of_frame(frame, force, out);
        for (int k = 0; k < 6; k++) sum[6 * k + c] = sum[6 * k + c] + out[k];
    }
}

// ---- a whole body --------------------------------------------------------------------------------------------------

// adds the force of the box, or its derivative where that is wanted
FN void add_box(const tx_block *b, medium fluid, int body, real *force, real *derivative) {
    wet_frame frame = box_frame(b, body);
    real motion[6], local[6], out[6], *linear = &AT(b->box_drag, 12 * body), *quadratic = linear + 6;
    if (!b->still.placed || b->sleep.asleep) { // what slept may never have been here
        const box_drag drag = drag_of_box(b, fluid, body);
        copy(linear, drag.linear, 6);
        copy(quadratic, drag.quadratic, 6);
    }
    relative_motion(b, body, &frame, motion);
    if (derivative) {
        real D[36];
        for (int k = 0; k < 36; k++) D[k] = splat(0);
        for (int k = 0; k < 6; k++) D[7 * k] = -(linear[k] + R(2) * (quadratic[k] * vabs(motion[k])));
        add_matrix_out_of_frame(&frame, D, derivative);
        return;
    }
    for (int k = 0; k < 6; k++) local[k] = -(linear[k] + quadratic[k] * vabs(motion[k])) * motion[k];
    force_out_of_frame(&frame, local, out);
    for (int k = 0; k < 6; k++) force[k] = force[k] + out[k];
}

FN void add_ellipsoid(const tx_block *b, medium fluid, int geom, real *force, real *derivative) {
    int body = b->m->geom_body[geom];
    wet_frame frame = geom_frame(b, geom);
    ellipsoid e = ellipsoid_of(b, fluid, geom);
    real motion[6], local[6], out[6], D[36];
    relative_motion(b, body, &frame, motion);
    if (derivative) {
        // MuJoCo's fast integrator is symmetric, but for lone free bodies
        bool symmetric = b->problem.unit == TX_UNIT_VELOCITY ||
                         (b->opt->integrator == TX_INTEGRATOR_IMPLICITFAST && !b->m->body_lone[body]);
        if (b->opt->integrator == TX_INTEGRATOR_DISCRETE) ellipsoid_drag_derivative(&e, motion, D);
        else ellipsoid_derivative(&e, motion, symmetric, D);
        add_matrix_out_of_frame(&frame, D, derivative);
        return;
    }
    ellipsoid_force(&e, motion, local);
    force_out_of_frame(&frame, local, out);
    for (int k = 0; k < 6; k++) force[k] = force[k] + out[k];
}

// the force of the medium on a body (6 numbers), or its derivative (36) where that is not null
STAGE void fluid_on_body(const tx_block *b, medium fluid, int body, real *force, real *derivative) {
    const tx_model *m = b->m;
    bool box = true;
    for (int k = 0; !derivative && k < 6; k++) force[k] = splat(0);
    for (int k = 0; derivative && k < 36; k++) derivative[k] = splat(0);
    for (int g = m->body_geomadr[body]; g < m->body_geomadr[body] + m->body_geomnum[body]; g++) {
        if (!m->geom_fluid[g]) continue;
        add_ellipsoid(b, fluid, g, force, derivative);
        box = false;
    }
    if (box) add_box(b, fluid, body, force, derivative);
}

// where the medium acts on a body: there must be a medium and a mass
FN mask is_wet(const tx_block *b, medium fluid, int body) {
    return ((fluid.density > R(0)) | (fluid.viscosity > R(0))) & (PARAM(b, body_mass, body) >= FLUID_TINY);
}

// adds the forces of the medium
STAGE void add_fluid_forces(const tx_block *b, real *force) {
    const tx_model *m = b->m;
    medium fluid = medium_of(b);
    if (!has_medium(b, fluid)) return;
    EACH_IN(b->live.bodies, i) {
        mask wet = is_wet(b, fluid, i);
        if (m->body_lastdof[i] < 0 || !any(wet)) continue;
        real spatial[6];
        fluid_on_body(b, fluid, i, spatial, NULL);
        for (int d = m->body_lastdof[i]; d >= 0; d = m->dof_parent[d])
            force[d] = sel(wet, force[d] + dot6(&AT(b->cdof, 6 * d), spatial), force[d]);
    }
}
