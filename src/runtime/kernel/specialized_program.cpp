#include "runtime/kernel/specialized_program.hpp"

#include <fmt/format.h>

#include "codegen/trace/generate.hpp"
#include "model/canonical_model.hpp"
#include "model/description.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "parid/error.hpp"

namespace parid::runtime {
namespace {

// All data of a robot on which its programs depend.
std::string robot_text(const Robot& robot) {
  Description d = robot.description();
  d.file.clear();
  d.source.clear();
  d.summary.clear();
  try {
    return to_toml(d);
  } catch (const Error&) {  // not representable in TOML
    return "";
  }
}

}  // namespace

SpecializedSource::SpecializedSource(const Robot& robot, Quantity which, std::string link)
    : robot_(robot), which_(which), link_(std::move(link)) {
  if (const std::string text = robot_text(robot); !text.empty())
    identity_ = fmt::format("{}\n{}\n{}", parid::name(which), link_, text);
}

const Program* SpecializedSource::program(std::string& note) {
  if (program_) return &*program_;
  const int links = robot_.canonical().topology.n;
  if (links > most_links_traced) {
    note = fmt::format("'{}' has {} moving links, too many for a specialized program (limit {})",
                       robot_.name(), links, most_links_traced);
    return nullptr;
  }
  program_ = generate(robot_, which_, {.link = link_}).program;
  program_->name = name;
  program_->about.clear();
  return &*program_;
}

std::string SpecializedSource::about() const {
  return fmt::format("{}, {}{}", robot_.name(), parid::name(which_),
                     link_.empty() ? "" : " of " + link_);
}

}  // namespace parid::runtime
