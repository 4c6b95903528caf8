#include "app/cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "app/cli/output.h"

namespace loom::app {

void abort_all_ranks(const ProcessGroup& ranks, std::string_view what) {
  print_error(fmt::format("fractal-loom: rank {} of {}: {}\n", ranks.rank(), ranks.count(), what));
  ranks.abort(3);
  std::abort();
}

void set_passive_omp_wait() {
  constexpr const char* kPolicy = "OMP_WAIT_POLICY";
  if (std::getenv(kPolicy) != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  std::vector<std::string> words;
  std::ifstream command_line("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(command_line, word, '\0');) words.push_back(word);
  if (words.empty()) return;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::error_code unreadable;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  if (unreadable) return;
  setenv(kPolicy, "passive", 0);
  execv(program.c_str(), arguments.data());
  // If execv() fails, the program continues, only slower.
}

}  // namespace loom::app
