#include "cli/output/arguments.hpp"

#include <string_view>

namespace parid::cli {
namespace {

// Functions that commands stand for, and arguments whose options have other names. The others:
// --argument, with dashes for underscores.
struct Spelling {
  std::string_view argument, option;
};
constexpr Spelling spellings[] = {
    {"arguments", "--arg"},
    {"check()", "`parid check`"},
    {"environment", "--env"},
    {"exciting_motion", "--suggest"},
    {"inputs=parameters", "--parameters"},
    {"inputs", "--input"},
    {"link_names()", "`parid info`"},
    {"packages", "--package"},
    {"pose_names()", "`parid info`"},
    {"rest_velocity", "--rest"},
    {"robots()", "`parid robots`"},
    {"table()", "`parid table`"},
    {"velocity_names()", "`parid info`"},
    {"what", "WHAT"},
};

constexpr std::string_view arguments[] = {
    "arrangement",  "base",
    "cutoff",       "derive",
    "drives",       "dt",
    "filter",       "friction",
    "grain",        "gravity",
    "integrator",   "kernel",
    "link",         "max_noise_ratio",
    "max_residual", "method",
    "output",       "overwrite",
    "part",         "path",
    "periods",      "point",
    "programs",     "restart",
    "scheduler",    "standard_parameters",
    "step",         "steps",
    "tasks",        "threads",
    "tolerance",    "verify",
    "weights",
};

std::string option_of(std::string_view argument) {
  for (const Spelling& s : spellings)
    if (s.argument == argument) return std::string(s.option);
  for (const std::string_view known : arguments)
    if (known == argument) {
      std::string option = "--" + std::string(argument);
      for (char& c : option)
        if (c == '_') c = '-';
      return option;
    }
  return "";
}

}  // namespace

std::string in_flags(const std::string& message) {
  std::string out;
  std::string_view rest = message;
  while (true) {
    const std::size_t open = rest.find('`');
    const std::size_t close = open == std::string_view::npos ? open : rest.find('`', open + 1);
    if (close == std::string_view::npos) return out.append(rest);
    const std::string_view quoted = rest.substr(open + 1, close - open - 1);
    const std::size_t sign = quoted.find('=');
    std::string option = option_of(quoted);  // as a whole, or an argument with a value
    if (option.empty() && sign != std::string_view::npos)
      if (option = option_of(quoted.substr(0, sign)); !option.empty())
        option.append(" ").append(quoted.substr(sign + 1));
    out.append(rest.substr(0, open));
    out.append(option.empty() ? rest.substr(open, close + 1 - open) : std::string_view(option));
    rest.remove_prefix(close + 1);
  }
}

}  // namespace parid::cli
