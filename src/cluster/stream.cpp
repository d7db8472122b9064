#include "cluster/stream.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "cluster/rows_hash.hpp"
#include "model/joint/quaternions.hpp"
#include "parid/error.hpp"
#include "runtime/engine/strided_types.hpp"

namespace parid::cluster {
namespace {

constexpr std::size_t slot_count = 4;  // one each for reading, computing, writing, and one waiting

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : number_(::open(path.c_str(), flags | O_CLOEXEC)) {
    if (number_ < 0)
      throw Error({path, 0}, std::string("cannot open: ") + std::strerror(errno), "");
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

// NaN and infinities have all bits of their exponent set.
bool all_finite(const double* x, std::size_t n) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000u;
  std::uint64_t bad = 0;
  for (std::size_t k = 0; k < n; ++k)
    bad |= static_cast<std::uint64_t>((std::bit_cast<std::uint64_t>(x[k]) & exponent) == exponent);
  return bad == 0;
}
bool all_finite(const float* x, std::size_t n) {
  constexpr std::uint32_t exponent = 0x7f800000u;
  std::uint32_t bad = 0;
  for (std::size_t k = 0; k < n; ++k)
    bad |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(x[k]) & exponent) == exponent);
  return bad == 0;
}

void demand(const Hdf5File& file, const std::string& path, const std::string& name) {
  if (!file.find(name))
    throw Error({path, 0}, fmt::format("cannot open its dataset '{}' again", name),
                "check the disk, then repeat the command to continue");
}

template <class Real>
struct Slot {
  std::uint64_t block = 0, first = 0, rows = 0;
  std::uint32_t not_finite = 0;
  std::vector<std::vector<Real>> in, out;
};

// Slots are used cyclically: each of the three counts is the number of blocks so far, and the k-th
// block is always in slot k mod slot_count.
template <class Real>
class Stream {
 public:
  Stream(const StreamJob& job, Engine& engine, Journal& journal)
      : job_(job),
        engine_(engine),
        journal_(journal),
        in_(job.in_path, O_RDONLY),
        out_(job.out_path, O_RDWR),
        slots_(slot_count),
        fetched_(job.inputs.size()) {
    // Both files were reopened since the arrays were checked, and that may have failed in part.
    for (const StreamArray& a : job.inputs) demand(*job.in, job.in_path, a.name);
    for (const StreamArray& a : job.outputs) demand(*job.out, job.out_path, a.name);
    for (Slot<Real>& s : slots_) {
      for (const StreamArray& a : job.inputs) s.in.emplace_back(a.width * job.block_rows);
      for (const StreamArray& a : job.outputs) s.out.emplace_back(a.width * job.block_rows);
    }
  }

  std::uint64_t run() {
    {
      std::jthread reader, writer, disk;  // joined at the end of this block
      guarded([&] {
        start(reader, [this] { guarded([this] { read_all(); }); });
        start(disk, [this] { guarded([this] { commit(); }); });
        start(writer, [this] {
          guarded([this] { write_all(); });
          end_writing();
        });
        compute();
      });
      if (!writer.joinable()) end_writing();
    }
    if (failure_) std::rethrow_exception(failure_);
    return not_finite_;
  }

 private:
  template <class Work>
  static void start(std::jthread& thread, Work&& work) {
    try {
      thread = std::jthread(std::forward<Work>(work));
    } catch (const std::system_error& e) {
      throw Error(
          fmt::format("no thread can be started: {}; a batch takes three beside its "
                      "`threads`; raise the limit (ulimit -u), or run fewer at once",
                      e.what()));
    }
  }
  void end_writing() {
    const std::lock_guard lock(mutex_);
    no_more_ = true;
    changed_.notify_all();
  }

  template <class Work>
  void guarded(Work&& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    changed_.notify_all();
  }

  // Waits until `may` returns true; false if there is no more work.
  template <class May>
  bool wait_until(std::unique_lock<std::mutex>& lock, const std::size_t& so_far, May&& may) {
    changed_.wait(lock, [&] { return failure_ || so_far == job_.blocks.size() || may(); });
    return !failure_ && so_far < job_.blocks.size();
  }

  void read_all() {
    std::unique_lock lock(mutex_);
    while (wait_until(lock, read_, [this] { return read_ < written_ + slot_count; })) {
      Slot<Real>& s = slots_[read_ % slot_count];
      const std::uint64_t block = job_.blocks[read_];
      lock.unlock();
      s.block = block;
      s.first = block * job_.block_rows;
      s.rows = std::min(job_.block_rows, job_.rows - s.first);
      for (std::size_t k = 0; k < job_.inputs.size(); ++k) {
        fetch_ahead(k, s.first + s.rows);
        read(k, s);
      }
      if (job_.rows_not_unit) *job_.rows_not_unit += rows_not_unit(s);
      lock.lock();
      ++read_;
      changed_.notify_all();
    }
  }

