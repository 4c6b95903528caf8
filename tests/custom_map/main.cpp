#include <gtest/gtest.h>

#include <string_view>

#include "compute/backend/map_backend.h"
#include "compute/custom_map/map_process.h"

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == loom::kMapRunnerCommand) return loom::serve_map_run();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
