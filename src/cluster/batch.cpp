#include "cluster/batch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "base/file/atomic_file.hpp"
#include "base/file/input_file.hpp"
#include "cluster/identity.hpp"
#include "cluster/journal.hpp"
#include "cluster/stream.hpp"
#include "model/joint/quaternions.hpp"
#include "runtime/engine/generic_rows.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/kernel/specialized_program.hpp"
#include "runtime/verify/verifier.hpp"

namespace parid::cluster {
namespace {

namespace fs = std::filesystem;

// Large enough that waking a thread costs little in comparison, small enough that a few fit in a
// cache; smaller for short files, so that processes have equal shares, and larger for the longest
// files, so that journals stay short.
constexpr std::uint64_t least_block = std::uint64_t{1} << 20, usual_block = std::uint64_t{4} << 20,
                        most_block = std::uint64_t{64} << 20, many_blocks = 256,
                        most_blocks = std::uint64_t{4} << 20;
constexpr std::uint64_t row_step = 64;  // the engine's parts

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool first(const Ranks* ranks) { return !ranks || ranks->rank() == 0; }

// "q (N, 6), v (N, 6), a (N, 6)"
std::string wanted_text(const Shape& shape) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < shape.in.size(); ++k)
    all.push_back(fmt::format("{} (N, {})", shape.in_names[k], shape.in[k]));
  return fmt::format("{}", fmt::join(all, ", "));
}

// The number of rows that all arrays have.
std::uint64_t checked_rows(const Hdf5File& file, const std::string& path, const Robot& robot,
                           Quantity quantity, const Shape& shape) {
  const std::string wanted = fmt::format("'{}' of robot '{}' needs the datasets {}",
                                         parid::name(quantity), robot.name(), wanted_text(shape));
  std::uint64_t rows = 0;
  for (std::size_t k = 0; k < shape.in.size(); ++k) {
    const std::string& name = shape.in_names[k];
    const Hdf5Array* a = file.find(name);
    if (!a) {
      std::vector<std::string> found;
      for (const Hdf5Array& other : file.arrays()) found.push_back(other.name);
      throw Error({path, 0}, fmt::format("there is no dataset '{}'", name),
                  fmt::format("{}; found {}", wanted,
                              found.empty() ? "none" : fmt::format("{}", fmt::join(found, ", "))));
    }
    if (a->kind == Hdf5Kind::elsewhere)
      throw Error({path, 0}, fmt::format("dataset '{}' is {}", name, elsewhere_wrong),
                  elsewhere_right);
    if (a->kind == Hdf5Kind::other)
      throw Error({path, 0}, fmt::format("dataset '{}' does not contain plain numbers", name),
                  "store float64, float32 or integers");
    const bool row_of_one = a->shape.size() == 1 && shape.in[k] == 1;
    if (!row_of_one && (a->shape.size() != 2 || a->shape[1] != shape.in[k]))
      throw Error({path, 0}, fmt::format("dataset '{}' is ({})", name, fmt::join(a->shape, ", ")),
                  wanted);
    if (k > 0 && a->rows() != rows)
      throw Error({path, 0},
                  fmt::format("dataset '{}' has {} rows, but '{}' has {}", name, a->rows(),
                              shape.in_names[0], rows),
                  "give all datasets the same number of rows");
    rows = a->rows();
  }
  if (rows == 0) throw Error({path, 0}, "the file has no rows", "give at least one row");
  return rows;
}

// Matrices have three dimensions, (N, rows, columns), as users of NumPy expect; numbers have one.
std::vector<Hdf5Array> outputs(const Robot& robot, Quantity quantity, std::uint64_t rows,
                               bool single) {
  std::vector<Hdf5Array> all;
  for (const ArrayInfo& array : info(quantity).outputs) {
    Hdf5Array a{array.name, {rows}, single ? Hdf5Kind::float32 : Hdf5Kind::float64};
    for (const std::size_t n : dimensions(robot, array.shape)) a.shape.push_back(n);
    all.push_back(a);
  }
  return all;
}

