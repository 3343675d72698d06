#include "base/check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace rigcast {
namespace {

[[noreturn]] void abort_with(const char* text) {
  std::fputs(text, stderr);
  std::fputc('\n', stderr);
  std::abort();
}

BugHandler installed = abort_with;

}  // namespace

void set_bug_handler(BugHandler handler) { installed = handler != nullptr ? handler : abort_with; }

void bug(const char* condition, const char* message, const char* file, int line) {
  const std::string text = std::string("bug in rigcast: ") + message + " (" + condition + ") at " + file +
                           ":" + std::to_string(line);
  installed(text.c_str());
  std::abort();
}

}  // namespace rigcast
