// test_rows.c - rows of constraints are the derivatives of their gaps: J by central differences of the gap, its drift
// by central differences of J, and stiffness and reference by closed forms (docs/laws.md).
#include <math.h>

#include "geometry/quat.h"
#include "near.h"
#include "rows/rows.h"
#include "sim/internal.h"
#include "simulate.h"

enum { ROWS = 64, DOFS = 11 };

static tx_sim *sim_of(const char *text) {
    tx_diag diag = {0};
    const tx_model *model = must_have(tx_load_string(text, strlen(text), "text", &diag), &diag);
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_SCALAR, 0);
    assert_non_null(sim);
    return sim;
}

static void destroy(tx_sim *sim) {
    tx_model *model = (tx_model *)tx_sim_model(sim);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

static int rows_of(tx_sim *sim, tx_row *rows, double *J) {
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    int n = tx_sim_rows(sim, 0, rows, J, ROWS);
    assert_true(n > 0 && n <= ROWS);
    return n;
}

// ---- blocks --------------------------------------------------------------------------------------------------------

// dofs are cut where a tree branches, at free joints, and after eight
static void dofs_are_cut_into_blocks(void **state) {
    char text[3000] =
        "<mujoco><worldbody><body><joint/><joint axis='0 1 0'/><geom size='1'/><body><joint/><geom size='1'/>"
        "</body><body><joint/><joint axis='1 0 0'/><geom size='1'/></body></body><body><freejoint/><geom "
        "size='1'/><body><joint/><geom size='1'/></body></body>";
    for (int i = 0; i < 10; i++) strcat(text, "<body><joint/><geom size='1'/>");
    for (int i = 0; i < 10; i++) strcat(text, "</body>");
    strcat(text, "</worldbody></mujoco>");
    tx_sim *sim = sim_of(text);
    static const tx_dof_block WANTED[] = {{0, 2, -1, 0}, {2, 1, 0, 0},   {3, 2, 0, 0}, {5, 6, -1, 1},
                                          {11, 1, 3, 1}, {12, 8, -1, 2}, {20, 2, 5, 2}};
    tx_dof_block blocks[32];
    int of[32];
    assert_int_equal(tx_cut_dofs(tx_sim_model(sim), blocks, of), 7);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(blocks[i].dof, WANTED[i].dof), assert_int_equal(blocks[i].width, WANTED[i].width);
        assert_int_equal(blocks[i].parent, WANTED[i].parent), assert_int_equal(blocks[i].tree, WANTED[i].tree);
        for (int k = 0; k < blocks[i].width; k++) assert_int_equal(of[blocks[i].dof + k], i);
    }
    destroy(sim);
}

// room for every row that equalities, dry friction and limits can have
static void room_is_counted(void **state) {
    tx_sim *sim = sim_of("<mujoco><worldbody><body name='a'><freejoint/><geom size='1'/></body><body name='b'>"
                         "<freejoint/><geom size='1'/></body></worldbody><equality><weld body1='a' body2='b'/>"
                         "<connect body1='a' anchor='0 0 0'/></equality></mujoco>");
    const tx_row_room room = tx_fixed_room(tx_sim_model(sim));
    assert_int_equal(room.cons, 2 + 12), assert_int_equal(room.rows, 6 + 3 + 12);
    assert_int_equal(room.jacobian, 6 * 12 + 3 * 6 + 12);
    assert_true(room.pieces >= 2 + 1 + 12);
    destroy(sim);
}

// ---- derivatives ---------------------------------------------------------------------------------------------------

