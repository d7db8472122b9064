#include "model/format/load.hpp"

#include <filesystem>

#include "base/text/spelling.hpp"
#include "model/format/builtin.hpp"
#include "model/format/mjcf/mjcf.hpp"
#include "model/format/toml/toml.hpp"
#include "model/format/urdf/urdf.hpp"
#include "model/format/urdf/urdf_parts.hpp"

namespace parid::model {

Description load_description(const std::string& what, bool floating) {
  if (what.empty())
    throw Error(
        "the name of the robot is empty; give a file that ends in .urdf or .toml, or a built-in "
        "robot (`parid robots` lists them)");
  const std::string ending = std::filesystem::path(what).extension().string();
  if (ending == ".xml" || ending == ".mjcf") {
    const std::string text = urdf::read_text(what);
    if (text.find("<mujoco") != text.npos)
      return parse_mjcf(text, what, LoadOptions{.floating = floating});
  }
  if (ending == ".urdf" || ending == ".xacro" || ending == ".xml") return read_urdf(what, floating);
  if (ending == ".toml") return read_toml(what, floating);
  if (auto d = builtin(what, floating)) return std::move(*d);
  std::vector<std::string> names;
  for (const char* right : {".urdf", ".toml"}) {
    const auto file = std::filesystem::path(what).replace_extension(right);
    if (std::error_code none; std::filesystem::exists(file, none)) names.push_back(file.string());
  }
  for (const BuiltinRobot& b : builtin_robots()) names.push_back(b.name);
  throw Error({what, 0},
              "there is no built-in robot of this name, and it does not end in .urdf or .toml",
              did_you_mean(what, names) + "`parid robots` lists the built-in ones");
}

}  // namespace parid::model
