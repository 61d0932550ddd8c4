// history.c - what controls and sensors were a while ago. A buffer is laid out as MuJoCo's: when it was last measured,
// place of the newest sample, n times, n samples of dim numbers each; the oldest sample follows the newest.
#include "step/history.h"

#include <math.h>

// times that are nearer than this are the same (MuJoCo)
static const double SAME = 1e-15;

typedef struct buffer {
    const tx_block *b;
    int lane, at, n, dim;
} buffer;

static double get(const buffer *h, int i) { return tx_lane(h->b, h->b->history, h->at + i, h->lane); }
static void set(const buffer *h, int i, double value) { tx_lane_set(h->b, h->b->history, h->at + i, h->lane, value); }

// where sample i, counted from the oldest, stands
static int place(const buffer *h, int i) {
    double newest = get(h, 1);
    int cursor = newest >= 0 && newest < h->n ? (int)newest : 0; // a user may have written anything
    return (cursor + 1 + i) % h->n;
}
static double time_of(const buffer *h, int i) { return get(h, 2 + place(h, i)); }
static int value_at(const buffer *h, int i) { return 2 + h->n + place(h, i) * h->dim; }

// the first sample that is not before t; n: all are
static int find(const buffer *h, double t) {
    if (t <= time_of(h, 0)) return 0;
    if (t > time_of(h, h->n - 1)) return h->n;
    int low = 0, high = h->n - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (time_of(h, middle) < t) low = middle;
        else high = middle;
    }
    return high;
}

// ---- reading --------------------------------------------------------------------------------------------------------

// weights of samples i - 2 to i + 1 between i - 1 and i
static void weights(const buffer *h, int i, double t, int interp, double w[4]) {
    const double t0 = time_of(h, i - 1), t1 = time_of(h, i), span = t1 - t0, x = (t - t0) / span;
    w[0] = w[3] = 0;
    w[1] = 1 - x, w[2] = x;
    if (interp != TX_INTERP_CUBIC) return;
    // Hermite's cubic with the slopes of the neighbours, zero at both ends of the buffer (Catmull and Rom)
    w[1] = 2 * x * x * x - 3 * x * x + 1, w[2] = 3 * x * x - 2 * x * x * x;
    if (i > 1) {
        double slope = (x * x * x - 2 * x * x + x) * span / (t1 - time_of(h, i - 2));
        w[0] -= slope, w[2] += slope;
    }
    if (i < h->n - 1) {
        double slope = (x * x * x - x * x) * span / (time_of(h, i + 1) - t0);
        w[1] -= slope, w[3] += slope;
    }
}

// the sample at time t into `out`, from number `to`; before the oldest and after the newest these are taken
static void read_at(const buffer *h, double t, int interp, void *out, int to) {
    int i = 0, from;
    double w[4] = {0};
    if (t <= time_of(h, 0) + SAME) from = 0;
    else if (t >= time_of(h, h->n - 1) - SAME) from = h->n - 1;
    else {
        i = find(h, t);
        from = fabs(t - time_of(h, i)) < SAME ? i : interp == TX_INTERP_HOLD ? i - 1 : -1;
    }
    if (from < 0) weights(h, i, t, interp, w);
    for (int k = 0; k < h->dim; k++) {
        double value = 0;
        if (from >= 0) value = get(h, value_at(h, from) + k);
        else
            for (int s = -2; s < 2; s++)
                if (w[s + 2] != 0) value += w[s + 2] * get(h, value_at(h, i + s) + k);
        tx_lane_set(h->b, out, to + k, h->lane, value);
    }
}

static buffer control_buffer(const tx_block *b, int lane, int i) {
    const tx_model *m = b->m;
    return (buffer){b, lane, m->actuator_history[i], m->actuator_nsample[i], m->actuator_ctrlnum[i]};
}
static buffer sensor_buffer(const tx_block *b, int lane, int i) {
    const tx_model *m = b->m;
    return (buffer){b, lane, m->sensor_history[i], m->sensor_nsample[i], m->sensor_dim[i]};
}

void tx_history_controls(tx_block *b, int lane, double ahead) {
    const tx_model *m = b->m;
    const double now = tx_lane(b, b->time, 0, lane) + ahead;
    for (int k = 0; k < m->nu; k++) tx_lane_set(b, b->ctrl_now, k, lane, tx_lane(b, b->ctrl, k, lane));
    for (int i = 0; i < m->nactuator; i++) {
        const double delay = tx_lane(b, b->param.actuator_delay, i, lane);
        if (m->actuator_nsample[i] == 0 || !(delay > 0)) continue;
        const buffer h = control_buffer(b, lane, i);
        read_at(&h, now - delay, m->actuator_interp[i], b->ctrl_now, m->actuator_ctrladr[i]);
    }
}

