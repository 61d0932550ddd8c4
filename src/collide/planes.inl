// planes.inl - planes of faces of EPA's polytope, as many at a time as there are lanes: one's root and division run
// beside the others'. SET_PLANES names the function, PLANES_SQRT is the root of all lanes. lanes: 2, 4
static void SET_PLANES(const double (*corners)[3], tx_face *faces, double *dist, const short *which, int count) {
    static const int after[3] = {1, 2, 0};
    for (int first = 0; first < count; first += TX_LANES) {
        const int faced = count - first < TX_LANES ? count - first : TX_LANES;
        real w[3][3], edge[3][3], square[3], e[3], g[3], n[3];
        // those that are not there are the last one again
        for (int i = 0; i < 3; i++) {
            const double *at[TX_LANES];
            for (int l = 0; l < TX_LANES; l++)
                at[l] = corners[faces[which[first + (l < faced ? l : faced - 1)]].corner[i]];
            for (int k = 0; k < 3; k++) w[i][k] = PLANES_JOIN(at, k);
        }
        // the two edges at the largest angle would be best; the two shorter ones are nearly that
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) edge[i][k] = w[after[i]][k] - w[i][k];
            square[i] = dot3(edge[i], edge[i]);
        }
        const mask second = square[1] > square[0], third = square[2] > vmax(square[1], square[0]);
        const real longest = vmax(square[2], vmax(square[1], square[0]));
        for (int k = 0; k < 3; k++) {
            e[k] = sel(third, edge[0][k], sel(second, edge[2][k], edge[1][k]));
            g[k] = sel(third, edge[1][k], sel(second, edge[0][k], edge[2][k]));
        }
        cross3(n, e, g);
        const real area = PLANES_SQRT(dot3(n, n)), scale = 1 / area, zero = {0};
        // a needle has no plane to grow from
        const mask good = area > 1e-15 * longest;
        // the lowest of the three corners: a bad normal must not hide the face
        const real low = vmin(dot3(n, w[0]), vmin(dot3(n, w[1]), dot3(n, w[2]))) * scale;
        for (int k = 0; k < 3; k++) n[k] = sel(good, n[k] * scale, zero);
        const real level = sel(good, low, zero + (double)INFINITY);
        for (int l = 0; l < faced; l++) {
            tx_face *f = &faces[which[first + l]];
            for (int k = 0; k < 3; k++) f->normal[k] = n[k][l];
            dist[which[first + l]] = level[l];
        }
    }
}
