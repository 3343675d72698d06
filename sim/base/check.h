#pragma once

/// RIG_CHECK(condition, message): a broken invariant is a bug in rigcast, never the user's mistake.
/// The program stops with a message that names the place (see `set_bug_handler` for how a program
/// turns it into its exit code). User mistakes are values: see diagnostics.h.

namespace rigcast {

/// Called with the text of a bug; must not return (it may throw). The default writes to standard error and
/// aborts.
using BugHandler = void (*)(const char* text);

/// Installs the handler a program wants (rigcast's exits with code 70); null brings the default back. Not
/// thread safe: call it first.
void set_bug_handler(BugHandler handler);

[[noreturn]] void bug(const char* condition, const char* message, const char* file, int line);

}  // namespace rigcast

#define RIG_CHECK(condition, message)                                          \
  do {                                                                         \
    if (!(condition)) ::rigcast::bug(#condition, message, __FILE__, __LINE__); \
  } while (false)
