#pragma once

#include <dlfcn.h>

#include <initializer_list>

namespace loom::cuda {

/// A shared library that is loaded when it is first needed. The program is not linked with it, because it
/// also runs without it. It stays loaded.
class SharedLibrary {
 public:
  /// Loads the first of the files that exists.
  SharedLibrary(std::initializer_list<const char*> files) {
    for (const char* file : files) {
      if (library_ == nullptr) library_ = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    }
  }
  explicit SharedLibrary(const char* file) : SharedLibrary({file}) {}

  /// Sets a pointer to a function of the library; null if the library does not have it.
  template <typename Function>
  void find(Function*& function, const char* name) {
    function = library_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library_, name));
    whole_ = whole_ && function != nullptr;
  }
  /// Whether the library is loaded and has all requested functions.
  bool whole() const { return library_ != nullptr && whole_; }

 private:
  void* library_ = nullptr;
  bool whole_ = true;
};

}  // namespace loom::cuda
