// bare.c - memory of a problem without a model, and what follows from its structure.
#include "problem/bare.h"

#include <limits.h>
#include <math.h>

#include "base/memory.h"
#include "problem/kernel_list.h"

// ---- memory -------------------------------------------------------------------------------------------------------

static void *take(size_t *at, char *memory, size_t size) {
    void *here = memory ? memory + *at : NULL;
    *at += (size + 63u) & ~(size_t)63u;
    return here;
}

static size_t lay_out(tx_bare *b, char *memory) {
    tx_problem *p = &b->problem;
    const size_t nv = (size_t)b->size.dofs, entries = (size_t)b->size.entries, cons = (size_t)b->size.cons,
                 rows = (size_t)b->size.rows, jacobian = (size_t)b->size.jacobian, hessians = 6 * rows,
                 number = sizeof(double);
    size_t at = 0;
#define X(name, count, meaning) p->name = take(&at, memory, number * (size_t)(count));
    TX_PROBLEM_WORK(X)
    TX_PROBLEM_ROWS(X)
#undef X
    p->A = take(&at, memory, number * entries);
    p->L = take(&at, memory, number * entries);
    p->Linv = take(&at, memory, number * nv);
    p->x_star = take(&at, memory, number * nv);
    p->warm = take(&at, memory, number * nv);
    p->x = take(&at, memory, number * nv);
    p->force = take(&at, memory, number * nv);
    const bool dense = b->size.dofs <= TX_DENSE_DOFS;
    p->H = take(&at, memory, dense ? number * nv * nv : 0);
    p->columns = take(&at, memory, dense ? sizeof(uint64_t) * nv : 0);
    p->rows = take(&at, memory, dense ? sizeof *p->rows : 0);
    p->A_columns = take(&at, memory, dense ? sizeof(uint64_t) * nv : 0);
    p->blocks = take(&at, memory, sizeof(tx_dof_block) * (size_t)b->size.blocks);
    p->dof_block = take(&at, memory, sizeof(int) * nv);
    p->cons = take(&at, memory, sizeof *p->cons * cons);
    p->pieces = take(&at, memory, sizeof *p->pieces * (size_t)b->size.pieces);
    p->all_cons = take(&at, memory, sizeof(int) * cons);
    p->iterations = take(&at, memory, number);
    p->gradient = take(&at, memory, number);
    p->solve_error = take(&at, memory, number);
    p->noslip_gain = take(&at, memory, number);
    p->solver_used = take(&at, memory, number);
    p->unsolved = take(&at, memory, 1);
    b->parent = take(&at, memory, sizeof(int) * nv);
    b->width = take(&at, memory, sizeof(int) * (size_t)b->size.blocks);
    p->tree.parent = b->parent;
    p->tree.first = take(&at, memory, sizeof(int) * nv);
    p->tree.count = take(&at, memory, sizeof(int) * nv);
    p->tree.stop = take(&at, memory, sizeof(int) * nv);
    p->tree.trunk = take(&at, memory, nv);
    return at;
}

static bool in_range(int count) { return count >= 0 && count <= INT_MAX / 64; }

bool tx_bare_create(tx_bare *b, const tx_bare_size *size) {
    *b = (tx_bare){.size = *size, .large = size->dofs > TX_DENSE_DOFS};
    if (!in_range(size->dofs) || !in_range(size->blocks) || !in_range(size->entries) || !in_range(size->cons) ||
        !in_range(size->rows) || !in_range(size->pieces) || !in_range(size->jacobian))
        return false;
    b->memory = tx_alloc(lay_out(b, NULL));
    if (!b->memory) return false;
    lay_out(b, b->memory);
    tx_problem *p = &b->problem;
    p->lanes = 1, p->number_size = sizeof(double);
    p->nv = p->tree.n = size->dofs, p->nblocks = size->blocks;
    p->ncons = size->cons, p->nrows = size->rows, p->npieces = size->pieces, p->njacobian = size->jacobian;
    p->opt = (tx_solve_options){
        .tolerance = 1e-8, .ls_tolerance = 0.01, .iterations = 100, .ls_iterations = 50, .warmstart = true};
    p->time = 1, p->y_floor = 1e-12;
    p->products = &b->products;
    return true;
}

