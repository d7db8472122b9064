// Tables of ages in TOML: a policy of stale data that a user writes.
//
//   name = "late_forces"          # in output; without it, the file's name
//   base = "binder_herzog"        # ages that the file does not give (default: exact)
//   separate_alpha = true         # α by a recursion of its own even if its ages are those of ω̇
//   prediction = "linear"         # of all readings: hold or linear (default: the base's)
//   delay = 1                     # periods that torques wait; also ahead, random, predict_torque
//
//   [ages]                        # of a variable wherever it is read
//   w = 1                         # by all of its readers
//   ac.across = 2                 # by own, neighbour or across
//   n = {neighbour = 2, prediction = "linear"}
//
//   [equations.alpha]             # in the equation of one variable; prevails over [ages]
//   w.own = 0
//
//   [[link]]                      # in the equations of one link; prevails over both
//   joint = "elbow"               # the joint that moves it, or number = 2, counted from the base
//   ages.f.neighbour = 0
//   equations.n.f.own = 3
//
// Private: included by .cpp files alone.

#pragma once

#include <string>

#include "control/layer.hpp"
#include "control/policy.hpp"

namespace parid::control {

// Throws Error with file, line and remedy: unknown keys, variables and readings that no equation
// has, ages that are not whole numbers from 0 to oldest_age.
Policy parse_policy(const std::string& text, const std::string& file);
Policy read_policy(const std::string& path);

// The whole table, equation by equation, so that it does not depend on a base: parse_policy() of it
// gives the same ages.
std::string policy_toml(const Policy&);

}  // namespace parid::control
