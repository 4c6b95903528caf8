#include "compute/backend/device_list.h"

#include <gtest/gtest.h>

#include "compute/core/error.h"

namespace loom {
namespace {

using Numbers = std::vector<int>;

TEST(DeviceList, NamesDevicesInTheOrderOfTheParts) {
  EXPECT_EQ(read_device_numbers("all", {0, 1, 3}), (Numbers{0, 1, 3}));
  EXPECT_EQ(read_device_numbers("1", {0, 1, 3}), Numbers{1});
  EXPECT_EQ(read_device_numbers("3,0", {0, 1, 3}), (Numbers{3, 0}));
}

TEST(DeviceList, SaysWhatIsAllowed) {
  for (const char* const text : {"", ",", "0,", "0, 1", "x", "-1", "0;1", "99999999999", "0,0", "2", "All"}) {
    try {
      read_device_numbers(text, {0, 1});
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("all, or a list of 0, 1"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace loom