void tx_bare_destroy(tx_bare *b) {
    tx_islands_destroy(&b->islands);
    tx_dual_destroy(&b->dual);
    tx_free((void *)b->W.start);
    tx_free(b->memory);
    *b = (tx_bare){0};
}

// ---- structure ----------------------------------------------------------------------------------------------------

// parents come before their children, and the dofs of a tree are neighbours
static const char *link_tree(tx_bare *b) {
    tx_tree *tree = &b->problem.tree;
    int *first = (int *)tree->first, *count = (int *)tree->count, root = 0;
    long long entries = 0;
    for (int d = 0; d < tree->n; d++) {
        const int parent = b->parent[d];
        if (parent < 0) root = d;
        if (parent < -1 || parent >= d || (parent >= 0 && parent < root)) return "a dof hangs from no dof of its tree";
        count[d] = parent < 0 ? 1 : count[parent] + 1;
        first[d] = (int)entries;
        if ((entries += count[d]) > b->size.entries) break;
    }
    if (entries != b->size.entries) return "the numbers of A do not match its tree";
    tx_tree_scan(tree, (int *)tree->stop, (uint8_t *)tree->trunk);
    uint64_t *columns = b->problem.A_columns;
    for (int d = 0; d < tree->n && tree->n <= TX_DENSE_DOFS; d++)
        columns[d] = (uint64_t)1 << d | (b->parent[d] < 0 ? 0 : columns[b->parent[d]]);
    return NULL;
}

// a block is a stretch of a chain
static const char *link_blocks(tx_bare *b) {
    tx_dof_block *blocks = (tx_dof_block *)b->problem.blocks;
    int *dof_block = (int *)b->problem.dof_block, dof = 0, tree = -1;
    for (int i = 0; i < b->size.blocks; i++) {
        const int width = b->width[i];
        if (width < 1 || width > TX_BLOCK_WIDTH || width > b->size.dofs - dof) return "a block has a wrong width";
        const int parent = b->parent[dof];
        tree += parent < 0;
        blocks[i] = (tx_dof_block){dof, width, parent < 0 ? -1 : dof_block[parent], tree};
        for (int k = 0; k < width; k++, dof++) {
            dof_block[dof] = i;
            if (k > 0 && b->parent[dof] != dof - 1) return "a block is no stretch of a chain";
        }
    }
    return dof == b->size.dofs ? NULL : "the blocks do not cover all dofs";
}

static const char *link_pieces(const tx_problem *p, tx_constraint *c, long long *at) {
    int end = 0;
    for (int k = c->piece; k < c->piece + c->pieces; k++) {
        tx_piece *e = &p->pieces[k];
        if (e->dof < end || e->dof >= p->nv) return "the pieces of a constraint do not ascend";
        const tx_dof_block *block = &p->blocks[p->dof_block[e->dof]];
        if (e->width < 1 || e->width > block->dof + block->width - e->dof) return "a piece leaves its block";
        e->block = p->dof_block[e->dof];
        e->at = (int)*at;
        end = e->dof + e->width;
        if ((*at += c->dim * e->width) > p->njacobian) return "the pieces need more numbers of J than there are";
    }
    return NULL;
}

static const char *link_constraints(tx_bare *b) {
    tx_problem *p = &b->problem;
    long long row = 0, piece = 0, at = 0;
    for (int i = 0; i < p->ncons; i++) {
        tx_constraint *c = &p->cons[i];
        if (!tx_kernel_takes(c->kernel, c->dim)) return "a constraint has no kernel for its rows";
        if (c->pieces < 0 || c->pieces > p->npieces - piece) return "a constraint has a wrong number of pieces";
        if (row + c->dim > p->nrows) return "the constraints have more rows than there are";
        c->row = (int)row, c->piece = (int)piece;
        row += c->dim, piece += c->pieces;
        const char *why = link_pieces(p, c, &at);
        if (why) return why;
    }
    if (row != p->nrows || piece != p->npieces || at != p->njacobian)
        return "the constraints do not add up to the rows, pieces and numbers of J";
    return NULL;
}

