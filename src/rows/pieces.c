// pieces.c - which dofs a constraint moves, and how much room the constraints of a model need.
#include "rows/rows.h"

// whether several dofs hang directly from one; they are in the same tree
static bool branches(const tx_model *m, int dof) {
    int children = 0;
    for (int d = dof + 1; d < m->nv && m->dof_parent[d] >= 0 && children < 2; d++) children += m->dof_parent[d] == dof;
    return children > 1;
}

int tx_cut_dofs(const tx_model *m, tx_dof_block *blocks, int *dof_block) {
    int count = 0, tree = -1;
    for (int d = 0; d < m->nv; d++) {
        const int parent = m->dof_parent[d];
        tree += parent < 0;
        // the dofs of a free joint are one block of their own
        bool freed = m->jnt_type[m->dof_jnt[d]] == TX_JOINT_FREE, first = m->jnt_dofadr[m->dof_jnt[d]] == d;
        tx_dof_block *last = count ? &blocks[count - 1] : NULL;
        bool follows = last && parent == d - 1 && parent >= 0 && last->width < TX_BLOCK_WIDTH &&
                       (freed ? !first : m->jnt_type[m->dof_jnt[parent]] != TX_JOINT_FREE && !branches(m, parent));
        if (follows) last->width++;
        else blocks[count++] = (tx_dof_block){d, 1, parent < 0 ? -1 : dof_block[parent], tree};
        dof_block[d] = count - 1;
    }
    return count;
}

// pieces from the highest dof downwards
typedef struct piece_list {
    tx_piece *pieces;
    int8_t *side;
    int count;
} piece_list;

// dofs [first, last] of one block; they continue the piece above them where that moves the same body
static void add_run(piece_list *list, int block, int first, int last, int side) {
    tx_piece *above = list->count ? &list->pieces[list->count - 1] : NULL;
    if (above && above->block == block && above->dof == last + 1 && list->side[list->count - 1] == side) {
        above->width += above->dof - first;
        above->dof = first;
        return;
    }
    list->side[list->count] = (int8_t)side;
    list->pieces[list->count++] = (tx_piece){block, first, last + 1 - first, 0};
}

static void turn_round(piece_list *list) {
    for (int i = 0, j = list->count - 1; i < j; i++, j--) {
        tx_piece piece = list->pieces[i];
        int8_t side = list->side[i];
        list->pieces[i] = list->pieces[j], list->side[i] = list->side[j];
        list->pieces[j] = piece, list->side[j] = side;
    }
}

int tx_side_pieces(const tx_model *m, const tx_problem *p, const int body[2], bool common, tx_piece *pieces,
                   int8_t *side) {
    piece_list list = {pieces, side, 0};
    int dof[2] = {m->body_lastdof[body[0]], m->body_lastdof[body[1]]};
    // two chains meet and are one from there on
    while (dof[0] != dof[1]) {
        const int which = dof[1] > dof[0], last = dof[which], other = dof[!which], block = p->dof_block[last];
        const int first = other >= p->blocks[block].dof ? other + 1 : p->blocks[block].dof;
        add_run(&list, block, first, last, which);
        dof[which] = m->dof_parent[first];
    }
    for (int last = dof[0]; common && last >= 0;) {
        const int block = p->dof_block[last], first = p->blocks[block].dof;
        add_run(&list, block, first, last, 1);
        last = m->dof_parent[first];
    }
    turn_round(&list);
    return list.count;
}

static void add_room(tx_row_room *room, int dim, size_t pieces, size_t width) {
    room->cons++;
    room->rows += (size_t)dim;
    room->pieces += pieces;
    room->jacobian += (size_t)dim * width;
}

// dofs above and at a body
static size_t chain_length(const tx_model *m, int body) {
    return m->body_lastdof[body] < 0 ? 0 : (size_t)m->dof_mnum[m->body_lastdof[body]];
}

static void add_equality(tx_row_room *room, const tx_model *m, int e) {
    int o1 = m->eq_obj1[e], o2 = m->eq_obj2[e];
    size_t width = 2;
    int body[2];
    if (tx_equality_bodies(m, e, body)) width = chain_length(m, body[0]) + chain_length(m, body[1]);
    else if (m->eq_type[e] == TX_EQUALITY_TENDON)
        width = (size_t)m->tendon_dofnum[o1] + (size_t)(o2 >= 0 ? m->tendon_dofnum[o2] : 0);
    add_room(room, tx_equality_rows[m->eq_type[e]], width, width);
}

tx_row_room tx_fixed_room(const tx_model *m) {
    tx_row_room room = {0};
    for (int e = 0; e < m->neq; e++) add_equality(&room, m, e);
    for (int d = 0; d < m->nv; d++) add_room(&room, 1, 1, 1);
    for (int l = 0; l < m->nlimit; l++) add_room(&room, 1, 1, 3);
    for (int t = 0; t < m->ntendon; t++)
        for (int k = 0; k < 4; k++) add_room(&room, 1, (size_t)m->tendon_dofnum[t], (size_t)m->tendon_dofnum[t]);
    for (int i = 0; i < m->nu; i++) add_room(&room, 1, (size_t)m->actuator_dofnum[i], (size_t)m->actuator_dofnum[i]);
    return room;
}
