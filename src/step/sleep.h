// sleep.h - trees that stand still leave the step until something touches them: MuJoCo's rule, docs/sleep.md.
//
// tx_block.tree_asleep says of each tree how it is: -11 … -1 awake, counting towards -1 while it stands still; else
// asleep, and the number is that of the next tree in the cycle of its island.
#pragma once
#include "model/block.h"

enum { TX_STEPS_TO_SLEEP = 10, TX_WIDE_AWAKE = -(1 + TX_STEPS_TO_SLEEP), TX_READY_TO_SLEEP = -1 };

/// Gives the block its lists and, in a model that sleeps, its working memory. With memory null it only says how much
/// that takes.
size_t tx_sleep_lay_out(tx_block *b, char *memory);

/// Notes which trees that sleep the user has changed since the last step: positions, controls, equalities, what moves
/// them from outside. rows: the states that are about to replace those of the block.
void tx_sleep_compare(tx_block *b, const double *const rows[TX_ARRAY_STATE_COUNT]);
/// Keeps what has been noted until a call succeeds: what was touched before one that lacked memory wakes in the next.
void tx_sleep_owe(tx_block *b, bool keep);
/// Whether the island of a tree has been noted by tx_sleep_compare().
bool tx_sleep_is_touched(const tx_block *b, int tree);

/// Takes over what the user has handed in: wakes what was touched, what has a velocity or is pushed, and all where the
/// cycles are none.
void tx_sleep_begin(tx_block *b);

/// Wakes what is in contact with something awake, or coupled to it. @return true: something woke, the problem must be
/// stated again
bool tx_sleep_wake_touching(tx_block *b);
bool tx_sleep_wake_coupled(tx_block *b);

/// Counts how long trees stand still, and stops those of islands that are ready. @return true: some were stopped; when
/// the velocities are zero everywhere else too, let them sleep by tx_sleep_commit().
bool tx_sleep_settle(tx_block *b);
void tx_sleep_commit(tx_block *b);

/// Lets everything be awake for a while without waking it, and ends that.
void tx_sleep_suspend(tx_block *b);
void tx_sleep_resume(tx_block *b);

/// To be called when everything has been placed once.
void tx_sleep_placed(tx_block *b);
