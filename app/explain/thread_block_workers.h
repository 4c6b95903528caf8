#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/explain/thread_space.h"
#include "compute/engine/timeline.h"

namespace loom::app::explain {

/// The multiprocessor (CPU: thread) that ran each tile of one recorded launch of life, for colours. Another
/// launch of the same method may be distributed differently.
class ThreadBlockWorkers {
 public:
  /// `timeline` must contain a launch.
  ThreadBlockWorkers(const FractalConfig& config, const Timeline& timeline);
  /// Null unless the recording is a single launch, because only then tile indices identify threads.
  static std::shared_ptr<const ThreadBlockWorkers> of(const FractalConfig& config, const Timeline& timeline);

  /// The recorded configuration. The data applies only to its threads.
  const FractalConfig& config() const { return config_; }
  bool gpu() const { return gpu_; }
  std::uint32_t workers() const { return workers_; }
  /// Empty for a tile whose span was not recorded.
  std::optional<std::uint32_t> worker_of(const ThreadSpace& threads, const ThreadLocation& place) const;
  /// Number of spans that were not recorded.
  std::uint64_t left_out() const { return left_out_; }

 private:
  struct Run {
    std::uint64_t first = 0;
    std::uint64_t count = 1;
    std::uint32_t worker = 0;
  };
  FractalConfig config_;
  bool gpu_ = false;
  std::uint32_t workers_ = 0;
  std::vector<Run> runs_;  ///< sorted by first tile
  std::uint64_t left_out_ = 0;
};

}  // namespace loom::app::explain