bool tx_bare_link(tx_bare *b, const char **why) {
    *why = NULL;
    if (!b->large && b->size.dofs > TX_DENSE_DOFS) *why = "it is too large for the dense path";
    if (!*why) *why = link_tree(b);
    if (!*why) *why = link_blocks(b);
    if (!*why) *why = link_constraints(b);
    return !*why;
}

// ---- numbers ------------------------------------------------------------------------------------------------------

// beyond this squares overflow somewhere
#define LARGEST 1e100

static bool ordinary(const double *numbers, int count) {
    for (int i = 0; i < count; i++)
        if (!(fabs(numbers[i]) <= LARGEST)) return false;
    return true;
}

// stiffness, friction and bounds are not negative; a cone has an opening
static const char *check_kernel(const tx_constraint *c, const double *n) {
    if (!ordinary(n, TX_KERNEL_NUMBERS)) return "a number of a kernel is not finite or too large";
    if (n[TX_NUMBER_D] < 0 || n[TX_NUMBER_REST] < 0) return "a constraint has a negative stiffness";
    const bool hunt = c->kernel == KERNEL_similar || c->kernel == KERNEL_lagged;
    const bool frictional =
        hunt || c->kernel == KERNEL_pyramid || c->kernel == KERNEL_cone || tx_kernel_is_hard(c->kernel);
    const int from = TX_NUMBER_MU, to = frictional                      ? TX_NUMBER_MU + c->dim - 1
                                        : c->kernel == KERNEL_one_sided ? from
                                                                        : from + 1;
    for (int k = from; k < to; k++)
        if (n[k] < 0) return "a constraint has negative friction or a negative bound";
    for (int k = TX_NUMBER_SLIP; hunt && k <= TX_NUMBER_LAST; k++)
        if (n[k] < 0) return "a constraint has a negative dissipation or impulse";
    if (hunt && c->dim > 1 && n[TX_NUMBER_D] > 0 && !(n[TX_NUMBER_SLIP] > 0)) return "a contact has no speed of slip";
    if (c->kernel == KERNEL_cone && !(n[TX_NUMBER_CONE] > 0)) return "a cone has no opening";
    if (tx_kernel_is_hard(c->kernel) && n[TX_NUMBER_E] < 0) return "a rigid contact has a negative softness";
    return NULL;
}

bool tx_bare_check(const tx_bare *b, const char **why) {
    const tx_problem *p = &b->problem;
    const tx_solve_options *o = &p->opt;
    const double *A = p->A;
    *why = NULL;
    if (!(o->tolerance >= 0 && o->tolerance <= LARGEST) || !(o->ls_tolerance >= 0 && o->ls_tolerance <= LARGEST) ||
        !(o->momentum_tolerance >= 0 && o->momentum_tolerance <= 1) || o->iterations < 0 || o->ls_iterations < 1)
        *why = "an option of the solver is out of range";
    else if (!(p->time > 0 && p->time <= LARGEST)) *why = "the time step is out of range";
    else if (!(p->y_floor >= 0 && p->y_floor <= LARGEST)) *why = "the stop scale is out of range";
    else if (!ordinary(A, b->size.entries)) *why = "a number of A is not finite or too large";
    else if (!ordinary(p->x_star, p->nv) || !ordinary(p->warm, p->nv) || !ordinary(p->guess, p->nrows))
        *why = "a number of x* or of the first guess is not finite or too large";
    else if (!ordinary(p->J, p->njacobian)) *why = "a number of J is not finite or too large";
    for (int d = 0; d < p->nv && !*why; d++)
        if (!(A[p->tree.first[d]] > 0)) *why = "A is not positive definite";
    for (int i = 0; i < p->ncons && !*why; i++)
        *why = check_kernel(&p->cons[i], (const double *)p->numbers + TX_KERNEL_NUMBERS * (size_t)i);
    return !*why;
}
