// law.inl - what a law is: from a neutral record of a constraint to the numbers of its kernel. lanes: any
//
// A law file gives `prepare` and stands in the table of laws.inl; which solvers can take it follows from its kernels.
#pragma once
#include "lane/trig.h"
#include "problem/kernel_table.inl"

// one constraint, whatever made it; what is not said is zero
typedef struct row_record {
    int kernel, dim;
    bool contact;          // between two bodies; else an equality, dry friction or a limit
    mask acts;             // where it does not, all its numbers become zero
    real pos[6];           // violation of each row: distance minus margin, or the defect of an equality
    real size;             // |pos|
    real vel[6], drift[6]; // J v, and its rate at zero acceleration
    real surface[3];       // what surfaces that move by themselves have added to J v: two tangents, spin
    real weight[2];        // inverse weights of rows 0-2 and 3-5
    real exact[2];         // the same as J A⁻¹ Jᵀ has them: norms of its 3 x 3 blocks / 3; velocity laws only
    real tree_ratio[6];    // discrete soft rows: weight by diag A over weight by diag M; equalities: of each row
    real ahead;            // J x* of a contact's normal; rigid laws only
    real closing; // of a contact that is found before it touches, what of `pos` its sides close in a step, else
                  // 0; only where contacts are followed
    // of a contact, TX_GEOM_MATERIALS: stiffness 0, relaxation and dissipation below 0 where solref says them
    real stiffness, relaxation, dissipation, beta, sigma, stiction, restitution;
    real bound;                  // largest force of dry friction
    real friction[5];            // two tangents, spin, two rolls
    const real *solref, *solimp; // 2 and 5 numbers
    const real *solref_friction; // of the tangents of a cone; null, or zero: as solref
    bool weighed;                // `each` counts instead of `weight`
    real each[6];                // J A⁻¹ Jᵀ of each row; of a pyramid's first edge
} row_record;

// what a law may know of the options
typedef struct law_options {
    num timestep, impratio;
    bool refsafe, discrete;
    num sigma; // of what is no contact
    num recovery, recovery_share, bounce_speed;
    bool speculative; // contacts may have to act before they touch
} law_options;

typedef struct law {
    const char *name;
    int contact;    // kernel of contacts with friction
    int normal;     // kernel of contacts without
    bool velocity;  // x is the next velocity with every integrator it works with
    int iterations; // of a solver, and its tolerance, where the model does not say them
    double tolerance;
    void (*prepare)(const law_options *o, const row_record *row, real *n);
} law;