std::uint64_t chosen_block(const Shape& shape, std::uint64_t rows, bool single) {
  std::uint64_t bytes = 0;  // of a row, in and out
  for (const std::size_t n : shape.in) bytes += n * (single ? 4 : 8);
  for (const std::size_t n : shape.out) bytes += n * (single ? 4 : 8);
  const std::uint64_t few = std::clamp(rows / many_blocks * bytes, least_block, usual_block),
                      block = std::clamp(rows / most_blocks * bytes, few, most_block);
  return std::max(row_step, block / bytes / row_step * row_step);
}

// One run in one process.
class Batch {
 public:
  Batch(const Robot& robot, const BatchOptions& o, Ranks* ranks)
      : robot_(robot),
        o_(o),
        ranks_(ranks),
        partial_(o.output + ".partial"),
        journal_path_(o.output + ".journal"),
        shape_(shape_of(robot, o.quantity)) {}

  BatchResult run() {
    const auto begin = std::chrono::steady_clock::now();
    together(ranks_, [&] { look_at_input(); });
    prepare_engine();
    together(ranks_, [&] {
      if (first(ranks_)) prepare_output();
    });
    if (ranks_)
      together(ranks_, [&] {
        if (!first(ranks_)) journal_.emplace(Journal::join(journal_path_));
      });
    take_block_size();
    const std::vector<std::uint64_t> mine = my_blocks();
    result_.preparing = seconds_since(begin);
    const auto start = std::chrono::steady_clock::now();
    stream_blocks(mine);
    result_.seconds = seconds_since(start);
    if (o_.verify > 0 && !verified()) return result_;
    together(ranks_, [&] {
      if (first(ranks_)) finish();
    });
    return result_;
  }

 private:
  void look_at_input() {
    if (!InputFile(o_.input).size())  // also reports the reason if it cannot be opened
      throw Error({o_.input, 0}, "cannot read HDF5 from a pipe", "give a file");
    std::error_code ignored;
    for (const std::string& ours : {o_.output, partial_, journal_path_})
      if (fs::equivalent(o_.input, ours, ignored))
        throw Error({o_.output, 0},
                    ours == o_.output
                        ? "the output file is the input file"
                        : fmt::format("the temporary output {} is the input file", ours),
                    "give another name");
    input_ = file_identity(o_.input);
    const auto file = hdf5().open(o_.input, false, nullptr);
    result_.rows = checked_rows(*file, o_.input, robot_, o_.quantity, shape_);
    for (const std::string& name : shape_.in_names) {
      const Hdf5Array& a = *file->find(name);
      const std::uint64_t size = a.kind == Hdf5Kind::float32 ? 4 : 8;
      row_bytes_in_ += a.numbers_per_row() * size;
    }
    for (const std::size_t n : shape_.out) row_bytes_out_ += n * (o_.single ? 4 : 8);
  }

  // The first process compiles; the others load the kernel from the cache if they share one.
  void prepare_engine() {
    const KernelKind kind = o_.kernel.value_or(
        result_.rows >= specialize_from_rows ? KernelKind::compiled : KernelKind::generic);
    auto make = [&] {
      EngineOptions options{
          .threads = o_.threads, .kernel = kind, .quantities = {}, .single_precision = o_.single};
      if (o_.link.empty()) options.quantities = {o_.quantity};
      engine_.emplace(robot_, options);
      if (!o_.link.empty()) engine_->prepare(o_.quantity, kind, o_.link);
    };
    together(ranks_, [&] {
      if (first(ranks_)) make();
    });
    together(ranks_, [&] {
      if (!first(ranks_)) make();
    });
    result_.kernel = engine_->kernel(o_.quantity);
    result_.threads = engine_->threads();
    result_.instructions = best_kernels<KernelSet>().name;
    build_fingerprint_ = engine_->build_fingerprint(o_.quantity, o_.single);
    result_.ranks = ranks_ ? ranks_->size() : 1;
    if (first(ranks_) && !engine_->note().empty() && o_.note)
      o_.note(
          fmt::format("using the {} kernel instead: {}", name(result_.kernel), engine_->note()));
    if (!ranks_) return;
    const std::string here = fmt::format(
        "{} kernels for {}{}", name(result_.kernel), result_.instructions,
        build_fingerprint_.empty() ? "" : ", compiled by " + build_fingerprint_.substr(0, 8));
    const std::vector<std::string> all = ranks_->gather(here);
    for (std::size_t k = 1; k < all.size(); ++k)
      if (all[k] != all[0])
        throw SharedError(fmt::format(
            "the machines differ: rank 0 has {}, rank {} has {}, so the last bits of a result "
            "would depend on the machine; choose a kernel that all support with `kernel` (generic "
            "is the same on all) and the environment variables PARID_ISA and PARID_CC",
            all[0], k, all[k]));
  }

