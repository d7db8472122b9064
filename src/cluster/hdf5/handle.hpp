// Owners of HDF5 identifiers, which close them on destruction.

#pragma once

#include <hdf5.h>

#include <utility>

#include "cluster/layer.hpp"

namespace parid::cluster::hdf5 {

template <herr_t (*close)(hid_t)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close(id_);
  }
  operator hid_t() const { return id_; }
  bool good() const { return id_ >= 0; }
  herr_t shut() { return close(std::exchange(id_, -1)); }

 private:
  hid_t id_ = -1;
};

using File = Handle<H5Fclose>;
using Dataset = Handle<H5Dclose>;
using Space = Handle<H5Sclose>;
using Type = Handle<H5Tclose>;
using Properties = Handle<H5Pclose>;
using Attribute = Handle<H5Aclose>;

}  // namespace parid::cluster::hdf5
