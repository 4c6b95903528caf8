#include "compute/distributed/partitioning.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/core/error.h"
#include "compute/geometry/bit_planes.h"
#include "compute/workload/rule_text.h"

namespace loom {
namespace {

std::string distribution_problem(const FractalConfig& config) {
  if (!config.fractal.is_uniform())
    return fmt::format(
        "{} has generators by level or turned replicas and cannot be distributed over several devices; "
        "allowed: "
        "one device, or a fractal of one generator",
        config.fractal.name());
  if (config.method.map == MapKind::kCompact) return {};
  return fmt::format(
      "the {} map cannot be distributed over several devices; allowed: --map compact, --storage bytes or "
      "bits",
      name_of(config.method.map));
}

}  // namespace

Partitioning make_partitioning(const FractalConfig& config, std::uint32_t count,
                               std::span<const std::uint32_t> shares) {
  const std::vector<std::uint32_t> equal(shares.empty() ? count : 0, 1);
  if (shares.empty()) shares = equal;
  Partitioning partitioning;
  if (config.method.storage == CellStorage::kBits) {
    partitioning.groups = partition_groups(make_bit_planes(config.fractal.shape(), config.level), shares);
  } else {
    partitioning.rows =
        partition_rows(make_tiled_fractal(config.fractal, config.level, config.tile_size), shares);
  }
  return partitioning;
}

std::uint64_t bytes_of_partition(const FractalConfig& config, const Partitioning& partitioning,
                                 std::uint32_t number) {
  if (config.method.storage == CellStorage::kBits)
    return 2 * part_of(make_bit_planes(config.fractal.shape(), config.level), partitioning.groups[number])
                   .bytes();
  const TiledFractal whole = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  return 2 * part_bytes(part_of(whole, partitioning.rows[number])).copies;
}

void check_partitionable(const FractalConfig& config, std::uint32_t parts) {
  validate(config);
  if (const std::string why = distribution_problem(config); !why.empty()) throw InputError(why);
  make_partitioning(config, parts);
}

std::string partition_problem(const FractalConfig& config, std::size_t devices) {
  if (std::string why = distribution_problem(config); !why.empty()) return why;
  try {
    make_partitioning(config, static_cast<std::uint32_t>(devices));
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

std::string distributed_work_problem(const Work& work) {
  if (work.workload != Workload::kLife || !work.rule.is_larger()) return {};
  return fmt::format(
      "rule {} has radius {}, and several devices exchange a halo of one cell; allowed: one device",
      to_string(work.rule), work.rule.larger.radius);
}

PartitionThreads::PartitionThreads(std::size_t parts) : thrown_(parts) {
  try {
    for (std::size_t part = 1; part < parts; ++part) threads_.emplace_back([this, part] { serve(part); });
  } catch (...) {
    abort_all_ranks();
    throw;
  }
}

PartitionThreads::~PartitionThreads() {
  abort_all_ranks();
}

void PartitionThreads::abort_all_ranks() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void PartitionThreads::do_part(const std::function<void(std::size_t)>& work, std::size_t part) {
  try {
    work(part);
  } catch (...) {
    thrown_[part] = std::current_exception();
  }
}

void PartitionThreads::serve(std::size_t part) {
  std::unique_lock lock(mutex_);
  for (std::size_t done = 0;;) {
    changed_.wait(lock, [&] { return end_ || turn_ != done; });
    if (end_) return;
    done = turn_;
    const std::function<void(std::size_t)>& work = *work_;
    lock.unlock();
    do_part(work, part);
    lock.lock();
    if (--at_work_ == 0) changed_.notify_all();
  }
}

void PartitionThreads::run(const std::function<void(std::size_t)>& work) {
  {
    const std::lock_guard lock(mutex_);
    std::fill(thrown_.begin(), thrown_.end(), nullptr);
    work_ = &work;
    at_work_ = threads_.size();
    ++turn_;
  }
  changed_.notify_all();
  do_part(work, 0);
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return at_work_ == 0; });
  }
  for (const std::exception_ptr& thrown : thrown_) {
    if (thrown) std::rethrow_exception(thrown);
  }
}

}  // namespace loom
