// assemble.inl - the contact problem of this step: constraints, J, and the numbers of the law. lanes: any
#pragma once
#include "problem/laws.inl"

// contact slots were filled by tx_place_contacts()
STAGE void assemble(tx_block *b) {
    b->ncons = b->nrows = 0;
    equality_rows(b);
    friction_rows(b);
    tendon_friction_rows(b);
    limit_rows(b);
    tendon_limit_rows(b);
    for (int s = 0; s < b->nslots; s++) {
        tx_constraint c = {TX_CONTACT, s, b->slot_dim[s], b->nrows};
        b->cons[b->ncons++] = c;
        b->nrows += c.dim;
        contact_jacobian(b, &c);
    }
    rows_mul(b, ARRAY(b->qvel), ARRAY(b->rowvel));
    laws[b->opt->law].prepare(b);
}
