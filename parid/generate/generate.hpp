// From a robot and a word to a program: traced, simplified, ready to be emitted.
//
// generate/ joins what knows robots (dynamics/, formulation/) with what knows operations (ir/, emit/).

#pragma once

#include <string>
#include <vector>

#include "parid/emit/program.hpp"
#include "parid/model/robot.hpp"

namespace parid {

struct GenerateOptions {
  bool standard_parameters = false;  // inertias as they are, not regrouped into base parameters
};

struct Generated {
  Program program;
  int base_parameters = 0;  // how many inertial parameters can matter
  Counts rotors;            // the part of the operations that rotor inertias take
};

// One word of the vocabulary, what it takes and gives.
struct Question {
  const char *word, *takes, *gives, *says;
};
const std::vector<Question>& questions();

// Throws parid::Error for a word that is not in the list, with a suggestion; and for a robot that the word
// does not cover.
Generated generate(const Robot&, const std::string& what, const GenerateOptions& = {});

}  // namespace parid
