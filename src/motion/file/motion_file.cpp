#include "motion/file/motion_file.hpp"

#include <fmt/format.h>

#include "base/file/npy.hpp"
#include "model/format/toml/toml_document.hpp"
#include "motion/file/motion_file_moves.hpp"
#include "motion/path/cartesian.hpp"

namespace parid::motion {
namespace {

constexpr const char* page = "docs/motions.md";

constexpr Field top_fields[] = {
    {"start", "the start: all positions in an array, or some in a table", "[0, \"90 deg\"]"},
    {"rate", "samples per second, above zero", "100"},
    {"move", "one [[move]] table per move", "[{kind = \"joint\"}]"},
};

std::vector<const toml::table*> move_tables(const toml::table& root, const TomlTable& top) {
  const toml::node* node = root.get("move");
  const char* right = "write one [[move]] table per move, with double brackets";
  if (!node) top.refuse({top.at("move").file, 0}, "the motion has no moves", right);
  std::vector<const toml::table*> tables;
  if (!node->is_array()) top.refuse(top.at("move"), "move is not a list of tables", right);
  for (const toml::node& each : *node->as_array()) {
    if (!each.is_table()) top.refuse(top.at("move"), "move is not a list of tables", right);
    tables.push_back(each.as_table());
  }
  if (tables.empty()) top.refuse(top.at("move"), "the motion has no moves", right);
  return tables;
}

// Each move stores the robot's positions, some of them several times, so that a short file for a
// large robot may need much memory.
void require_room(const Robot& robot, const std::vector<const toml::table*>& moves,
                  const TomlTable& top) {
  std::uint64_t poses = 0;
  for (const toml::table* move : moves) {
    const std::string kind = (*move)["kind"].value_or(std::string());
    poses += kind == "line" || kind == "arc" ? cartesian_knots : 3;
  }
  const std::uint64_t each = 8 * static_cast<std::uint64_t>(robot.nq());
  if (poses * each > most_array_bytes)
    top.refuse(
        top.at("move"),
        fmt::format("{} moves of robot '{}' with {} positions need {:.3g} GiB; the limit is 8 GiB",
                    moves.size(), robot.name(), robot.nq(),
                    static_cast<double>(poses * each) / (1 << 30)),
        "split the motion");
}

}  // namespace

MotionFile parse_motion(const Robot& robot, const std::string& text, const std::string& file) {
  const toml::table root = parsed_toml(text, file);
  const TomlTable top(root, file, "", top_fields);
  top.refuse_unknown(page);
  MotionFile out;
  out.rate = top.number("rate");
  if (out.rate && !(*out.rate > 0)) top.refuse("rate", fmt::format("rate is {}", *out.rate));
  std::vector<double> now = robot.neutral();
  if (top.has("start")) now = positions(robot, top, "start", now, out.warnings);

  const std::vector<const toml::table*> moves = move_tables(root, top);
  require_room(robot, moves, top);
  std::vector<TrajectoryPointer> parts;
  double t = 0;
  for (const toml::table* table : moves) {
    const TomlTable move(*table, file, fmt::format("move {}", parts.size() + 1), move_fields());
    move.refuse_unknown(page);
    Move read = read_move(robot, move, now, t, out.warnings);
    t += read.trajectory->duration();
    now = std::move(read.end);
    parts.push_back(std::move(read.trajectory));
  }
  out.trajectory = sequence(std::move(parts));
  return out;
}

MotionFile read_motion_file(const Robot& robot, const std::string& path) {
  return parse_motion(robot, toml_text(path, "a motion file such as", "motion.toml"), path);
}

}  // namespace parid::motion
