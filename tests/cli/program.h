#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace loom::test {

/// What one run of the program left behind.
struct Outcome {
  int status = -1;  ///< exit status, or -1 where a signal ended it
  std::string out;
  std::string err;

  /// The lines of standard error.
  std::vector<std::string> err_lines() const;
  /// Standard output as one JSON value; throws nlohmann::json::parse_error where there is anything else.
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// Runs fractal-loom with these arguments, without a display, and waits for it. Standard output goes to
/// `out_path` where one is given.
Outcome run_program(const std::vector<std::string>& arguments, const std::string& out_path = "");

/// As run_program, after `prepare` has set limits and streams of the program's process. It runs in the child.
Outcome run_program_in(const std::function<void()>& prepare, const std::vector<std::string>& arguments);

/// No file that the program writes may pass so many bytes, its streams neither.
void limit_file_size(std::uint64_t bytes);

/// "life --level 3" as arguments; no quoting.
std::vector<std::string> words(const std::string& line);

}  // namespace loom::test
