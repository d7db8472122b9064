// Names come from untrusted files and end up on terminals and in programs. Names with control
// characters (an escape sequence would let a file overwrite the screen) or that are not UTF-8 are
// refused, with their line.

#pragma once

#include <string_view>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Throws Error if the robot, a link or a joint has such a name.
void require_printable_names(const Description&);

// Throws Error if a name has more than longest_name bytes. Readers call it before they first use
// the name, which every finding about the joint repeats. `whose`: "a joint".
void require_short_name(std::string_view name, const char* whose, const Place& at);

}  // namespace parid::model
