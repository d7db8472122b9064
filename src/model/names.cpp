#include "model/names.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/text/characters.hpp"
#include "model/format/size_limit.hpp"

namespace parid::model {
namespace {

// Calls check(name, whose, line) for the robot, its links and its joints.
template <class F>
void each_name(const Description& d, const F& check) {
  check(d.name, "the robot", 0);
  for (const LinkDescription& l : d.links) check(l.name, "a link", l.line);
  for (const JointDescription& j : d.joints) check(j.name, "a joint", j.line);
}

}  // namespace

void require_printable_names(const Description& d) {
  each_name(d, [&](const std::string& name, const char* whose, int line) {
    for (std::string_view rest = name; !rest.empty();) {
      const std::size_t length = utf8_length(rest);
      if (length == 0)
        throw Error(d.at(line),
                    fmt::format("the name of {} is not UTF-8: byte 0x{:02x} at position {}", whose,
                                static_cast<unsigned char>(rest[0]), name.size() - rest.size() + 1),
                    "save the file as UTF-8");
      if (control_length(rest) > 0)
        throw Error(
            d.at(line),
            fmt::format("the name of {} contains a control character, 0x{:02x}, at position {}",
                        whose, code_point(rest), name.size() - rest.size() + 1),
            "use letters and digits");
      rest.remove_prefix(length);
    }
  });
}

void require_short_name(std::string_view name, const char* whose, const Place& at) {
  if (name.size() > longest_name)
    throw Error(at,
                fmt::format("the name of {} has {} bytes; the limit is {}", whose, name.size(),
                            longest_name),
                "use a shorter name");
}

}  // namespace parid::model
