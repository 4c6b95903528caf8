#pragma once

#include <exception>

namespace loom::app {

/// Keeps the first failure of writing files. Files are written before results are printed, so that the output
/// can tell what is on disk; if writing fails, the results are still printed before the failure is reported.
class KeptFailure {
 public:
  /// Runs `write` and returns whether it succeeded. The first failure is kept.
  template <typename Write>
  bool none_of(const Write& write) {
    try {
      write();
      return true;
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
      return false;
    }
  }
  /// Rethrows the kept failure, if any.
  void tell() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
};

}  // namespace loom::app
