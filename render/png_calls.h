#pragma once

#include <png.h>

#include <csetjmp>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace loom::render {

/// Turns libpng's errors into exceptions. libpng is C: its errors are jumps, and no exception may pass
/// through it. Pass this object as error_ptr and the static functions below as callbacks.
class PngCalls {
 public:
  /// `what` is the prefix of error messages: "the picture cannot be written". `most` limits the bytes of one
  /// allocation.
  explicit PngCalls(const char* what, std::size_t most = std::numeric_limits<std::size_t>::max())
      : what_(what), most_(most) {}
  PngCalls(const PngCalls&) = delete;
  PngCalls& operator=(const PngCalls&) = delete;

  static void complain(png_structp png, png_const_charp message) {
    PngCalls& calls = *static_cast<PngCalls*>(png_get_error_ptr(png));
    try {
      calls.message_ = message;
    } catch (...) {
      calls.failure_ = std::current_exception();
    }
    png_longjmp(png, 1);
  }
  static void ignore(png_structp, png_const_charp) {}
  /// Pass this object as mem_ptr. A failure is kept, since libpng continues after some.
  static png_voidp allocate(png_structp png, png_alloc_size_t size) {
    PngCalls& calls = *static_cast<PngCalls*>(png_get_mem_ptr(png));
    if (size > calls.most_) png_error(png, "a chunk is longer than the file");
    void* const memory = std::malloc(size);
    if (memory == nullptr) calls.failure_ = std::make_exception_ptr(std::bad_alloc());
    return memory;
  }

  /// Calls libpng. `call` must not need destructors, since an error jumps out of it. Throws
  /// std::runtime_error, std::bad_alloc and what callback() caught.
  template <typename Call>
  void guarded(png_structp png, const Call& call) {
    if (setjmp(png_jmpbuf(png)) == 0) {
      call();
      if (!failure_) return;
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    throw std::runtime_error(std::string(what_) + ": " + message_);
  }
  /// Runs C++ code in a callback of libpng; its exception ends the guarded call.
  template <typename Call>
  void callback(png_structp png, const Call& call) {
    try {
      return call();
    } catch (...) {
      failure_ = std::current_exception();
    }
    png_error(png, "a callback threw");
  }

 private:
  const char* what_;
  std::size_t most_;
  std::string message_;
  std::exception_ptr failure_;
};

}  // namespace loom::render