  // They are treated as if of length 1, but may not be quaternions at all.
  std::uint64_t rows_not_unit(const Slot<Real>& s) const {
    if (job_.quaternions.empty() || job_.inputs[0].name != "q") return 0;
    std::uint64_t count = 0;
    for (std::uint64_t r = 0; r < s.rows; ++r) {
      bool unit = true;
      for (const std::uint64_t at : job_.quaternions) {
        const Real* x = &s.in[0][r * job_.inputs[0].width + at];
        const double q[] = {x[0], x[1], x[2], x[3]};
        unit = unit && is_unit_length(quaternion_length(q));
      }
      count += unit ? 0 : 1;
    }
    return count;
  }

  // Rows whose layout in the file is that of memory are read without HDF5, which is serial.
  void read(std::size_t array, Slot<Real>& s) {
    const StreamArray& a = job_.inputs[array];
    const Hdf5Array& about = *job_.in->find(a.name);
    constexpr Hdf5Kind same = sizeof(Real) == 8 ? Hdf5Kind::float64 : Hdf5Kind::float32;
    if (!about.offset || about.kind != same || std::endian::native != std::endian::little) {
      const std::lock_guard one(hdf5_);
      return job_.in->read(a.name, s.first, s.rows, s.in[array].data());
    }
    char* to = reinterpret_cast<char*>(s.in[array].data());
    std::uint64_t left = s.rows * a.width * sizeof(Real),
                  at = *about.offset + s.first * a.width * sizeof(Real);
    while (left > 0) {
      const ssize_t n = ::pread(in_, to, left, static_cast<off_t>(at));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0)
        throw Error(
            {fmt::format("{}: dataset '{}', from row [{}]", job_.in_path, a.name, s.first), 0},
            fmt::format("cannot read: {}",
                        n == 0 ? "the file has been truncated" : std::strerror(errno)),
            "check the disk, and write the file again");
      to += n;
      at += static_cast<std::uint64_t>(n);
      left -= static_cast<std::uint64_t>(n);
    }
  }

  // Starts reading ahead, so that the disk works during the computation. The kernel limits the size
  // of one request, hence pieces.
  void fetch_ahead(std::size_t array, std::uint64_t row) {
    constexpr std::uint64_t window = 8 << 20, piece = 128 << 10;
    const Hdf5Array& about = *job_.in->find(job_.inputs[array].name);
    if (!about.offset) return;
    const std::uint64_t bytes =
                            job_.inputs[array].width * (about.kind == Hdf5Kind::float32 ? 4 : 8),
                        begin = *about.offset + row * bytes,
                        end = std::min(begin + window, *about.offset + job_.rows * bytes);
    std::uint64_t& at = fetched_[array];
    for (at = std::clamp(at, begin, std::max(begin, end)); at < end; at += piece)
      ::posix_fadvise(in_, static_cast<off_t>(at), static_cast<off_t>(std::min(piece, end - at)),
                      POSIX_FADV_WILLNEED);
  }

  void write_all() {
    std::unique_lock lock(mutex_);
    while (wait_until(lock, written_, [this] { return written_ < computed_; })) {
      const Slot<Real>& s = slots_[written_ % slot_count];
      lock.unlock();
      write(s);
      RowsHash rows;
      for (std::size_t k = 0; k < job_.outputs.size(); ++k)
        rows.add(s.out[k].data(), s.rows * job_.outputs[k].width * sizeof(Real));
      const std::uint64_t hash = rows.value();
      lock.lock();
      ++written_;
      safe_soon_.push_back({s.block, {s.not_finite, hash}});
      changed_.notify_all();
    }
  }

  void write(const Slot<Real>& s) {
    try {
      const std::lock_guard one(hdf5_);
      for (std::size_t k = 0; k < job_.outputs.size(); ++k)
        job_.out->write(job_.outputs[k].name, s.first, s.rows, s.out[k].data());
      for (const StreamArray& a : job_.outputs) send_to_disk(a, s);
    } catch (const Error& e) {
      struct statvfs about {};
      const bool full = ::statvfs(job_.out_path.c_str(), &about) == 0 &&
                        about.f_bavail * about.f_frsize < job_.block_rows * 8;
      throw Error(fmt::format(
          "{}{}; finished rows are kept: {}, then repeat the command to continue", e.what(),
          full ? " (the disk is full)" : "", full ? "free some space" : "correct the cause"));
    }
  }

  // Starts writing rows to the disk without waiting, so that commit() has little left to do.
  void send_to_disk(const StreamArray& a, const Slot<Real>& s) const {
#ifdef SYNC_FILE_RANGE_WRITE
    const std::uint64_t row = a.width * sizeof(Real);
    if (const auto& at = job_.out->find(a.name)->offset)
      ::sync_file_range(out_, static_cast<off64_t>(*at + s.first * row),
                        static_cast<off64_t>(s.rows * row), SYNC_FILE_RANGE_WRITE);
#endif
  }

  void compute() {
    std::vector<StridedIn<Real>> in(job_.inputs.size());
    std::vector<StridedOut<Real>> out(job_.outputs.size());
    std::uint64_t rows = 0;
    std::unique_lock lock(mutex_);
    while (wait_until(lock, computed_, [this] { return computed_ < read_; })) {
      Slot<Real>& s = slots_[computed_ % slot_count];
      lock.unlock();
      for (std::size_t k = 0; k < in.size(); ++k)
        in[k] = {s.in[k].data(), static_cast<std::size_t>(job_.inputs[k].width)};
      for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = {s.out[k].data(), static_cast<std::size_t>(job_.outputs[k].width)};
      engine_.evaluate(job_.quantity, s.rows, in, out);
      s.not_finite = rows_not_finite(s);
      rows += s.rows;
      if (job_.progress) job_.progress(rows);
      lock.lock();
      not_finite_ += s.not_finite;
      ++computed_;
      changed_.notify_all();
    }
  }

  std::uint32_t rows_not_finite(const Slot<Real>& s) const {
    bool fine = true;
    for (std::size_t k = 0; k < job_.outputs.size(); ++k)
      fine = fine && all_finite(s.out[k].data(), s.rows * job_.outputs[k].width);
    if (fine) return 0;
    std::uint32_t count = 0;
    for (std::uint64_t r = 0; r < s.rows; ++r) {
      bool row = true;
      for (std::size_t k = 0; k < job_.outputs.size(); ++k)
        row = row && all_finite(&s.out[k][r * job_.outputs[k].width], job_.outputs[k].width);
      count += row ? 0 : 1;
    }
    return count;
  }

  // After a failure, continues until all written rows are safe.
  void commit() {
    std::vector<std::pair<std::uint64_t, BlockRecord>> now;
    const auto pause = std::chrono::duration<double>(job_.checkpoint);
    for (std::unique_lock lock(mutex_);;) {
      if (safe_soon_.empty() && no_more_) return;
      if (safe_soon_.empty()) {
        changed_.wait(lock);
        continue;
      }
      changed_.wait_for(lock, pause, [this] { return no_more_; });
      now.swap(safe_soon_);
      lock.unlock();
      if (::fdatasync(out_) != 0)
        throw Error({job_.out_path, 0},
                    std::string("cannot flush to disk: ") + std::strerror(errno), "check the disk");
      for (const auto& [block, record] : now) journal_.mark(block, record);
      journal_.flush();
      now.clear();
      lock.lock();
    }
  }

  const StreamJob& job_;
  Engine& engine_;
  Journal& journal_;
  Descriptor in_, out_;
  std::vector<Slot<Real>> slots_;
  std::vector<std::uint64_t> fetched_;  // bytes of each array requested so far

  std::mutex hdf5_;  // held while it is called
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t read_ = 0, computed_ = 0, written_ = 0;             // blocks
  std::vector<std::pair<std::uint64_t, BlockRecord>> safe_soon_;  // written, not in the journal
  bool no_more_ = false;                                          // will be written
  std::uint64_t not_finite_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

template <class Real>
std::uint64_t rows_hash(Hdf5File& file, std::span<const StreamArray> arrays, std::uint64_t first,
                        std::uint64_t rows) {
  RowsHash hash;
  std::vector<Real> values;
  for (const StreamArray& a : arrays) {
    values.resize(rows * a.width);
    file.read(a.name, first, rows, values.data());
    hash.add(values.data(), values.size() * sizeof(Real));
  }
  return hash.value();
}
template std::uint64_t rows_hash<double>(Hdf5File&, std::span<const StreamArray>, std::uint64_t,
                                         std::uint64_t);
template std::uint64_t rows_hash<float>(Hdf5File&, std::span<const StreamArray>, std::uint64_t,
                                        std::uint64_t);

template <class Real>
std::uint64_t stream(const StreamJob& job, Engine& engine, Journal& journal) {
  return Stream<Real>(job, engine, journal).run();
}
template std::uint64_t stream<double>(const StreamJob&, Engine&, Journal&);
template std::uint64_t stream<float>(const StreamJob&, Engine&, Journal&);

}  // namespace parid::cluster
