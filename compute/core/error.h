#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace loom {

/// Invalid user input. The message is one line that states what is wrong and what is allowed. Exit status 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "unknown WHAT 'TEXT'; allowed: ALLOWED"
InputError unknown_name(std::string_view what, std::string_view text, std::string_view allowed);

/// A required resource is not available, for example a device or a display. Exit status 3.
class MachineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An unrecoverable device error, for example an illegal address or a launch failure. The process should
/// print the message and end. Exit status 3.
class DeviceFault : public MachineError {
 public:
  using MachineError::MachineError;
};

/// Not enough memory. The message states the needed bytes, the free bytes and what would fit. Exit status 3.
class CapacityError : public MachineError {
 public:
  CapacityError(const std::string& message, std::uint64_t needed, std::uint64_t available)
      : MachineError(message), needed_bytes(needed), free_bytes(available) {}
  std::uint64_t needed_bytes;
  std::uint64_t free_bytes;
};

/// Formats a number of bytes for messages: "512 B", "1536 bytes (1.5 KiB)". The number of bytes is exact;
/// from 1 KiB on, a rounded value in a binary unit follows.
std::string describe_bytes(std::uint64_t bytes);

}  // namespace loom
