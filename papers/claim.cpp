#include "papers/claim.hpp"
#include "papers/layer.hpp"

#include <fmt/format.h>

namespace parid::papers {

Reason reproduced(std::string because) { return {Verdict::reproduced, std::move(because)}; }
Reason refuted(std::string because) { return {Verdict::refuted, std::move(because)}; }
Reason not_derivable(std::string because) { return {Verdict::not_derivable, std::move(because)}; }

void Claims::add(std::string where, std::string what, const Outcome& found, std::string code,
                 const Reason& reason) {
  const bool explained = found.verdict == reason.of;
  claims_.push_back({paper_, std::move(where), std::move(what), found.printed, found.ours,
                     found.verdict, found.basis,
                     explained ? reason.sentence
                               : fmt::format("unexplained: it was {}, because {}", name(reason.of),
                                             reason.sentence),
                     std::move(code), explained});
}

}  // namespace parid::papers
