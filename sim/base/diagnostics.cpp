#include "base/diagnostics.h"

#include <utility>

namespace rigcast {

void Diagnostics::error(Origin origin, std::string message, std::string hint) {
  ++errors_;
  entries_.push_back({Severity::kError, std::move(origin), std::move(message), std::move(hint)});
}

void Diagnostics::warning(Origin origin, std::string message, std::string hint) {
  entries_.push_back({Severity::kWarning, std::move(origin), std::move(message), std::move(hint)});
}

void Diagnostics::unreadable(std::string file, std::string message) {
  ++errors_;
  ++unreadable_;
  entries_.push_back({Severity::kUnreadable, {std::move(file), 0, 0, {}}, std::move(message), {}});
}

void Diagnostics::append(const Diagnostics& other) {
  entries_.insert(entries_.end(), other.entries_.begin(), other.entries_.end());
  errors_ += other.errors_;
  unreadable_ += other.unreadable_;
}

std::string to_text(const Diagnostic& diagnostic) {
  std::string text = diagnostic.origin.file;
  if (diagnostic.origin.line > 0) {
    text += ":" + std::to_string(diagnostic.origin.line);
    if (diagnostic.origin.column > 0) text += ":" + std::to_string(diagnostic.origin.column);
  }
  if (!text.empty()) text += ": ";
  text += diagnostic.severity == Severity::kWarning ? "warning: " : "error: ";
  text += diagnostic.message;
  if (!diagnostic.origin.pointer.empty()) text += " (" + diagnostic.origin.pointer + ")";
  if (!diagnostic.hint.empty()) text += "\n  " + diagnostic.hint;
  return text;
}

}  // namespace rigcast
