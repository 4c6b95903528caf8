#pragma once

#include <exception>

namespace loom::app {

/// Keeps the first failure of writing files. Files are written before results are printed, so that the output
/// can tell what is on disk; if writing fails, the results are still printed before the failure is reported.
class FirstError {
 public:
  /// Runs `write` and returns whether it succeeded. The first failure is kept.
  template <typename Write>
  bool try_run(const Write& write) {
    try {
      write();
      return true;
    } catch (...) {
      if (!error_) error_ = std::current_exception();
      return false;
    }
  }
  /// Rethrows the kept failure, if any.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::exception_ptr error_;
};

}  // namespace loom::app
