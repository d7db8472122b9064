// Results of identify() as text, as JSON and as comments of robot files.

#pragma once

#include <vector>

#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "identification/identify.hpp"
#include "model/format/toml/toml_writer.hpp"

namespace parid::cli {

void print_filters(const std::vector<FilterReport>&, const std::vector<std::string>& logs);
void print_friction_scores(const std::vector<FrictionScore>&);
void print_identification(const TorqueModel&, const Identification&);
void print_validation(const std::vector<TorqueFit>&);

Json json_of(const std::vector<Estimate>&);
Json json_of(const std::vector<TorqueFit>&);
Json json_of(const std::vector<FilterReport>&);
Json json_of(const std::vector<FrictionScore>&);

// Identified values with their accuracy, as comments of the robot file.
TomlComments comments(const TorqueModel&, const Identification&,
                      const std::vector<std::string>& logs);

}  // namespace parid::cli
