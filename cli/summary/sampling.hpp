// Advice on the sampling rate, as words and as JSON.

#pragma once

#include <optional>
#include <string>

#include "cli/layer.hpp"
#include "cli/output/json.hpp"
#include "motion/sampling_rate.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::cli {

void check_sampling_options(const SamplingOptions&);
std::string said(const SamplingAdvice&, const SamplingOptions&);
Json json_of(const std::optional<SamplingAdvice>&, const SamplingOptions&);
Json json_of(const std::vector<LimitBreak>&);

}  // namespace parid::cli
