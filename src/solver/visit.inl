// visit.inl - visits of pgs to points of packs, for FOURS packs side by side whose numbers are `wide`, STRIDE of them
// apart: packs.inl has this text once for every width. lanes: 1
FN wide WIDE(dot3)(const wide *a, const wide *b) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }

// plain packs on their way through their points: z of their bodies, what stands before the points
typedef struct WIDE(visit) {
    wide *q, here[TX_TRUNK], there[TX_TRUNK], frame[9], half[2];
} WIDE(visit);
#define NUMBER(q, i) (q)[STRIDE * (i)]

FN void WIDE(begin_visit)(const tx_problem *p, const tx_pack *k, WIDE(visit) * v) {
    const num *z = ARRAY(p->dual->z);
    wide *head = (wide *)HEAD(p->dual, k);
    four here[FOURS][TX_TRUNK], there[FOURS][TX_TRUNK];
    for (int i = 0; i < FOURS; i++) pack_gather(k + i, 0, z, here[i]), pack_gather(k + i, 1, z, there[i]);
    for (int c = 0; c < TX_TRUNK; c++)
        v->here[c] = WIDE(join)(&here[0][c], TX_TRUNK), v->there[c] = WIDE(join)(&there[0][c], TX_TRUNK);
    for (int c = 0; c < 9; c++) v->frame[c] = NUMBER(head, PACK_FRAME + c);
    for (int s = 0; s < 2; s++) v->half[s] = NUMBER(head, PACK_HALF + s);
    v->q = &NUMBER(head, PACK_HEAD);
}
FN void WIDE(end_visit)(const tx_problem *p, const tx_pack *k, const WIDE(visit) * v) {
    num *z = ARRAY(p->dual->z);
    four here[FOURS][TX_TRUNK], there[FOURS][TX_TRUNK];
    for (int c = 0; c < TX_TRUNK; c++)
        WIDE(part)(v->here[c], &here[0][c], TX_TRUNK), WIDE(part)(v->there[c], &there[0][c], TX_TRUNK);
    for (int i = 0; i < FOURS; i++) pack_scatter(k + i, 0, here[i], z), pack_scatter(k + i, 1, there[i], z);
}

// the forces g of a point from its motion u by the others and what they were: the normal first, then friction by a disk
// of its radius; @return how far it has moved
FN wide WIDE(push_point)(const wide *q, num relaxation, const wide *was, wide *u, wide *g, wide *step) {
    for (int r = 0; r < 3; r++) u[r] = u[r] + (NUMBER(q, PACK_FREE + r) + NUMBER(q, PACK_E + r) * was[r]);
    g[0] = WIDE(max)(was[0] - relaxation * (NUMBER(q, PACK_NORMAL) * u[0]), WIDE(of)(0));
    step[0] = g[0] - was[0];
    const wide tangent = NUMBER(q, PACK_TANGENT);
    for (int r = 1; r < 3; r++) g[r] = was[r] - tangent * (u[r] + NUMBER(q, PACK_W + r - 1) * step[0]);
    const wide rim = NUMBER(q, PACK_MU) * g[0], square = g[1] * g[1] + g[2] * g[2];
    const WIDE(masks) slides = (WIDE(masks))(square > rim * rim);
    if (WIDE(any)(slides)) {
        const wide shrink = rim / WIDE(sqrt)(WIDE(sel)(slides, square, WIDE(of)(1)));
        for (int r = 1; r < 3; r++) g[r] = WIDE(sel)(slides, shrink * g[r], g[r]);
    }
    for (int r = 1; r < 3; r++) step[r] = g[r] - was[r];
    return NUMBER(q, PACK_TRACE) * ((step[0] * step[0] + step[1] * step[1]) + step[2] * step[2]);
}

// their next points; the formulas of plain_row() and plain_push()
FN void WIDE(visit_next)(WIDE(visit) * v, num relaxation, four *moved) {
    wide *q = v->q;
    wide relative[3], u[3], g[3], step[3], was[3], B[3 * TX_TRUNK];
    for (int r = 0; r < 3; r++) {
        was[r] = NUMBER(q, PACK_G + r);
        for (int c = 0; c < TX_TRUNK; c++) B[TX_TRUNK * r + c] = NUMBER(q, PACK_B + TX_TRUNK * r + c);
    }
    for (int c = 0; c < 3; c++) relative[c] = v->half[0] * v->here[c] - v->half[1] * v->there[c];
    for (int r = 0; r < 3; r++)
        u[r] = WIDE(dot3)(v->frame + 3 * r, relative) +
               (WIDE(dot3)(B + 6 * r, v->here + 3) + WIDE(dot3)(B + 6 * r + 3, v->there + 3));
    WIDE(add)(WIDE(push_point)(q, relaxation, was, u, g, step), moved);
    for (int c = 0; c < 3; c++) {
        const wide *frame = v->frame + c, push = (frame[0] * step[0] + frame[3] * step[1]) + frame[6] * step[2];
        v->here[c] = v->here[c] + v->half[0] * push;
        v->there[c] = v->there[c] - v->half[1] * push;
    }
    for (int c = 0; c < 3; c++) {
        v->here[3 + c] = v->here[3 + c] + ((B[c] * step[0] + B[6 + c] * step[1]) + B[12 + c] * step[2]);
        v->there[3 + c] = v->there[3 + c] + ((B[3 + c] * step[0] + B[9 + c] * step[1]) + B[15 + c] * step[2]);
    }
    for (int r = 0; r < 3; r++) NUMBER(q, PACK_G + r) = g[r];
    v->q += STRIDE * PACK_PLAIN;
}
#undef FOURS
#undef wide
#undef STRIDE
#undef NUMBER
#undef WIDE
