// Numbers of many links, stored so that a sweep can process the links one by one, and a pass
// without dependencies between links can process as many as a register holds.

#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

#include "math/layer.hpp"
#include "math/mat3.hpp"

namespace parid::math {

namespace detail {
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};
  CacheLineAllocator() = default;
  template <class S>
  CacheLineAllocator(const CacheLineAllocator<S>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, line); }
  bool operator==(const CacheLineAllocator&) const = default;
};
}  // namespace detail

// One link, or several packed links. Component k is a number; three make a vector, nine a matrix.
template <class T, class V>
class LinkView {
 public:
  explicit LinkView(T* p) : p_(p) {}

  V operator[](int k) const { return load(p_ + k * step); }
  Vec3<V> vec(int k) const { return {(*this)[k], (*this)[k + 1], (*this)[k + 2]}; }
  Mat3<V> mat(int k) const { return {vec(k), vec(k + 3), vec(k + 6)}; }
  Sym3<V> sym(int k) const {
    return {(*this)[k],     (*this)[k + 1], (*this)[k + 2],
            (*this)[k + 3], (*this)[k + 4], (*this)[k + 5]};
  }

  void set(int k, const V& x) const { store(p_ + k * step, x); }
  void set(int k, const Vec3<V>& v) const {
    set(k, v.x);
    set(k + 1, v.y);
    set(k + 2, v.z);
  }
  void set(int k, const Mat3<V>& M) const {
    set(k, M.r0);
    set(k + 3, M.r1);
    set(k + 6, M.r2);
  }
  void set(int k, const Sym3<V>& S) const {
    set(k, S.xx);
    set(k + 1, S.yy);
    set(k + 2, S.zz);
    set(k + 3, S.xy);
    set(k + 4, S.xz);
    set(k + 5, S.yz);
  }

 private:
  using One = std::remove_const_t<T>;
  static constexpr int step = PackedLinks<One>::links;
  static V load(const One* p) {
    if constexpr (std::is_same_v<V, One>)
      return *p;
    else
      return PackedLinks<One>::load(p);
  }
  static void store(One* p, const V& x) {
    if constexpr (std::is_same_v<V, One>)
      *p = x;
    else
      PackedLinks<One>::store(p, x);
  }
  T* p_;
};

// K numbers for each of the links 0..n, in blocks of packed links: within a block, all first
// components, then all second ones, and so on. Link 1 starts a block.
template <class T, int K>
class PerLink {
 public:
  static constexpr int links = PackedLinks<T>::links;  // a power of two
  using Wide = typename PackedLinks<T>::type;

  PerLink() = default;
  explicit PerLink(int n) : data_(static_cast<std::size_t>(n / links + 2) * K * links, T(0.0)) {}

  LinkView<T, T> operator[](int i) { return LinkView<T, T>(at(i)); }
  LinkView<const T, T> operator[](int i) const { return LinkView<const T, T>(at(i)); }
  LinkView<T, Wide> packed(int i) { return LinkView<T, Wide>(at(i)); }  // i = 1, 1 + links, …
  LinkView<const T, Wide> packed(int i) const { return LinkView<const T, Wide>(at(i)); }

 private:
  static std::size_t offset(int i) {
    const auto slot = static_cast<unsigned>(i + links - 1);
    return static_cast<std::size_t>(slot / links) * (K * links) + slot % links;
  }
  T* at(int i) { return data_.data() + offset(i); }
  const T* at(int i) const { return data_.data() + offset(i); }

  std::vector<T, detail::CacheLineAllocator<T>> data_;
};

}  // namespace parid::math
