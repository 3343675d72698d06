#include "output.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>
#include <utility>

namespace rigcast::tool {
namespace {

std::string reason(int error) {
  if (error == ENOENT) return "no such folder";
  if (error == EISDIR) return "it is a folder";
  if (error == EACCES || error == EPERM) return "permission denied";
  std::string text = std::generic_category().message(error);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

void unwritable(const std::string& file, int error, Diagnostics& diagnostics) {
  diagnostics.unreadable("", "cannot write " + file + ": " + reason(error));
}

}  // namespace

int report(const Diagnostics& diagnostics, bool quiet) {
  for (const Diagnostic& entry : diagnostics.entries())
    if (entry.severity != Severity::kWarning || !quiet) std::cerr << to_text(entry) << '\n';
  if (diagnostics.ok()) return kDone;
  return diagnostics.has_unreadable() ? kUnreadableFile : kWrongInput;
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) std::cerr << "warning: " << warning << '\n';
}

void check_writable(const std::string& file, Diagnostics& diagnostics) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path path(file);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (fs::is_directory(path, ignored)) return unwritable(file, EISDIR, diagnostics);
  if (!fs::exists(folder, ignored)) return unwritable(file, ENOENT, diagnostics);
  if (!fs::is_directory(folder, ignored)) return unwritable(file, ENOTDIR, diagnostics);
  const bool there = fs::exists(path, ignored);
  if (access(there ? path.c_str() : folder.c_str(), W_OK) != 0) unwritable(file, errno, diagnostics);
}

void write_file(const std::string& file, const View& view, Diagnostics& diagnostics) {
  errno = 0;
  std::ofstream stream(file, std::ios::binary);
  if (!stream) return unwritable(file, errno, diagnostics);
  view(stream);
  stream.flush();
  if (!stream) unwritable(file, errno == 0 ? EIO : errno, diagnostics);
}

void write(const OutputOptions& options, const View& view, Diagnostics& diagnostics) {
  if (!options.file.empty()) return write_file(options.file, view, diagnostics);
  errno = 0;
  view(std::cout);
  std::cout.flush();
  if (!std::cout) unwritable("standard output", errno == 0 ? EIO : errno, diagnostics);
}

bool colored(const OutputOptions& options) {
  if (options.color != "auto") return options.color == "always";
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return options.file.empty() && isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0') &&
         (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

bool shares_terminal(const OutputOptions& options) {
  return options.file.empty() && isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
}

Progress::Progress(std::string what, bool quiet) : what_(std::move(what)) {
  if (!quiet && isatty(STDERR_FILENO) == 1) thread_ = std::thread([this] { tick(); });
}

void Progress::set(std::size_t done, std::size_t total) {
  items_ = total;
  items_done_ = done;
}

std::string Progress::line(int seconds) const {
  const std::size_t total = items_, done = std::min<std::size_t>(items_done_, total);
  if (total == 0 || done == 0) return what_ + " ... " + std::to_string(seconds) + " s";
  constexpr std::size_t kWidth = 30;
  const std::size_t full = kWidth * done / total;
  const double left =
      static_cast<double>(seconds) * static_cast<double>(total - done) / static_cast<double>(done);
  return what_ + " [" + std::string(full, '#') + std::string(kWidth - full, '.') + "] " +
         std::to_string(done) + "/" + std::to_string(total) + ", " +
         std::to_string(done / static_cast<std::size_t>(seconds)) + "/s, " +
         std::to_string(static_cast<int>(left + 0.5)) + " s left";
}

void Progress::tick() {
  std::unique_lock lock(mutex_);
  for (int seconds = 1;; ++seconds) {
    if (finished_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) break;
    std::fprintf(stderr, "\r\033[K%s", line(seconds).c_str());
    std::fflush(stderr);
  }
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  finished_.notify_one();
  thread_.join();
}

}  // namespace rigcast::tool
