#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace loom {

/// The user asked for something that is not allowed. The message is one line that says what was wrong and
/// what is allowed. Exit status 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The machine lacks what was asked for: no such device, no display. Exit status 3.
class MachineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A device failed in a way that leaves nothing to go on with (illegal address, launch failure): the process
/// should end with the message. Exit status 3.
class DeviceFault : public MachineError {
 public:
  using MachineError::MachineError;
};

/// Memory does not suffice; the message holds needed and free bytes and what would fit. Exit status 3.
class CapacityError : public MachineError {
 public:
  CapacityError(const std::string& message, std::uint64_t needed, std::uint64_t available)
      : MachineError(message), needed_bytes(needed), free_bytes(available) {}
  std::uint64_t needed_bytes;
  std::uint64_t free_bytes;
};

/// How messages say a number of bytes: "512 B", "1536 bytes (1.5 KiB)", the exact number, and from 1 KiB on a
/// readable one.
std::string with_units(std::uint64_t bytes);

}  // namespace loom
