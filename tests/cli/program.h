#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace loom::test {

/// The result of one run of the program.
struct Outcome {
  int status = -1;  ///< exit status, or -1 if a signal ended the program
  std::string out;
  std::string err;

  /// The lines of standard error.
  std::vector<std::string> err_lines() const;
  /// Standard output as one JSON value; throws nlohmann::json::parse_error if it is not.
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// Runs fractal-loom with these arguments, without a display, and waits for it. Standard output goes to
/// `out_path` unless it is empty.
Outcome run_program(const std::vector<std::string>& arguments, const std::string& out_path = "");

/// Like run_program, but calls `prepare` in the child process first, to set limits or the environment.
Outcome run_program_in(const std::function<void()>& prepare, const std::vector<std::string>& arguments);

/// Limits the size of every file that the program writes, including its standard streams.
void limit_file_size(std::uint64_t bytes);

/// Splits "life --level 3" into arguments at spaces; there is no quoting.
std::vector<std::string> words(const std::string& line);

}  // namespace loom::test
