#include "backend.h"

namespace loom::tests {

BackendChoice tested_backend() {
  return BackendChoice::LOOM_TEST_BACKEND;
}

}  // namespace loom::tests
