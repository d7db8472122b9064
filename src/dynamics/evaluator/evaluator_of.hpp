// The evaluator of one quantity, over any number type: its interface, and a class that implements
// it by an object of dynamics/. evaluator.hpp makes those of all quantities.

#pragma once

#include <memory>
#include <tuple>
#include <type_traits>

#include "dynamics/layer.hpp"
#include "dynamics/model_state.hpp"
#include "dynamics/row_arguments.hpp"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"
#include "scalar/dual.hpp"
#include "scalar/taylor.hpp"

namespace parid::dynamics {

template <Scalar T>
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Belongs to one thread; allocates nothing. `link` is an index in the description, for quantities
  // that need one.
  virtual void operator()(int link, const T* const* in, T* const* out) = 0;
  // Base motion in frame 0, wrenches on links [0..n]; without effect on quantities that do not
  // depend on them.
  virtual void set_base_motion(const BaseMotion<double>&) {}
  virtual void set_external(const std::vector<Wrench<double>>&) {}
};

namespace detail {

// Of a quantity whose states `States` lists: states(object, f) calls f(state) for each, over T or
// numbers with derivatives. Arguments that differ by row follow the quantity's own inputs.
template <Scalar T, class Object, class States, class Call>
class EvaluatorOf final : public Evaluator<T> {
 public:
  template <class... Arguments>
  explicit EvaluatorOf(Quantity which, const RowLayout* rows, States states, Call call,
                       const Arguments&... arguments)
      : object_(arguments...), states_(states), call_(call), about_(info(which)), rows_(rows) {
    states_(object_, [&](auto& at) {
      auto& x = values(at);
      x.values = std::remove_reference_t<decltype(x.values)>(rows, at.c.topology.n);
      x.used = true;
    });
  }

  void operator()(int link, const T* const* in, T* const* out) override {
    if (rows_) {
      const T* const* more = in + about_.inputs.size();
      each_used([&](auto& x) { x.load(*rows_, more); });
      states_(object_, [&](auto& at) { values(at).values.act_on(*rows_, at); });
    }
    call_(object_, link, in, out);
  }
  void set_base_motion(const BaseMotion<double>& b) override {
    if (!about_.row_arguments.base_motion) return;
    states_(object_, [&](auto& at) { set_base(at, b); });
  }
  void set_external(const std::vector<Wrench<double>>& w) override {
    if (!about_.row_arguments.wrenches) return;
    each_used([&](auto& x) { x.set_constant(w); });
    states_(object_, [&](auto& at) { at.motion.external = values(at).values.constant(); });
  }

 private:
  // Of the states over U.
  template <class U>
  struct Used {
    RowValues<U> values;
    bool used = false;
  };
  template <class U>
  static void set_base(ModelState<U>& at, const BaseMotion<double>& b) {
    at.motion.set_base(at.mechanism, {to<U>(b.w), to<U>(b.wd), to<U>(b.vd)});
  }
  template <class U>
  Used<U>& values(const ModelState<U>&) {
    return std::get<Used<U>>(values_);
  }
  template <class F>
  void each_used(const F& f) {
    std::apply([&](auto&... x) { ((x.used ? f(x.values) : void()), ...); }, values_);
  }

  Object object_;
  States states_;
  Call call_;
  const QuantityInfo& about_;
  const RowLayout* rows_;  // null: none
  std::tuple<Used<T>, Used<Dual<1, T>>, Used<Taylor<2, T>>> values_;
};

// Makes evaluators of one quantity by objects of any class.
template <Scalar T>
class EvaluatorMaker {
 public:
  EvaluatorMaker(Quantity which, const RowLayout* rows)
      : which_(which), rows_(rows && !rows->empty() ? rows : nullptr) {}

  template <class Object, class States, class Call, class... Arguments>
  std::unique_ptr<Evaluator<T>> make(States states, Call call,
                                     const Arguments&... arguments) const {
    return std::make_unique<EvaluatorOf<T, Object, States, Call>>(which_, rows_, states, call,
                                                                  arguments...);
  }

 private:
  Quantity which_;
  const RowLayout* rows_;
};

}  // namespace detail

}  // namespace parid::dynamics