  BatchIdentity identity(std::uint64_t block_rows) const {
    return {{"robot", content_hash(robot_)},
            {"quantity", o_.link.empty() ? name(o_.quantity)
                                         : fmt::format("{} of {}", name(o_.quantity), o_.link)},
            {"numbers", o_.single ? "float32" : "float64"},
            {"kernel", name(result_.kernel)},
            {"instructions", result_.instructions},
            {"compiler", build_fingerprint_.empty() ? "none" : build_fingerprint_},
            {"version", o_.version},
            {"input", input_},
            {"rows", fmt::format("{}", result_.rows)},
            {"block", fmt::format("{}", block_rows)}};
  }

  std::uint64_t blocks(std::uint64_t block_rows) const {
    return (result_.rows + block_rows - 1) / block_rows;
  }

  // Continues an earlier run or starts a new one. The journal is locked first; its owner also owns
  // the output.
  void prepare_output() {
    std::error_code ignored;
    const bool is_there = fs::exists(o_.output, ignored);
    if (is_there && fs::is_directory(o_.output, ignored))
      throw Error({o_.output, 0}, "this is a directory", "give a file name");
    if (is_there && !fs::is_regular_file(o_.output, ignored))
      throw Error({o_.output, 0}, "this is a device or a pipe", "give a file name");
    if (is_there && !o_.overwrite)
      throw Error({o_.output, 0}, "the file exists already", "use `overwrite` to replace it");
    std::optional<Journal> old = Journal::hold(journal_path_);
    if (old && !o_.restart && fs::exists(partial_, ignored)) {
      if (!fs::is_regular_file(fs::symlink_status(partial_)))
        throw Error({partial_, 0}, "this is a link or not a regular file",
                    "use `restart` to remove it and start again");
      old->read();
      require_same(*old);
      journal_.emplace(std::move(*old));
    } else {
      const std::uint64_t block =
          o_.block_rows > 0 ? asked_block() : chosen_block(shape_, result_.rows, o_.single);
      journal_.emplace(
          Journal::create(journal_path_, identity(block), blocks(block), old ? &*old : nullptr));
    }
    if (journal_->is_empty()) {  // the earlier run may have ended before its output was complete
      create_output();
    } else {
      require_fitting();
      drop_damaged_blocks();
    }
    if (ranks_) journal_->share();
  }

  std::uint64_t asked_block() const { return std::min(o_.block_rows, result_.rows); }

  void require_same(const Journal& old) const {
    std::uint64_t block = asked_block();
    for (const auto& [name, value] : old.identity())
      if (name == "block" && block == 0) block = std::stoull(value);
    if (block == 0 || old.records().size() != blocks(block))
      throw Error({journal_path_, 0}, "the records of the blocks of rows are incomplete",
                  "use `restart` to start again");
    const std::string differs = old.difference(identity(block));
    if (!differs.empty())
      throw Error({partial_, 0},
                  fmt::format("an unfinished batch exists here, and its {} {}",
                              differs == "numbers" ? "kind of numbers" : differs,
                              differs == "input" ? "has changed" : "differs"),
                  "repeat the original command to continue it, or use `restart` to discard it");
  }

