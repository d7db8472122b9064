// Names come from files that anybody wrote, and end up on terminals and in programs. Those with
// control characters in them (an escape would let a file paint over the screen), or that are not
// UTF-8 as all that we write must be, are refused, with their line.

#pragma once

#include <string_view>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Throws Error where the robot, a link or a joint has such a name.
void require_printable_names(const Description&);

// Throws Error for a name of more than longest_name bytes. Readers ask before they first repeat it,
// for every tag and key of a joint may be remarked on by its name. `whose`: "a joint".
void require_short_name(std::string_view name, const char* whose, const Place& at);

}  // namespace parid::model
