// The one list of what can be asked of a robot with arrays: names, shapes, words of the Engine, and what
// answers one sample. doors.cpp makes a method of each.

#pragma once

#include <span>
#include <vector>

#include "door.hpp"

namespace parid::python {

enum class Form { q, v, square, jacobian, rotation, three, one, regressor };

struct Named {
  const char* name;
  Form form;
};

template <class Real>
using One = void (*)(Rooms&, int link, const Real* const* in, Real* const* out);

struct Question {
  const char* method;
  const char* word;  // of the Engine; null: rows are answered one after another
  std::vector<Named> in, out;
  One<double> one;
  const char* doc;                 // begins with the signature, as Python's own do
  const char* result = nullptr;    // the named tuple of several outputs, in parid/_results.py
  One<float> one_float = nullptr;  // null: by the engine, as a batch of one
  bool link = false;               // takes a link
  bool in_double = false;          // has no answer in float
  // Of rows one after another, for what the Engine has no word for.
  void (*rows)(Engine&, std::size_t rows, const double* const* in, double* const* out) = nullptr;
};
const std::vector<Question>& questions();

constexpr int most_in = 4, most_out = 6;

// Numbers in one row, and the shape that stands for them: (n,), (n, m) or ().
std::size_t numbers(Form, Door&);
std::vector<std::size_t> shape(Form, Door&);

}  // namespace parid::python
