#include "fuzz/exercise.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/layer.hpp"
#include "model/format/mjcf/mjcf.hpp"
#include "model/format/mjcf/mjcf_writer.hpp"
#include "model/format/toml/toml.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "model/format/urdf/urdf_writer.hpp"
#include "model/lint/check.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/robot.hpp"

namespace parid::fuzz {
namespace {

// A robot that passes check() can be written, and the result can be read.
void write_and_read(const Description& description) {
  std::string text;
  try {
    text = to_toml(description);
  } catch (const Error&) {  // no joints
    return;
  }
  try {
    parse_toml(text, "written.toml");
  } catch (const Error& e) {
    std::fprintf(stderr, "what was written is refused: %s\n%s\n", e.what(), text.c_str());
    std::abort();
  }
  try {
    to_urdf(description);
  } catch (const Error&) {  // URDF cannot express everything
  }
  try {
    text = to_mjcf(description).text;
  } catch (const Error&) {  // nor in MJCF
    return;
  }
  try {
    parse_mjcf(text, "written.xml");
  } catch (const Error& e) {
    std::fprintf(stderr, "the MJCF that was written is refused: %s\n%s\n", e.what(), text.c_str());
    std::abort();
  }
}

// Strict loading refuses a robot with physical errors.
void load_strictly(const Description& description, bool sound) {
  bool loaded = true;
  try {
    const Robot robot(description, true);
  } catch (const Error&) {
    loaded = false;
  }
  if (loaded && !sound) {
    std::fprintf(stderr, "strict loading accepts a robot with errors\n");
    std::abort();
  }
}

}  // namespace

void exercise(Description description) {
  bool sound = true;
  for (const Finding& finding : check(description))
    sound = sound && finding.severity != Finding::Severity::error;
  if (sound) write_and_read(description);
  load_strictly(description, sound);
  const Robot robot(std::move(description));  // throws if the structure is wrong
  Workspace workspace(robot);
  const auto n = static_cast<std::size_t>(robot.nv());
  const std::vector<double> q = robot.neutral(), v(n, 0.5), a(n, -0.25);
  std::vector<double> tau(n);
  inverse_dynamics(robot, workspace, q, v, a, tau);
}

}  // namespace parid::fuzz
