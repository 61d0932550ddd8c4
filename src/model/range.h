// range.h - the ranges of options and parameters: one place for files, builder, simulations and compiled models.
#pragma once
#include "model/model.h"

enum { TX_RANGE_TEXT = 160 };

/// The first option out of its range, null: none. text: what is wrong, as "iterations is 0, it takes 1 to 100000"; may
/// be null.
const char *tx_options_problem(const tx_options *options, char text[TX_RANGE_TEXT]);

/// The first number of a parameter that is out of range.
typedef struct tx_param_problem {
    int index, count; // of the number, and how many there are
    double value;
    const char *takes;
} tx_param_problem;

/// Checks all numbers of a parameter as one environment has them. @return true: there is a problem
bool tx_param_problem_of(const tx_model *model, tx_param field, const double *numbers, tx_param_problem *problem);

/// The first field of a model with a number out of range, null: none.
const char *tx_model_numbers_problem(const tx_model *model, tx_param_problem *problem);