  void require_fitting() const {
    std::unique_ptr<Hdf5File> file;
    try {
      file = hdf5().open(partial_, false, nullptr);
    } catch (const Error&) {
      throw Error({partial_, 0}, "it is damaged or truncated", "use `restart` to start again");
    }
    for (const Hdf5Array& a : outputs(robot_, o_.quantity, result_.rows, o_.single)) {
      const Hdf5Array* there = file->find(a.name);
      if (!there || there->shape != a.shape || there->kind != a.kind)
        throw Error({partial_, 0}, "it does not match its journal", "use `restart` to start again");
    }
  }

  std::vector<StreamArray> output_arrays() const {
    std::vector<StreamArray> all;
    for (std::size_t k = 0; k < shape_.out.size(); ++k)
      all.push_back({shape_.out_names[k], shape_.out[k]});
    return all;
  }

  // Reads finished rows back: rows that differ from those written are computed again.
  void drop_damaged_blocks() {
    take_block_size();
    const auto file = hdf5().open(partial_, false, nullptr);
    const std::vector<StreamArray> arrays = output_arrays();
    std::uint64_t dropped = journal_->damaged();
    for (std::uint64_t b = 0; b < journal_->records().size(); ++b) {
      const std::optional<BlockRecord> record = journal_->records()[b];
      if (!record) continue;
      const std::uint64_t first_row = b * result_.block_rows;
      const std::uint64_t hash = o_.single
                                     ? rows_hash<float>(*file, arrays, first_row, rows_of(b))
                                     : rows_hash<double>(*file, arrays, first_row, rows_of(b));
      if (hash == record->rows_hash && record->not_finite <= rows_of(b)) continue;
      journal_->unmark(b);
      ++dropped;
    }
    if (dropped == 0) return;
    journal_->flush();
    if (o_.note)
      o_.note(fmt::format(
          "{}: {} finished block{} of {} rows did not match the checksums in {}; recomputing",
          partial_, dropped, dropped == 1 ? "" : "s", result_.block_rows, journal_path_));
  }

  void create_output() {
    const std::vector<Hdf5Array> arrays = outputs(robot_, o_.quantity, result_.rows, o_.single);
    Hdf5Attributes attributes{{"schema", std::string("parid.batch/1")},
                              {"what", std::string(name(o_.quantity))},
                              {"robot", robot_.name()},
                              {"robot_hash", content_hash(robot_)},
                              {"kernel", std::string(name(result_.kernel))},
                              {"instructions", result_.instructions},
                              {"version", o_.version}};
    if (info(o_.quantity).needs_link)
      attributes.emplace_back("link", o_.link.empty() ? robot_.tip() : o_.link);
    // A process of an earlier run that is still running then writes to a file without a name.
    ::unlink(partial_.c_str());
    try {
      hdf5().create(partial_, arrays, attributes);
      reserve();
    } catch (...) {
      ::unlink(partial_.c_str());
      ::unlink(journal_path_.c_str());
      throw;
    }
    sync_folder_of(o_.output);
  }

  // Reserves the space of the whole output, so that a full disk is found before the computation.
  // Not every file system supports that; on others a full disk is found while writing.
  void reserve() const {
    const int descriptor = ::open(partial_.c_str(), O_RDWR | O_CLOEXEC);
    struct stat about {};
    int trouble = descriptor < 0 || ::fstat(descriptor, &about) != 0 ? errno : 0;
    if (!trouble && ::fallocate(descriptor, 0, 0, about.st_size) != 0 && errno != EOPNOTSUPP &&
        errno != ENOSYS && errno != EINVAL)
      trouble = errno;
    if (!trouble && ::fsync(descriptor) != 0) trouble = errno;
    if (descriptor >= 0) ::close(descriptor);
    if (!trouble) return;
    struct statvfs disk {};
    const bool known = ::statvfs(partial_.c_str(), &disk) == 0;
    throw Error({o_.output, 0}, fmt::format("not enough disk space: {}", std::strerror(trouble)),
                fmt::format("the batch needs {:.3g} GB{}; free some space, or choose another path",
                            static_cast<double>(about.st_size) / 1e9,
                            known ? fmt::format(", {:.3g} GB are free",
                                                static_cast<double>(disk.f_bavail) *
                                                    static_cast<double>(disk.f_frsize) / 1e9)
                                  : ""));
  }

