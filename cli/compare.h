// compare.h - what thixis compare found, for its table and its report.
#pragma once
#include <stdbool.h>

enum { COMPARE_CURVE = 18 }; ///< points of an error curve: limits of 1, 2, 4 ... iterations

/// One problem: a file, where it is from, and the models of contact that are asked of it.
typedef struct compare_problem {
    char path[512], scene[128], law[32];
    double penetration; ///< [m] of the state it was made in; NaN: not known
} compare_problem;

/// One problem solved by one solver.
typedef struct compare_point {
    bool exists, converged;
    double iterations, products, us, residual, residual_ncp, residual_ccp, approach, excess, dissipation, slip;
    double curve[COMPARE_CURVE], curve_us[COMPARE_CURVE]; ///< residual and time at a limit; NaN: not run
} compare_point;

/// All problems of one scene, law and model by one solver: medians, and the worst of residuals and violations.
typedef struct compare_row {
    const char *scene, *law, *model, *solver;
    int first, count; ///< problems
    int not_converged;
    compare_point middle;
    double penetration;
} compare_row;

typedef struct compare_result {
    const compare_problem *problems;
    int problem_count;
    const compare_row *rows;
    int row_count;
    const compare_point *points; ///< row after row, a point a problem of it
    const char *command;         ///< the line that makes it again
    const char *const *pictures; ///< PNG files of scenes, null at the end
    double tol;
    const char *figures; ///< folder that has every plot of the report as a file of its own; null: none
} compare_result;

/// Self-contained HTML, and the figures in their folder. @return false when one of them cannot be written
bool compare_report(const compare_result *r, const char *path);
