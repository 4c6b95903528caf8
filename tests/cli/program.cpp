#include "program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace loom::test {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// Output goes to files, not pipes, so that a program that writes much to both streams cannot block.
File open_scratch() {
  File file(std::tmpfile(), std::fclose);
  if (!file) throw std::runtime_error("no temporary file");
  return file;
}

std::string content(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, count);
  return text;
}

[[noreturn]] void become_program(const std::function<void()>& prepare,
                                 const std::vector<std::string>& arguments, int out, int err) {
  std::vector<char*> argv = {const_cast<char*>(LOOM_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (prepare) prepare();
  execv(LOOM_PROGRAM, argv.data());
  std::_Exit(127);
}

Outcome run(const std::function<void()>& prepare, const std::vector<std::string>& arguments,
            const std::string& out_path) {
  const File out = out_path.empty() ? open_scratch() : File(std::fopen(out_path.c_str(), "w+"), std::fclose);
  if (!out) throw std::runtime_error("cannot open " + out_path);
  const File err = open_scratch();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) become_program(prepare, arguments, fileno(out.get()), fileno(err.get()));
  int state = 0;
  if (waitpid(child, &state, 0) != child) throw std::runtime_error("cannot wait for the program");
  Outcome outcome;
  if (WIFEXITED(state)) outcome.status = WEXITSTATUS(state);
  if (out_path.empty()) outcome.out = content(out.get());
  outcome.err = content(err.get());
  return outcome;
}

}  // namespace

std::vector<std::string> Outcome::err_lines() const {
  std::vector<std::string> lines;
  std::istringstream stream(err);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Outcome run_program_in(const std::function<void()>& prepare, const std::vector<std::string>& arguments) {
  return run(prepare, arguments, "");
}

Outcome run_program(const std::vector<std::string>& arguments, const std::string& out_path) {
  return run(nullptr, arguments, out_path);
}

void limit_file_size(std::uint64_t bytes) {
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

}  // namespace loom::test