// a solref of nothing leaves the drift alone in aref
static const char *const MIXED =
    "<mujoco><compiler angle='radian'/><option gravity='0 0 0'><flag refsafe='disable'/></option><default><geom "
    "contype='0' conaffinity='0' "
    "mass='1'/><equality solref='0 0'/><joint solreflimit='0 0'/><tendon solreflimit='0 0'/></default>"
    "<worldbody><site name='w' pos='1 1 2'/><body name='a' pos='0 0 1'><freejoint/><geom type='box' size='0.1 0.2 "
    "0.3'/>"
    "<site name='sa' pos='0.1 0.1 0'/></body>"
    "<body name='b' pos='0.5 0.2 1'><joint name='h' axis='0 1 1' limited='true' range='1 2' margin='5'/>"
    "<geom type='box' size='0.1 0.1 0.2' pos='0.2 0 0.1'/>"
    "<body name='c' pos='0.3 0 0.1'><joint name='ball' type='ball' limited='true' range='0 0.5' margin='9'/>"
    "<geom type='capsule' size='0.05 0.2' pos='0 0.1 0.1'/>"
    "<body name='d' pos='0.1 0.2 0.3'><joint name='s' type='slide' axis='1 0 0.5' limited='true' range='-1 0.1' "
    "margin='3'/><geom size='0.1'/><site name='sd' pos='0 0 0.2'/></body></body></body></worldbody>"
    "<tendon><fixed name='f'><joint joint='h' coef='2'/><joint joint='s' coef='-1'/></fixed>"
    "<spatial name='t' limited='true' range='1 2' margin='9'><site site='sa'/><site site='sd'/></spatial></tendon>"
    "<equality><connect body1='a' body2='c' anchor='0.1 0.2 -0.1'/><connect body1='d' anchor='0.1 0 0.3'/>"
    "<weld body1='d' body2='a' torquescale='0.7' relpose='0.1 0.2 0.3 0.5 0.5 0.1 0.2' anchor='0.2 0.1 0'/>"
    "<weld body1='c'/><joint joint1='s' joint2='h' polycoef='0.1 0.5 0.3 -0.2 0.4'/><joint joint1='h' polycoef='0.2 0 "
    "0 0 0'/>"
    "<tendon tendon1='t' tendon2='f' polycoef='0.1 0.6 -0.3 0.2 0.1'/><tendon tendon1='f' polycoef='0.3 0 0 0 0'/>"
    "</equality></mujoco>";

// q moved by a time t at velocity v; turns are in the frame of the body
static void move(const double *q, const double *v, double t, double *out) {
    static const int PLAIN[][2] = {{0, 0}, {1, 1}, {2, 2}, {7, 6}, {12, 10}}, TURNS[][2] = {{3, 3}, {8, 7}};
    for (int i = 0; i < 5; i++) out[PLAIN[i][0]] = q[PLAIN[i][0]] + t * v[PLAIN[i][1]];
    for (int i = 0; i < 2; i++) {
        const double *w = v + TURNS[i][1], speed = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), half = t * speed / 2;
        double turn[4] = {cos(half), 0, 0, 0};
        for (int k = 0; k < 3; k++) turn[1 + k] = sin(half) * w[k] / speed;
        tx_quat_mul(out + TURNS[i][0], q + TURNS[i][0], turn);
    }
}

static void rows_are_derivatives(void **state) {
    tx_sim *sim = sim_of(MIXED);
    const double step = 1e-5;
    double q[13], v[DOFS], J[3][ROWS * DOFS];
    tx_row rows[3][ROWS];
    uint64_t seed = 5;
    assert_int_equal(tx_model_size(tx_sim_model(sim), TX_SIZE_NV), DOFS);
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < 13; i++) q[i] = noise(&seed);
        for (int i = 0; i < DOFS; i++) v[i] = 2 * noise(&seed);
        tx_quat_normalize(q + 3), tx_quat_normalize(q + 8);
        int count = 0;
        for (int side = 0; side < 3; side++) {
            move(q, v, (side - 1) * step, tx_sim_array(sim, TX_ARRAY_QPOS));
            memcpy(tx_sim_array(sim, TX_ARRAY_QVEL), v, sizeof v);
            count = rows_of(sim, rows[side], J[side]);
        }
        assert_int_equal(count,
                         3 + 3 + 6 + 6 + 4 + 7); // equalities; limits: two hinges, two slides, a ball, two tendon sides
        for (int r = 0; r < count; r++) {
            double speed[3] = {0};
            for (int side = 0; side < 3; side++)
                for (int d = 0; d < DOFS; d++) speed[side] += J[side][r * DOFS + d] * v[d];
            assert_near((rows[2][r].pos - rows[0][r].pos) / (2 * step), speed[1], 1e-7);
            // limits take no drift, as in MuJoCo
            double drift = rows[1][r].type == TX_ROW_EQUALITY && r < 18 ? (speed[2] - speed[0]) / (2 * step) : 0;
            assert_near(-rows[1][r].aref, drift, 1e-6);
        }
    }
    destroy(sim);
}

