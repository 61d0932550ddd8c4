// main.cpp - what a C++ program does with the installed library: handles with owners, a model from text, names.
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <thixis/thixis.h>

struct Destroy {
    void operator()(tx_model *model) const { tx_model_destroy(model); }
    void operator()(tx_sim *sim) const { tx_sim_destroy(sim); }
    void operator()(tx_diag *diag) const { tx_diag_free(diag); }
};
template <class T> using Owned = std::unique_ptr<T, Destroy>;

#define NEED(condition) \
    if (!(condition)) return std::fprintf(stderr, "main.cpp:%d: %s\n", __LINE__, #condition), 1

int main() {
    const std::string text = "<mujoco><worldbody><body name='arm'><joint name='hinge'/><geom type='capsule' size='.1' "
                             "fromto='0 0 0 1 0 0'/></body></worldbody></mujoco>";
    tx_diag problems{};
    Owned<tx_diag> owner(&problems);
    Owned<tx_model> model(tx_load_string(text.data(), text.size(), "arm", &problems));
    NEED(model && problems.errors == 0);
    NEED(!tx_load_string("<mujoco>", 8, "broken", &problems) && problems.errors > 0);

    tx_sim_def def{};
    NEED(tx_sim_def_init(&def, sizeof def) == TX_OK);
    NEED(tx_sim_def_init(&def, sizeof def - 1) == TX_ERROR_UNSUPPORTED);
    def.envs = 3;
    Owned<tx_sim> sim(tx_sim_create(model.get(), &def));
    NEED(sim);
    const int hinge = tx_element_find(model.get(), TX_ELEMENT_JOINT, "hinge");
    const int address = tx_model_ints(model.get(), TX_INT_JNT_QPOSADR, nullptr)[hinge];
    const auto qpos = static_cast<tx_array>(tx_list_find(TX_LIST_ARRAY, "qpos"));
    NEED(qpos == TX_ARRAY_QPOS);
    tx_sim_array(sim.get(), qpos)[address] = 0.5;
    std::vector<char> state(tx_sim_state_size(sim.get()));
    NEED(tx_sim_save(sim.get(), state.data(), state.size()) == TX_OK);
    NEED(tx_sim_step_n(sim.get(), 10) == TX_OK);
    const auto after = tx_sim_hash(sim.get());
    NEED(tx_sim_restore(sim.get(), state.data(), state.size()) == TX_OK);
    NEED(tx_sim_step_n(sim.get(), 10) == TX_OK && tx_sim_hash(sim.get()) == after);
    std::printf("thixis %s from C++\n", tx_version());
}
