#include "model/format/xacro/xacro.hpp"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <string_view>

#include "model/format/urdf/urdf.hpp"
#include "model/format/xacro/expander.hpp"

namespace parid::model {
namespace {

// The name of the expanded text in messages of the URDF reader, which are then given their places
// in the xacro files.
constexpr std::string_view expanded_name = "<expanded>";

xacro::Expansion expansion(const std::string& text, const std::string& file,
                           const LoadOptions& options) {
  xacro::Options o;
  o.arguments = options.arguments;
  o.packages = options.packages;
  o.environment.insert(options.environment.begin(), options.environment.end());
  return xacro::expand(text, file, o);
}

// "<expanded>:12: wrong; right" with the place of line 12 and the macros that made it.
std::string placed(std::string_view message, const std::string& file,
                   const std::vector<const xml::Node*>& lines,
                   const std::vector<xacro::Call>& calls) {
  if (!message.starts_with(expanded_name)) return std::string(message);
  message.remove_prefix(expanded_name.size());
  std::size_t line = 0;
  if (message.starts_with(':')) {
    const auto [end, error] =
        std::from_chars(message.data() + 1, message.data() + message.size(), line);
    if (error == std::errc{}) message.remove_prefix(static_cast<std::size_t>(end - message.data()));
  }
  const xml::Node* node = line > 0 && line < lines.size() ? lines[line] : nullptr;
  if (!node) return file + std::string(message);
  const std::string called = xacro::call_chain(calls, node->origin);
  return node->at().text() + std::string(message) +
         (called.empty() ? "" : fmt::format(" (in {})", called));
}

// Every line number of the description.
template <class F>
void each_line(Description& d, const F& change) {
  for (LinkDescription& l : d.links) {
    change(l.line);
    change(l.inertia_line);
  }
  for (JointDescription& j : d.joints)
    for (int* line :
         {&j.line, &j.axis_line, &j.limits_line, &j.mimic_line, &j.stribeck_line, &j.journal_line,
          &j.linear_line, &j.thrust_line, &j.drive_line, &j.motor_line, &j.elastic_line})
      change(*line);
  for (FrameDescription& f : d.frames) change(f.line);
  for (NamedPose& p : d.poses) change(p.line);
}

}  // namespace

std::string expanded_xacro(const std::string& text, const std::string& file,
                           const LoadOptions& options) {
  return "<?xml version=\"1.0\"?>\n" + xml::to_text(expansion(text, file, options).root);
}

Description parse_xacro(const std::string& text, const std::string& file,
                        const LoadOptions& options) {
  xacro::Expansion e = expansion(text, file, options);
  std::vector<const xml::Node*> lines;
  const std::string urdf = xml::to_text(e.root, &lines);
  Description d;
  try {
    d = parse_urdf(urdf, std::string(expanded_name), options.floating);
  } catch (const Error& error) {
    throw Error(placed(error.what(), file, lines, e.calls));
  }
  const auto in_source = [&](int& line) {
    const xml::Node* node = line > 0 && static_cast<std::size_t>(line) < lines.size()
                                ? lines[static_cast<std::size_t>(line)]
                                : nullptr;
    line = node ? e.places.line(*node) : 0;
  };
  each_line(d, in_source);
  d.file = file;
  d.included = e.places.included();
  d.text = urdf;
  for (Finding& f : d.remarks) {
    in_source(f.at.line);
    f.at = d.at(f.at.line);
  }
  d.remarks.insert(d.remarks.begin(), e.remarks.begin(), e.remarks.end());
  return d;
}

}  // namespace parid::model