  void take_block_size() {
    for (const auto& [name, value] : journal_->identity())
      if (name == "block") result_.block_rows = std::stoull(value);
  }

  // Each process gets one contiguous part of the remaining blocks.
  std::vector<std::uint64_t> my_blocks() {
    const auto& records = journal_->records();
    std::vector<std::uint64_t> left;
    for (std::uint64_t b = 0; b < records.size(); ++b) {
      if (!records[b]) {
        left.push_back(b);
      } else {
        result_.resumed_rows += rows_of(b);
        result_.rows_not_finite += records[b]->not_finite;
      }
    }
    if (!ranks_) return left;
    const auto size = static_cast<std::uint64_t>(ranks_->size()),
               rank = static_cast<std::uint64_t>(ranks_->rank());
    const std::uint64_t begin = left.size() * rank / size, end = left.size() * (rank + 1) / size;
    ranks_->meet();  // all processes have read the journal before one writes to it
    return {left.begin() + static_cast<std::ptrdiff_t>(begin),
            left.begin() + static_cast<std::ptrdiff_t>(end)};
  }
  std::uint64_t rows_of(std::uint64_t block) const {
    return std::min(result_.block_rows, result_.rows - block * result_.block_rows);
  }

  void stream_blocks(const std::vector<std::uint64_t>& mine) {
    std::unique_ptr<Hdf5File> in, out;
    together(ranks_, [&] { in = hdf5().open(o_.input, false, nullptr); });
    // Not collective: a process that has opened the file could only close it together with one that
    // has not. A process that fails ends all.
    out = hdf5().open(partial_, true, ranks_);
    StreamJob job;
    job.in = in.get();
    job.out = out.get();
    job.in_path = o_.input;
    job.out_path = partial_;
    for (std::size_t k = 0; k < shape_.in.size(); ++k)
      job.inputs.push_back({shape_.in_names[k], shape_.in[k]});
    job.outputs = output_arrays();
    job.rows = result_.rows;
    job.block_rows = result_.block_rows;
    job.blocks = mine;
    job.quantity = o_.quantity;
    job.checkpoint = o_.checkpoint;
    std::uint64_t not_unit = 0;
    job.rows_not_unit = &not_unit;
    for_each_quaternion(engine_->robot().description(), [&](const JointDescription&, int first) {
      job.quaternions.push_back(static_cast<std::uint64_t>(first));
    });
    std::uint64_t my_rows = 0;
    for (const std::uint64_t b : mine) my_rows += rows_of(b);
    if (o_.progress)
      job.progress = [&](std::uint64_t done) { o_.progress(done, my_rows, result_.rows); };
    std::uint64_t not_finite = 0;
    try {
      not_finite = o_.single ? stream<float>(job, *engine_, *journal_)
                             : stream<double>(job, *engine_, *journal_);
    } catch (...) {
      // A process that fails here fails alone, and the caller ends the others. Closing the files
      // now would block on them.
      if (ranks_) (void)out.release();
      throw;
    }
    if (ranks_) {
      not_finite = ranks_->sum(not_finite);
      my_rows = ranks_->sum(my_rows);
    }
    if (ranks_) not_unit = ranks_->sum(not_unit);
    result_.rows_not_unit = not_unit;
    out->close();
    in->close();
    result_.rows_not_finite += not_finite;
    result_.bytes_read = my_rows * row_bytes_in_;
    result_.bytes_written = my_rows * row_bytes_out_;
  }

