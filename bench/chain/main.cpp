#include <fmt/format.h>
#include "bench/stopwatch.hpp"
#include "parid/model/load.hpp"
#include "parid/model/robot.hpp"
#include "parid/run/chain_kernel.hpp"
#include "peers/peer.hpp"
#include "tests/random_robot.hpp"
using namespace parid;
int main(int argc, char** argv) {
  std::vector<int> sizes; for (int k=1;k<argc;++k) sizes.push_back(atoi(argv[k]));
  if (sizes.empty()) sizes={16,32,64,128,256,1024};
  for (int n : sizes) {
    const Description d = load_description("chain:"+std::to_string(n));
    const Robot robot(d);
    Rng rng(1);
    std::vector<State> st; for(int k=0;k<8;++k) st.push_back(random_state(rng,d));
    auto peer = peers::kdl(d);
    const int reps = std::max(8, 20000/n);
    std::vector<Contestant> cs; std::vector<std::unique_ptr<Kernel<double>>> ks;
    std::vector<std::vector<double>> outs;
    outs.reserve(20);
    auto add=[&](std::string name, std::unique_ptr<Kernel<double>> k){ ks.push_back(std::move(k)); outs.emplace_back(n); auto* kp=ks.back().get(); double* o=outs.back().data();
      cs.push_back({name, reps, [=,&st]{ for(int r=0;r<reps;++r){auto&s=st[r%8]; kp->inverse_dynamics(s.q.data(),s.v.data(),s.a.data(),o,1);} }});};
    outs.emplace_back(n); double* o=outs.back().data(); auto*pp=peer.get();
    cs.push_back({"KDL", reps, [=,&st]{ for(int r=0;r<reps;++r){auto&s=st[r%8]; pp->inverse_dynamics(s.q.data(),s.v.data(),s.a.data(),o);} }});
    add("serial", best_kernels().single(robot.canonical()));
    for (auto& set : chain_kernel_sets()) for (int t : {1,2}) add(fmt::format("{} x{}",set.name,t), set.make(robot.canonical(),t));
    auto ts = race(cs, n > 5000 ? 20 : 40);
    fmt::print("n={}\n", n);
    for (size_t k=0;k<ts.size();++k){ double e=0,sc=0; for(int i=0;i<n;++i){e=std::max(e,std::abs(outs[k][i]-outs[1][i]));sc=std::max(sc,std::abs(outs[1][i]));}
      fmt::print("  {:<16}{:>12.0f} ({:.0f}) ns  x KDL {:6.2f}  x serial {:6.2f}  err {:.1e}\n", ts[k].name, ts[k].min_ns, ts[k].median_ns, ts[0].min_ns/ts[k].min_ns, ts[1].min_ns/ts[k].min_ns, e/sc);}
  }
}
