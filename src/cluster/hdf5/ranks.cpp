// The processes of an MPI job.

#include <hdf5.h>

#include "cluster/hdf5/module.hpp"
#include "parid/error.hpp"

#ifdef H5_HAVE_PARALLEL
#include <dlfcn.h>
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace parid::cluster::hdf5 {
namespace {

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    // Open MPI's plugins look up its symbols in the global scope.
    Dl_info about{};
    if (dladdr(reinterpret_cast<const void*>(&MPI_Init_thread), &about) != 0 && about.dli_fname)
      dlopen(about.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    if (level < MPI_THREAD_SERIALIZED)
      throw Error("MPI: this MPI library does not support threads");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiRanks() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void meet() override {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    wait_for(request);
  }
  std::uint64_t sum(std::uint64_t mine) override {
    std::uint64_t all = 0;
    meet();
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }
  std::vector<std::string> gather(const std::string& mine) override {
    std::vector<int> lengths(size_), begins(size_);
    const int length = static_cast<int>(mine.size());
    meet();
    MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD);
    int total = 0;
    for (int k = 0; k < size_; ++k) {
      begins[k] = total;
      total += lengths[k];
    }
    std::string together(static_cast<std::size_t>(total), '\0');
    MPI_Allgatherv(mine.data(), length, MPI_CHAR, together.data(), lengths.data(), begins.data(),
                   MPI_CHAR, MPI_COMM_WORLD);
    std::vector<std::string> all;
    for (int k = 0; k < size_; ++k)
      all.push_back(together.substr(static_cast<std::size_t>(begins[k]),
                                    static_cast<std::size_t>(lengths[k])));
    return all;
  }
  void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

 private:
  // MPI's own waiting keeps a core busy that processes still computing may need.
  static void wait_for(MPI_Request& request) {
    constexpr auto pause = std::chrono::microseconds(100);
    for (int here = 0; MPI_Test(&request, &here, MPI_STATUS_IGNORE), !here;)
      std::this_thread::sleep_for(pause);
  }

  int rank_ = 0, size_ = 1;
};

}  // namespace

std::unique_ptr<Ranks> start_ranks() { return std::make_unique<MpiRanks>(); }

}  // namespace parid::cluster::hdf5

#else

namespace parid::cluster::hdf5 {
std::unique_ptr<Ranks> start_ranks() { return nullptr; }
}  // namespace parid::cluster::hdf5

#endif