  // Verifies rows of the file, not of memory.
  bool verified() {
    Verification v;
    std::string worst;
    together(ranks_, [&] {
      if (first(ranks_)) v = verification();
    });
    if (ranks_) {
      // sends numbers to all processes as text that reads back exactly
      worst = ranks_->gather(fmt::format("{} {} {} {} {} {}", v.rows, v.not_finite, v.worst_row,
                                         v.max_relative_error, v.tolerance, v.method))[0];
      if (!first(ranks_)) {
        char method[64] = {};
        unsigned long rows = 0, not_finite = 0, row = 0;
        if (std::sscanf(worst.c_str(), "%lu %lu %lu %lf %lf %63s", &rows, &not_finite, &row,
                        &v.max_relative_error, &v.tolerance, method) == 6) {
          v.rows = rows;
          v.not_finite = not_finite;
          v.worst_row = row;
          v.method = method;
        }
      }
    }
    result_.verified = v;
    return v.good();
  }
  Verification verification() const {
    Verifier verifier(robot_, o_.quantity, o_.link);
    Verification v;
    v.method = verifier.method();
    v.tolerance = Verifier::tolerance(o_.quantity, o_.single);
    const auto in = hdf5().open(o_.input, false, nullptr),
               out = hdf5().open(partial_, false, nullptr);
    std::vector<std::vector<double>> given, got;
    std::vector<const double*> given_at, got_at;
    for (const std::size_t n : shape_.in) given_at.push_back(given.emplace_back(n).data());
    for (const std::size_t n : shape_.out) got_at.push_back(got.emplace_back(n).data());
    for (const std::size_t row : sample_of_rows(result_.rows, o_.verify)) {
      for (std::size_t k = 0; k < given.size(); ++k) {
        in->read(shape_.in_names[k], row, 1, given[k].data());
        if (o_.single)  // the values that the kernel received
          for (double& x : given[k]) x = static_cast<float>(x);
      }
      for (std::size_t k = 0; k < got.size(); ++k)
        out->read(shape_.out_names[k], row, 1, got[k].data());
      v.add(row, verifier.error(given_at.data(), got_at.data()));
    }
    return v;
  }

  void finish() {
    // The input's present identity, and the journal as it is on the disk.
    if (file_identity(o_.input) != input_)
      throw Error({o_.input, 0}, "the input changed during the batch",
                  fmt::format("{} may contain rows of both versions; use `restart` to start again",
                              partial_));
    journal_->read();
    const auto& records = journal_->records();
    if (const auto missing = std::find(records.begin(), records.end(), std::nullopt);
        missing != records.end())
      throw Error(
          {journal_path_, 0},
          fmt::format("block {} was computed but is not marked as done", missing - records.begin()),
          "another process wrote to this file; repeat the command");
    const int descriptor = ::open(partial_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || ::fsync(descriptor) != 0 || ::close(descriptor) != 0 ||
        ::rename(partial_.c_str(), o_.output.c_str()) != 0)
      throw Error({o_.output, 0}, std::string("cannot finish: ") + std::strerror(errno),
                  fmt::format("all rows are in {}; repeat the command to continue", partial_));
    sync_folder_of(o_.output);
    ::unlink(journal_path_.c_str());
  }

  const Robot& robot_;
  const BatchOptions& o_;
  Ranks* ranks_;
  std::string partial_, journal_path_;
  Shape shape_;
  std::string input_;  // identity of the input when the run began
  // of a compiled kernel: other compilers and CPUs round differently
  std::string build_fingerprint_;
  std::uint64_t row_bytes_in_ = 0, row_bytes_out_ = 0;
  std::optional<Engine> engine_;
  std::optional<Journal> journal_;
  BatchResult result_;
};

}  // namespace

void together(Ranks* ranks, const std::function<void()>& work) {
  if (!ranks) return work();
  std::string trouble;
  try {
    work();
  } catch (const std::exception& e) {
    trouble = e.what();
  }
  const std::vector<std::string> all = ranks->gather(trouble);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (!all[k].empty())
      throw SharedError(k == 0 ? all[k] : fmt::format("rank {} of {}: {}", k, all.size(), all[k]));
}

BatchResult run_batch(const Robot& robot, const BatchOptions& options, Ranks* ranks) {
  return Batch(robot, options, ranks).run();
}

}  // namespace parid::cluster