// a quaternion and its negative are one orientation
static void balls_have_one_angle(void **state) {
    tx_sim *sim = sim_of("<mujoco><compiler angle='radian'/><worldbody><body><joint type='ball' limited='true' "
                         "range='0 0.5'/><geom size='0.1'/>"
                         "</body></worldbody></mujoco>");
    const double angle = 0.9, q[4] = {cos(angle / 2), 0.6 * sin(angle / 2), 0, 0.8 * sin(angle / 2)};
    for (int sign = -1; sign <= 1; sign += 2) {
        tx_row rows[ROWS];
        double J[3 * ROWS];
        for (int k = 0; k < 4; k++) tx_sim_array(sim, TX_ARRAY_QPOS)[k] = sign * q[k];
        assert_int_equal(rows_of(sim, rows, J), 1);
        assert_near(rows[0].pos, 0.5 - angle, 1e-14);
        assert_near(J[0], -0.6, 1e-14), assert_near(J[1], 0, 0), assert_near(J[2], -0.8, 1e-14);
    }
    destroy(sim);
}

// ---- numbers of the law --------------------------------------------------------------------------------------------

// aref = -B v - K d pos with K = 1/(dw t r)², B = 2/(dw t) of solref (t, r), or K = k/dw², B = b/dw of (-k, -b)
static void references_have_their_closed_form(void **state) {
    static const struct {
        double solref[2], k, b;
        bool safe;
    } CASES[] = {{{0.05, 0.7}, 1 / (0.05 * 0.05 * 0.49), 2 / 0.05, true},
                 {{0.001, 0.7}, 1 / (0.02 * 0.02 * 0.49), 2 / 0.02, true}, // not below two steps
                 {{0.001, 0.7}, 1 / (0.001 * 0.001 * 0.49), 2 / 0.001, false},
                 {{-100, -5}, 100, 5, true},
                 {{0.05, -1}, 1 / (0.02 * 0.02), 2 / 0.02, true}, // one of each: the default
                 {{-100, 1}, 1 / (0.02 * 0.02), 2 / 0.02, true}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[700];
        snprintf(text, sizeof text,
                 "<mujoco><compiler angle='radian'/><option timestep='0.01'><flag "
                 "refsafe='%s'/></option><worldbody><body><joint axis='0 0 1' "
                 "limited='true' range='-1 1' solreflimit='%.17g %.17g' solimplimit='0.6 0.8 0.2 0.5 2'/><geom "
                 "size='0.1'/></body></worldbody></mujoco>",
                 CASES[i].safe ? "enable" : "disable", CASES[i].solref[0], CASES[i].solref[1]);
        tx_sim *sim = sim_of(text);
        tx_sim_array(sim, TX_ARRAY_QPOS)[0] = 1.1, tx_sim_array(sim, TX_ARRAY_QVEL)[0] = 2;
        tx_row row[ROWS];
        assert_int_equal(rows_of(sim, row, NULL), 1);
        const double dw = 0.8, d = 0.7; // half way in, half way up
        // the formulas with solref (t, r) have t dw, those with (-k, -b) k/dw² and b/dw: the same powers of dw
        double wanted = CASES[i].b / dw * 2 + CASES[i].k / (dw * dw) * d * 0.1;
        assert_near(row[0].aref / wanted, 1, 1e-12);
        destroy(sim);
    }
}

// D = d / ((1 - d) w), w the sum of what the two sides weigh
static void stiffness_knows_both_sides(void **state) {
    tx_sim *sim =
        sim_of("<mujoco><default><equality solimp='0.8 0.8 0.001 0.5 2'/></default><worldbody>"
               "<body><joint name='p' type='slide'/><geom size='0.1' mass='2'/></body>"
               "<body pos='1 0 0'><joint name='q' type='slide'/><geom size='0.1' mass='5'/></body></worldbody>"
               "<tendon><fixed name='t'><joint joint='p' coef='3'/></fixed><fixed name='u'><joint joint='q' "
               "coef='0.5'/></fixed>"
               "</tendon><equality><joint joint1='p' joint2='q'/><joint joint1='q'/><tendon tendon1='t' tendon2='u'/>"
               "<tendon tendon1='t'/></equality></mujoco>");
    const double weight[4] = {1.0 / 2 + 1.0 / 5, 1.0 / 5, 9.0 / 2 + 0.25 / 5, 9.0 / 2};
    tx_row rows[ROWS];
    assert_int_equal(rows_of(sim, rows, NULL), 4);
    for (int i = 0; i < 4; i++) assert_near(rows[i].D * weight[i], 0.8 / 0.2, 1e-12);
    destroy(sim);
}

