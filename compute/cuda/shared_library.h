#pragma once

#include <dlfcn.h>

#include <initializer_list>

namespace loom::cuda {

/// A library that is loaded when it is first wanted: the program is not linked with it, since it also runs
/// where there is none. It stays loaded.
class SharedLibrary {
 public:
  /// The first of the files that is there.
  SharedLibrary(std::initializer_list<const char*> files) {
    for (const char* file : files) {
      if (library_ == nullptr) library_ = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    }
  }
  explicit SharedLibrary(const char* file) : SharedLibrary({file}) {}

  /// Sets a pointer to a function of the library; null where it has none of that name.
  template <typename Function>
  void find(Function*& function, const char* name) {
    function = library_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library_, name));
    whole_ = whole_ && function != nullptr;
  }
  /// Whether it is there, and has all that was looked for.
  bool whole() const { return library_ != nullptr && whole_; }

 private:
  void* library_ = nullptr;
  bool whole_ = true;
};

}  // namespace loom::cuda
