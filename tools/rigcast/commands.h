#pragma once

/// The program's commands. Each declares its flags on the program and says how to check and run what was
/// given.

#include <functional>

#include "base/diagnostics.h"

namespace CLI {
class App;
}

namespace rigcast::tool {

struct Command {
  CLI::App* app = nullptr;
  std::function<void(Diagnostics&)> check;  ///< what is wrong with the flags' values
  std::function<int()> run;                 ///< the exit code
};

Command forecast_command(CLI::App& program);
Command memory_command(CLI::App& program);
Command explain_command(CLI::App& program);
Command list_command(CLI::App& program);
Command show_command(CLI::App& program);
Command schema_command(CLI::App& program);
Command validate_command(CLI::App& program);
Command fit_command(CLI::App& program);

}  // namespace rigcast::tool
