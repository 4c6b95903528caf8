#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loom {

// When each of several devices that share one field did what in a generation (split/split_engine.h).

/// What a device spends time on.
enum class DeviceWork : std::uint8_t {
  kRim,       ///< the cells beside others', which these are told of
  kExchange,  ///< what is told and heard on its way, waiting for who is to tell included
  kInside,    ///< all other cells
  kPlace,     ///< the rim's cells into their places
  kTake,      ///< what was heard beside the own cells
};
/// "rim", "exchange", "inside", "place", "take".
std::string_view name_of(DeviceWork work);

struct DevicePiece {
  DeviceWork work = DeviceWork::kRim;
  std::uint64_t begin = 0;  ///< nanoseconds since the first begin of any device
  std::uint64_t end = 0;    ///< likewise, >= begin
  friend bool operator==(const DevicePiece&, const DevicePiece&) = default;
};

/// One generation. Spans of a device may overlap: it exchanges while it computes.
struct DeviceTimes {
  struct Device {
    std::string name;  ///< "cuda:1 NVIDIA H200", "part 2 of the CPU"
    std::vector<DevicePiece> spans;
  };
  std::string clock;              ///< what was read
  std::uint64_t exact_to = 0;     ///< nanoseconds: how exactly the devices' clocks are set against each other
  std::vector<Device> devices;    ///< in the order of the parts
  double milliseconds = 0;        ///< of the recorded generation, measured as a step is
  double plain_milliseconds = 0;  ///< of one without anything recorded, right before
};

/// Where a device's time went, from the first begin of any to the last end of any, in nanoseconds:
/// step + shown + wait is all of it.
struct DeviceShare {
  std::uint64_t step = 0;      ///< something was computed
  std::uint64_t exchange = 0;  ///< something was on its way, hidden behind the step or not
  std::uint64_t shown = 0;     ///< of that, what no step hid
  std::uint64_t wait = 0;      ///< neither: for the other devices
};
DeviceShare share_of(const DeviceTimes& times, std::size_t device);

/// All begins and ends, which are of any one clock, counted from the first begin.
void count_from_first(DeviceTimes& times);

}  // namespace loom
