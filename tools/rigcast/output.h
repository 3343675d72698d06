#pragma once

/// Everything the program prints: results, errors, warnings and progress.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/diagnostics.h"
#include "options.h"

namespace rigcast::tool {

/// The exit codes of the interface.
enum ExitCode { kDone = 0, kWrongInput = 2, kUnreadableFile = 3, kBug = 70 };

/// Prints all diagnostics on standard error (warnings not when `quiet`); the exit code they ask for.
int report(const Diagnostics& diagnostics, bool quiet);

/// "warning: ..." on standard error, one a line.
void print_warnings(const std::vector<std::string>& warnings);

/// Finds out before the work whether a file can be written, without touching it.
void check_writable(const std::string& file, Diagnostics& diagnostics);

using View = std::function<void(std::ostream&)>;

/// Runs `view` on FILE; what goes wrong is reported as unwritable.
void write_file(const std::string& file, const View& view, Diagnostics& diagnostics);
/// Runs `view` on --output or standard output.
void write(const OutputOptions& options, const View& view, Diagnostics& diagnostics);

/// Whether the result should carry colours.
bool colored(const OutputOptions& options);
/// Whether result and warnings reach the same person at the same place.
bool shares_terminal(const OutputOptions& options);

/// While it lives and standard error is a terminal: a line that says what is being done and for how long,
/// from the first second on; with a bar, a rate and the time left once `set` said how much there is to do. It
/// leaves nothing behind.
class Progress {
 public:
  Progress(std::string what, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// May be called from any thread.
  void set(std::size_t done, std::size_t total);

 private:
  void tick();
  std::string line(int seconds) const;

  std::string what_;
  std::atomic<std::size_t> items_done_{0}, items_{0};
  std::mutex mutex_;
  std::condition_variable finished_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace rigcast::tool
