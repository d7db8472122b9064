// Robot files that other people wrote: how many load, and whether their torques are those of KDL
// and MuJoCo. They are no part of the repository: PARID_EXTRA_DATA/zoo/urdf holds them where there
// are any.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "model/compose.hpp"
#include "model/format/load.hpp"
#include "peers/peer.hpp"
#include "tests/layer.hpp"
#include "tests/torques.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files() {
  std::vector<fs::path> all;
  const char* data = std::getenv("PARID_EXTRA_DATA");
  const fs::path zoo = data ? fs::path(data) / "zoo" / "urdf" : fs::path();
  if (!data || !fs::is_directory(zoo)) return all;
  for (const auto& each : fs::recursive_directory_iterator(zoo))
    if (each.is_regular_file() &&
        (each.path().extension() == ".urdf" || each.path().extension() == ".URDF"))
      all.push_back(each.path());
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Zoo, NearlyEveryRobotLoads) {
  const std::vector<fs::path> all = files();
  if (all.empty()) GTEST_SKIP() << "PARID_EXTRA_DATA/zoo/urdf is not there";
  std::size_t loaded = 0;
  for (const fs::path& file : all) {
    try {
      Robot::load(file.string());
      ++loaded;
    } catch (const Error& e) {
      const std::string why = e.what();
      const bool rightly = why.find("does not exist") != why.npos || why.find("XML") != why.npos ||
                           why.find("xacro") != why.npos || why.find("with 4 numbers") != why.npos;
      EXPECT_TRUE(rightly) << why;
    }
  }
  EXPECT_GE(100 * loaded, 95 * all.size()) << loaded << " of " << all.size();
}

TEST(Zoo, TorquesAreThoseOfKdlAndMujoco) {
  const std::vector<fs::path> all = files();
  if (all.empty()) GTEST_SKIP() << "PARID_EXTRA_DATA/zoo/urdf is not there";
  Rng rng(28);
  int compared = 0;
  for (const fs::path& file : all) {
    Description d;
    try {
      d = load_description(file.string());
      remove_rotors(d);
      const Robot robot(d);
      if (robot.nv() == 0) continue;
      const RandomState s = random_state(rng, robot.description());
      const Torques ours = torques(robot, s);
      for (const auto make : {peers::kdl, peers::mujoco}) {
        std::unique_ptr<peers::Peer> peer;
        try {
          peer = make(robot.description());
        } catch (const std::runtime_error&) {
          continue;  // outside the library's scope
        }
        Torques theirs(ours.size());
        peer->inverse_dynamics(s.q.data(), s.v.data(), s.a.data(), theirs.data());
        EXPECT_LT(relative_error(ours, theirs), 1e-9) << file << ", " << peer->name();
        ++compared;
      }
    } catch (const Error&) {
    }
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace parid::test
