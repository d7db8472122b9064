#include "runtime/kernel/specialized_program.hpp"

#include <fmt/format.h>

#include "codegen/trace/generate.hpp"
#include "model/canonical_model.hpp"
#include "model/format/identity_text.hpp"
#include "parid/error.hpp"

namespace parid::runtime {

SpecializedSource::SpecializedSource(const Robot& robot, Quantity which, std::string link,
                                     RowArguments per_row)
    : robot_(robot), which_(which), link_(std::move(link)), per_row_(std::move(per_row)) {
  std::string text;
  try {
    text = identity_text(robot.description());
  } catch (const Error&) {  // TOML cannot express it: the kernel is not named
    return;
  }
  // Lists of names with their lengths, so that no two lists have the same text.
  auto list = [](const std::vector<std::string>& names) {
    std::string all = fmt::format("{}", names.size());
    for (const std::string& n : names) all += fmt::format(" {}:{}", n.size(), n);
    return all;
  };
  identity_ =
      fmt::format("{}\n{}\n{} {} {} {}\n{}", parid::name(which), link_, list(per_row_.parameters),
                  list(per_row_.wrenches), per_row_.gravity, per_row_.base_motion, text);
}

const Program* SpecializedSource::program(std::string& note) {
  if (program_) return &*program_;
  const int links = robot_.canonical().topology.n;
  if (links > most_links_traced) {
    note = fmt::format("'{}' has {} moving links, too many for a specialized program (limit {})",
                       robot_.name(), links, most_links_traced);
    return nullptr;
  }
  program_ = generate(robot_, which_, {.link = link_, .per_row = per_row_}).program;
  program_->name = name;
  program_->about.clear();
  return &*program_;
}

std::string SpecializedSource::about() const {
  return fmt::format("{}, {}{}{}", robot_.name(), parid::name(which_),
                     link_.empty() ? "" : " of " + link_,
                     per_row_.empty() ? "" : ", arguments per row");
}

}  // namespace parid::runtime
