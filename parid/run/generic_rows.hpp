// Every question over rows by the kernels that fit any robot: no program is traced, no compiler asked. What
// an Engine falls back on, one per thread.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parid/run/dynamics.hpp"
#include "parid/run/forward_kernel.hpp"
#include "parid/run/kernel.hpp"
#include "parid/run/kinematics.hpp"
#include "parid/run/surroundings.hpp"

namespace parid {

// What a question takes and gives, in numbers per row of each array.
struct Shape {
  std::vector<std::string> in_names, out_names;
  std::vector<std::size_t> in, out;
};
// Throws Error for a word that is none of those that can be asked over rows.
Shape shape_of(const Robot&, const std::string& what);
std::vector<std::string> batch_questions();

class GenericRows {
 public:
  explicit GenericRows(const Robot&);

  void set_surroundings(const Surroundings&);
  // Makes what the question needs; rows() of it comes after, and allocates nothing. `link` is the index of
  // the link that a question speaks of, where it speaks of one.
  void prepare(const std::string& what);
  void rows(const std::string& what, int link, std::size_t rows, const double* const* in,
            double* const* out);
  void rows(const std::string& what, int link, std::size_t rows, const float* const* in,
            float* const* out);
  void with_friction(std::size_t rows, const double* const* in, const FrictionRows<double>& to);

 private:
  template <class Real>
  void torques(Kernel<Real>&, std::size_t rows, const Real* q, const Real* v, const Real* a,
               Real* tau) const;

  Robot robot_;
  std::size_t nq_, nv_;
  Surroundings surroundings_;
  std::unique_ptr<Kernel<double>> in_double_;
  std::unique_ptr<Kernel<float>> in_float_;
  std::unique_ptr<ForwardKernel> forward_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<Kinematics> kinematics_;
  std::map<std::string, Shape> shape_;  // of the questions prepared
  std::size_t regressor_columns_ = 0;
  std::vector<double> zero_, row_in_, row_out_;
  std::vector<float> zero_float_;
};

}  // namespace parid
