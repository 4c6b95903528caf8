#pragma once

#include <exception>

namespace loom::app {

/// Files are written before results are printed, so that these can say what is on disk; where a file cannot
/// be written the results are printed all the same, and only then is it told.
class KeptFailure {
 public:
  /// Whether `write` went through. The first failure is kept.
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
  /// Throws what was kept.
  void tell() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
};

}  // namespace loom::app
