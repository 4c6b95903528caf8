#include <fmt/format.h>
#include <mpi.h>

#include <cstdlib>
#include <vector>

#include "compute/core/error.h"
#include "compute/distributed/process_group.h"

namespace loom {
namespace {

std::string short_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string whole(text, static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

/// MPI's default error handler ends the whole run with a message, so that results are not checked here.
class MpiExchange final : public HaloExchange {
 public:
  void start(std::span<FractalPartition* const> parts) override {
    requests_.clear();
    for (FractalPartition* const part : parts) {
      const HaloBuffers messages = part->messages();
      const std::size_t size = messages.element_bytes;
      for (const HaloSegment& from : part->received_from()) {
        MPI_Irecv(static_cast<std::uint8_t*>(messages.received) + from.first * size,
                  static_cast<int>(from.count * size), MPI_BYTE, static_cast<int>(from.part), 0,
                  MPI_COMM_WORLD, &requests_.emplace_back());
      }
      for (const HaloSegment& to : part->sent_to()) {
        MPI_Isend(static_cast<const std::uint8_t*>(messages.sent) + to.first * size,
                  static_cast<int>(to.count * size), MPI_BYTE, static_cast<int>(to.part), 0, MPI_COMM_WORLD,
                  &requests_.emplace_back());
      }
    }
  }
  void finish() override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }
  void sum(std::span<std::uint64_t> values) override {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM,
                  MPI_COMM_WORLD);
  }
  std::string name() const override { return short_version(); }

 private:
  std::vector<MPI_Request> requests_;
};

class MpiProcessGroup final : public ProcessGroup {
 public:
  MpiProcessGroup() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm of_machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &of_machine);
    MPI_Comm_rank(of_machine, &local_rank_);
    MPI_Comm_free(&of_machine);
  }
  ~MpiProcessGroup() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  int local_rank() const override { return local_rank_; }

  void require_same(std::string_view what, std::string_view text) const override {
    const std::string first = text_of(0, text);
    int differs = text == first ? count_ : rank_;
    MPI_Allreduce(MPI_IN_PLACE, &differs, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (differs == count_) return;
    const std::string other = text_of(differs, text);
    throw InputError(fmt::format("ranks 0 and {} have different {}: '{}' and '{}'; allowed: the same in all",
                                 differs, what, first, other));
  }
  std::string first_rank_error(std::string_view rank_error) const override {
    int first = rank_error.empty() ? count_ : rank_;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == count_) return {};
    return fmt::format("rank {} of {}: {}", first, count_, text_of(first, rank_error));
  }
  void broadcast(std::span<std::byte> bytes) const override {
    MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  }
  void sum(std::span<std::uint64_t> values) const override { MpiExchange().sum(values); }
  std::unique_ptr<HaloExchange> make_exchange() const override { return std::make_unique<MpiExchange>(); }
  void barrier_all() const override { MPI_Barrier(MPI_COMM_WORLD); }
  [[noreturn]] void abort(int status) const override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();
  }

 private:
  /// Copies one process's text to all processes.
  static std::string text_of(int rank, std::string_view own) {
    std::string text(own);
    auto size = static_cast<std::uint64_t>(text.size());
    MPI_Bcast(&size, 1, MPI_UINT64_T, rank, MPI_COMM_WORLD);
    text.resize(size);
    MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, rank, MPI_COMM_WORLD);
    return text;
  }

  int rank_ = 0;
  int count_ = 1;
  int local_rank_ = 0;
};

std::unique_ptr<MpiProcessGroup> joined;

}  // namespace

ProcessGroup* ProcessGroup::join() {
  if (!joined && started() > 1) joined = std::make_unique<MpiProcessGroup>();
  return joined.get();
}

void ProcessGroup::leave() {
  joined.reset();
}

std::string ProcessGroup::library() {
  return short_version();
}

}  // namespace loom