// whether a sensor measures now
static bool is_due(const buffer *h, double period, double now) { return !(get(h, 0) + period > now); }

void tx_history_sensors(tx_block *b, int lane) {
    const tx_model *m = b->m;
    const double now = tx_lane(b, b->time, 0, lane);
    for (int k = 0; k < m->nsensordata; k++)
        tx_lane_set(b, b->sensor_fresh, k, lane, tx_lane(b, b->sensordata, k, lane));
    for (int i = 0; i < m->nsensor; i++) {
        if (m->sensor_nsample[i] == 0) continue;
        const double delay = tx_lane(b, b->param.sensor_delay, i, lane), period = m->sensor_interval[2 * i];
        const buffer h = sensor_buffer(b, lane, i);
        bool waits = period > 0 && !is_due(&h, period, now);
        if (delay > 0 || waits)
            read_at(&h, delay > 0 ? now - delay : now, m->sensor_interp[i], b->sensordata, m->sensor_adr[i]);
    }
}

// ---- writing --------------------------------------------------------------------------------------------------------

// where a sample of time t goes: over one of the same time, before the oldest over that, else over the oldest, behind
// those before it
static int room_for(const buffer *h, double t) {
    int i = find(h, t);
    if (i < h->n && fabs(t - time_of(h, i)) < SAME) return i;
    if (i == 0) return 0;
    if (i == h->n) {
        set(h, 1, place(h, 0));
        return h->n - 1;
    }
    for (int j = 0; j < i - 1; j++) {
        set(h, 2 + place(h, j), time_of(h, j + 1));
        for (int k = 0; k < h->dim; k++) set(h, value_at(h, j) + k, get(h, value_at(h, j + 1) + k));
    }
    return i - 1;
}

static void insert(const buffer *h, double t, const void *from, int first) {
    int i = room_for(h, t);
    set(h, 2 + place(h, i), t);
    for (int k = 0; k < h->dim; k++) set(h, value_at(h, i) + k, tx_lane(h->b, from, first + k, h->lane));
}

void tx_history_begin(tx_block *b, int lane) { tx_lane_set(b, b->past_time, 0, lane, tx_lane(b, b->time, 0, lane)); }

void tx_history_end(tx_block *b, int lane) {
    const tx_model *m = b->m;
    const double then = tx_lane(b, b->past_time, 0, lane);
    // one that stands still keeps its past
    if (tx_lane(b, b->time, 0, lane) == then) return;
    for (int i = 0; i < m->nactuator; i++) {
        const buffer h = control_buffer(b, lane, i);
        if (h.n > 0) insert(&h, then, b->ctrl, m->actuator_ctrladr[i]);
    }
    for (int i = 0; i < m->nsensor && b->opt->sensor; i++) {
        const buffer h = sensor_buffer(b, lane, i);
        const double period = m->sensor_interval[2 * i];
        if (h.n == 0 || (period > 0 && !is_due(&h, period, then))) continue;
        // the next one is due a whole period later, wherever the steps fall
        if (period > 0) set(&h, 0, get(&h, 0) + period);
        insert(&h, then, b->sensor_fresh, m->sensor_adr[i]);
    }
}

// ---- start ----------------------------------------------------------------------------------------------------------

// n times before the start, `period` apart up to `last`, each when a step could have measured
static void start_buffer(double *h, int n, double timestep, double period, double last) {
    h[0] = last, h[1] = n - 1;
    for (int k = 0; k < n; k++) {
        double t = last - (n - 1 - k) * period;
        h[2 + k] = period == timestep ? -(n - k) * timestep : timestep * ceil(t / timestep);
    }
}

void tx_history_start(const tx_model *m, double timestep, double *row) {
    for (int i = 0; i < m->nhistory; i++) row[i] = 0;
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_nsample[i] > 0) {
            double *h = row + m->actuator_history[i];
            start_buffer(h, m->actuator_nsample[i], timestep, timestep, -timestep);
            h[0] = 0;
        }
    for (int i = 0; i < m->nsensor; i++) {
        if (m->sensor_nsample[i] == 0) continue;
        const double period = m->sensor_interval[2 * i], phase = m->sensor_interval[2 * i + 1];
        double *h = row + m->sensor_history[i];
        if (period > 0) start_buffer(h, m->sensor_nsample[i], timestep, period, phase == 0 ? -period : phase);
        else start_buffer(h, m->sensor_nsample[i], timestep, timestep, -timestep);
    }
}
