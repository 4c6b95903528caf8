#pragma once

#include <exception>

namespace loom::app {

/// Stores the first error of writing files. Files are written before results are printed, so that the output
/// says which files exist; if writing fails, the results are still printed before the error is reported.
class FirstError {
 public:
  /// Runs `write` and returns whether it succeeded. Stores the first error.
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
  /// Rethrows the stored error, if any.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::exception_ptr error_;
};

}  // namespace loom::app
