#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loom {

// Timeline of one generation on several devices that share one fractal (split/split_engine.h).

/// Kinds of work of a device.
enum class DeviceWork : std::uint8_t {
  kBoundary,  ///< steps the boundary cells, which are sent to other partitions
  kExchange,  ///< transfers boundary and halo cells, including the wait for senders
  kInterior,  ///< steps all other cells
  kScatter,   ///< scatters the boundary cells into their positions
  kUnpack,    ///< unpacks the received halo
};
/// "boundary", "exchange", "inside", "place", "take".
std::string_view name_of(DeviceWork work);

struct DeviceWorkSpan {
  DeviceWork work = DeviceWork::kBoundary;
  std::uint64_t begin = 0;  ///< nanoseconds since the first begin on any device
  std::uint64_t end = 0;    ///< nanoseconds since the first begin on any device, >= begin
  friend bool operator==(const DeviceWorkSpan&, const DeviceWorkSpan&) = default;
};

/// One generation. Spans of a device may overlap, because it exchanges while it computes.
struct DeviceTimeline {
  struct Device {
    std::string name;  ///< "cuda:1 NVIDIA H200", "part 2 of the CPU"
    std::vector<DeviceWorkSpan> spans;
  };
  std::string clock;                    ///< name of the clock
  std::uint64_t clock_uncertainty = 0;  ///< uncertainty of the alignment of the devices' clocks, nanoseconds
  std::vector<Device> devices;          ///< in the order of the parts
  double milliseconds = 0;              ///< duration of the recorded generation, measured as a step is
  double plain_milliseconds = 0;  ///< duration of a generation without recording, measured immediately before
};

/// The time breakdown of a device, from the first begin on any device to the last end on any device, in
/// nanoseconds. step + shown + wait is the total.
struct DeviceTimeBreakdown {
  std::uint64_t step = 0;      ///< computing
  std::uint64_t exchange = 0;  ///< exchanging, whether hidden behind computation or not
  std::uint64_t shown = 0;     ///< the part of exchange that computation does not hide
  std::uint64_t wait = 0;      ///< idle, waiting for the other devices
};
DeviceTimeBreakdown time_breakdown(const DeviceTimeline& times, std::size_t device);

/// Rebases all begins and ends, which must use the same clock, to the first begin.
void rebase_to_first_begin(DeviceTimeline& times);

}  // namespace loom
