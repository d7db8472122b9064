#include "model/format/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "base/text/spelling.hpp"
#include "model/format/builtin.hpp"
#include "model/format/mjcf/mjcf.hpp"
#include "model/format/sdf/sdf.hpp"
#include "model/format/size_limit.hpp"
#include "model/format/toml/toml.hpp"
#include "model/format/urdf/urdf.hpp"
#include "model/format/urdf/urdf_parts.hpp"
#include "model/format/xacro/xacro.hpp"

namespace parid::model {
namespace {

constexpr const char* stdin_name = "<stdin>";

Description urdf_text(const std::string& text, const std::string& file, const LoadOptions& o) {
  return parse_urdf(text, file, o.floating);
}
Description toml_text(const std::string& text, const std::string& file, const LoadOptions& o) {
  return parse_toml(text, file, o.floating);
}

// .xml is any of these; the root element decides.
constexpr std::array urdf_suffixes{".urdf", ".xml"};
constexpr std::array xacro_suffixes{".xacro"};
constexpr std::array mjcf_suffixes{".mjcf", ".xml"};
constexpr std::array sdf_suffixes{".sdf", ".world", ".xml"};
constexpr std::array toml_suffixes{".toml"};

// The list of formats: adding a format takes a row here and nothing else.
constexpr FormatInfo formats[] = {
    {RobotFormat::urdf, "urdf", urdf_suffixes, "robot", urdf_text},
    {RobotFormat::xacro, "xacro", xacro_suffixes, "robot", parse_xacro},
    {RobotFormat::mjcf, "mjcf", mjcf_suffixes, "mujoco", parse_mjcf},
    {RobotFormat::sdf, "sdf", sdf_suffixes, "sdf", parse_sdf},
    {RobotFormat::toml, "toml", toml_suffixes, "", toml_text},
};

std::string suffix_of(const std::string& file) {
  std::string suffix = std::filesystem::path(file).extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return suffix;
}

const FormatInfo* format_by_suffix(const std::string& file) {
  const std::string suffix = suffix_of(file);
  for (const FormatInfo& f : formats)
    if (std::find(f.suffixes.begin(), f.suffixes.end(), suffix) != f.suffixes.end()) return &f;
  return nullptr;
}

// The name of the first element: behind the declaration, comments and <!DOCTYPE>. Empty: no XML.
std::string_view root_element(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (;;) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos || text[begin] != '<') return {};
    text.remove_prefix(begin);
    const bool comment = text.starts_with("<!--");
    if (!comment && !text.starts_with("<?") && !text.starts_with("<!")) break;
    const std::string_view close = comment ? "-->" : ">";
    const std::size_t end = text.find(close);
    if (end == text.npos) return {};
    text.remove_prefix(end + close.size());
  }
  return text.substr(1, std::min(text.find_first_of(" \t\r\n/>", 1), text.size()) - 1);
}

const FormatInfo& info_of(RobotFormat format) {
  return *std::find_if(std::begin(formats), std::end(formats),
                       [&](const FormatInfo& f) { return f.format == format; });
}

[[noreturn]] void refuse_name(const std::string& what) {
  std::vector<std::string> names;
  for (const char* right : {".urdf", ".toml"}) {
    const auto file = std::filesystem::path(what).replace_extension(right);
    if (std::error_code none; std::filesystem::exists(file, none)) names.push_back(file.string());
  }
  for (const BuiltinRobot& b : builtin_robots()) names.push_back(b.name);
  throw Error("cannot read '" + what + "': unknown robot name or file type; " +
              did_you_mean(what, names) + "`robots()` lists the built-in robots");
}

// Refuses arguments that a file of this format does not use.
void refuse_arguments(const std::string& what, const LoadOptions& options, RobotFormat format) {
  if (format == RobotFormat::xacro) return;
  if (!options.arguments.empty() && format != RobotFormat::sdf)
    throw Error({what, 0},
                fmt::format("the robot has no argument '{}'", options.arguments.begin()->first),
                "only xacro files have arguments, and SDF worlds have 'model'");
  if (!options.environment.empty())
    throw Error({what, 0},
                fmt::format("the robot reads no environment variable '{}'", options.environment[0]),
                "only xacro files do");
}

}  // namespace

std::span<const FormatInfo> robot_formats() { return formats; }

RobotFormat format_of(const std::string& text, const std::string& file) {
  const std::string_view root = root_element(text);
  const FormatInfo* by_suffix = format_by_suffix(file);
  if (root == "robot" && (suffix_of(file) == ".xacro" ||
                          (suffix_of(file) != ".urdf" && text.find("<xacro:") != text.npos)))
    return RobotFormat::xacro;
  for (const FormatInfo& f : formats)
    if (!f.root.empty() && root == f.root) return f.format;
  if (by_suffix) return by_suffix->format;
  return root.empty() && text.find('<') == text.npos ? RobotFormat::toml : RobotFormat::urdf;
}

Description parse_description(const std::string& text, const std::string& file,
                              const LoadOptions& options) {
  const RobotFormat format =
      options.format == RobotFormat::automatic ? format_of(text, file) : options.format;
  const FormatInfo& reader = info_of(format);
  refuse_arguments(file, options, format);
  // The reader of URDF names the formats that it refuses.
  return reader.parse ? reader.parse(text, file, options) : urdf_text(text, file, options);
}

Description load_description(const std::string& what, const LoadOptions& options) {
  if (what.empty())
    throw Error(
        "the robot's name is empty; give a built-in robot (`robots()` lists them) or a .urdf "
        "or .toml file");
  if (what == "-") {
    const std::string text = text_of_file("/dev/stdin", "a robot file");
    Description d = parse_description(text, stdin_name, options);
    if (d.text.empty()) d.text = text;
    return d;
  }
  const FormatInfo* by_suffix = format_by_suffix(what);
  if (by_suffix && by_suffix->format == RobotFormat::toml) {
    refuse_arguments(what, options, RobotFormat::toml);
    return read_toml(what, options.floating);
  }
  if (by_suffix) return parse_description(urdf::read_text(what), what, options);
  if (auto d = builtin(what, options.floating)) {
    refuse_arguments(what, options, RobotFormat::toml);
    if (!options.packages.empty())
      throw Error(
          {what, 0},
          fmt::format("a built-in robot has no package '{}'", options.packages.begin()->first),
          "give packages for files that name them");
    return std::move(*d);
  }
  if (std::error_code none; !std::filesystem::exists(what, none)) refuse_name(what);
  return parse_description(urdf::read_text(what), what, options);
}

Description load_description(const std::string& what, bool floating) {
  return load_description(what, LoadOptions{.floating = floating});
}

}  // namespace parid::model

namespace parid {

RobotFormat robot_format(std::string_view name) {
  std::vector<std::string> known{"automatic"};
  if (name == known[0]) return RobotFormat::automatic;
  for (const model::FormatInfo& f : model::robot_formats()) {
    if (name == f.name) return f.format;
    known.emplace_back(f.name);
  }
  throw Error(fmt::format("'{}' is not a format of robot files; {}choose from {}", name,
                          base::did_you_mean(name, known), fmt::join(known, ", ")));
}

}  // namespace parid
