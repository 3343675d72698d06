#pragma once

/// The user's mistakes, as values. All that is wrong with an input is gathered here and reported together;
/// nothing throws, prints or stops.

#include <string>
#include <string_view>
#include <vector>

namespace rigcast {

enum class Severity { kWarning, kError, kUnreadable };  ///< kUnreadable: a file could not be read or written

/// Where in the user's input something stands. Empty fields and zeros mean "not known".
struct Origin {
  std::string file;     ///< as the user named it; "--set" for an override, "built in" for the catalogue
  int line = 0;         ///< from 1
  int column = 0;       ///< from 1
  std::string pointer;  ///< JSON pointer, "/plan/batch_per_gpu"
};

struct Diagnostic {
  Severity severity = Severity::kError;
  Origin origin;
  std::string message;  ///< what is wrong and what was expected, one sentence without a full stop
  std::string hint;     ///< "did you mean ...?", or what to do; may be empty
};

class Diagnostics {
 public:
  void error(Origin origin, std::string message, std::string hint = {});
  void warning(Origin origin, std::string message, std::string hint = {});
  void unreadable(std::string file, std::string message);
  void append(const Diagnostics& other);

  bool ok() const { return errors_ == 0; }
  /// True when some file could not be read or written: exit code 3 rather than 2.
  bool has_unreadable() const { return unreadable_ > 0; }
  const std::vector<Diagnostic>& entries() const { return entries_; }

 private:
  std::vector<Diagnostic> entries_;
  int errors_ = 0;
  int unreadable_ = 0;
};

/// "file:3:14: error: message (/pointer)" and, on a second line, "  hint". No trailing newline.
std::string to_text(const Diagnostic& diagnostic);

}  // namespace rigcast
