// The programs of a control step as C99: a file for each processor, and three ways to run them.
//
//   NAME.h            state, inputs and functions of each processor
//   NAME_p1.c, …      the processors' programs
//   NAME_static.c     all of them on one processor, section by section in the order of the schedule
//   NAME_threads.c    each on a POSIX thread
//   NAME_bare.c       each on a core without an operating system, messages in shared memory (C11)
//
// The last three differ in how messages are carried; link one of them, or write two functions of
// one's own for another network. No allocation, no recursion, no library function.

#pragma once

#include <string>
#include <vector>

#include "codegen/emit/targets.hpp"
#include "design/layer.hpp"
#include "design/step_program.hpp"
#include "design/step_timing.hpp"

namespace parid::design {

// `name` must be a C identifier; `about` are lines of comment at the head of every file.
std::vector<EmittedFile> step_files(const StepProgram&, const StepTiming&, WordType,
                                    const std::string& name, const std::vector<std::string>& about);

// All of it as one source for codegen::compile(), with functions over doubles whatever the word:
//   long NAME_bytes(void)                       size of the state
//   void NAME_begins(void *state, const double *inputs)  fills what is kept: at rest
//   void NAME_run(void *state, const double *inputs, double *tau)   one period
// inputs: the arrays of step_arguments one after the other, `coordinates` numbers each.
std::string step_source(const StepProgram&, const StepTiming&, WordType, const std::string& name);

}  // namespace parid::design