// a contact acts nearer than its margin and not at it: what the gap lets in beyond falls freely
static void contacts_act_within_their_margin(void **state) {
    tx_sim *sim = sim_of("<mujoco><worldbody><geom type='plane' size='1 1 1' margin='.25' gap='.25'/>"
                         "<body pos='0 0 .75'><joint type='slide' axis='0 0 1'/><geom size='.5'/></body>"
                         "</worldbody></mujoco>");
    tx_options o = tx_sim_options(sim);
    for (int k = 0; k < 4; k++) {
        const int near = k % 2;
        o.broadphase = k < 2 ? o.broadphase : TX_BROADPHASE_SWEEP;
        assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
        tx_sim_array(sim, TX_ARRAY_QPOS)[0] = near ? -1e-3 : 0;
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        int count;
        tx_sim_contacts(sim, 0, &count);
        assert_int_equal(count, 1);
        assert_int_equal(sim->blocks[0]->problem.ncons, near);
    }
    destroy(sim);
}

// A pole of plates, each of which slides upwards on the one before: first low plates touch the floor, then as many high
// ones, whose rows are longer. Where J stands never passes the room for it
static void longer_rows_get_more_room(void **state) {
    enum { PLATES = 20, LOW = 7, FROM = 13 };
    char text[4096], *at = text;
    at += sprintf(at, "<mujoco><option gravity='0 0 0'/><worldbody><geom type='plane' size='9 9 1'/>");
    for (int i = 0; i < PLATES; i++)
        at += sprintf(at,
                      "<body pos='%s'><joint type='slide' axis='0 0 1'/><geom type='box' size='.1 .1 .1' "
                      "contype='2' conaffinity='1'/>",
                      i ? ".3 0 0" : "0 0 .0999");
    for (int i = 0; i < PLATES; i++) at += sprintf(at, "</body>");
    sprintf(at, "</worldbody></mujoco>");
    tx_diag diag = {0};
    tx_model *m = must_have(tx_load_string(text, strlen(text), "pole.xml", &diag), &diag);
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 4);
    // contacts go into slots at once
    tx_options o = tx_sim_options(sim);
    o.broadphase = TX_BROADPHASE_SWEEP;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS);
    for (int high = 0; high < 2; high++) {
        for (int i = 0; i < PLATES; i++) q[i] = 0;
        if (high) q[0] = 1, q[FROM] = -1;
        else q[LOW] = 1;
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        const tx_block *b = sim->blocks[0];
        const tx_problem *p = &b->problem;
        assert_int_equal(p->ncons, 4 * LOW);
        size_t end = 0;
        for (int c = 0; c < p->ncons; c++)
            for (int k = p->cons[c].piece; k < p->cons[c].piece + p->cons[c].pieces; k++) {
                const size_t own = (size_t)p->pieces[k].at + (size_t)(p->cons[c].dim * p->pieces[k].width);
                end = own > end ? own : end;
            }
        assert_true(end <= b->row_room.jacobian);
        assert_true(!high || end > 3 * 4 * LOW * FROM);
    }
    tx_sim_destroy(sim), tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(dofs_are_cut_into_blocks),
                                       cmocka_unit_test(room_is_counted),
                                       cmocka_unit_test(longer_rows_get_more_room),
                                       cmocka_unit_test(contacts_act_within_their_margin),
                                       cmocka_unit_test(rows_are_derivatives),
                                       cmocka_unit_test(balls_have_one_angle),
                                       cmocka_unit_test(references_have_their_closed_form),
                                       cmocka_unit_test(stiffness_knows_both_sides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
