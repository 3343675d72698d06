// rigcast: what a deep-learning machine will do, before anyone buys it.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "commands.h"
#include "inputs.h"
#include "output.h"

namespace rigcast::tool {
namespace {

[[noreturn]] void stop_at_bug(const char* text) {
  std::fprintf(stderr, "%s\nplease report this, with the command and the files it read\n", text);
  std::_Exit(kBug);
}

std::string version() {
  Diagnostics ignored;
  const config::Library library = config::load_library({}, std::nullopt, ignored);
  return std::string("rigcast ") + RIGCAST_VERSION + ", catalogue " + library.catalogue.date;
}

/// Names of the program's commands, or of one command's long flags.
std::vector<std::string> names_of(const CLI::App& app, bool flags) {
  std::vector<std::string> names;
  if (!flags)
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (flags)
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// What CLI11 could not place: unknown commands, unknown flags, one file too many.
void report_extras(const CLI::App& program, const Command* chosen, Diagnostics& diagnostics) {
  const std::string see_help = "`rigcast --help` lists the commands";
  if (chosen == nullptr) {
    for (const std::string& extra : program.remaining()) {
      const bool flag = extra.size() > 1 && extra[0] == '-';
      const std::string near = did_you_mean(extra, names_of(program, flag));
      diagnostics.error({}, std::string(flag ? "unknown flag \"" : "unknown command \"") + extra + "\"",
                        near.empty() ? see_help : near);
      if (!flag) return;  // what follows belonged to the command that is not known
    }
    return;
  }
  for (const CLI::App* app : {&program, static_cast<const CLI::App*>(chosen->app)}) {
    for (const std::string& extra : app->remaining()) {
      if (extra == "--") continue;
      const std::string command = "rigcast " + chosen->app->get_name();
      if (extra.size() > 1 && extra[0] == '-') {
        const std::string flag = extra.substr(0, extra.find('='));
        const std::string near = did_you_mean(flag, names_of(*chosen->app, true));
        diagnostics.error({}, command + " has no flag \"" + flag + "\"",
                          near.empty() ? "`" + command + " --help` lists its flags" : near);
      } else {
        diagnostics.error({}, command + ": \"" + extra + "\" is one argument too many");
      }
    }
  }
}

int run(int argc, char** argv) {
  CLI::App program("Forecasts what a deep-learning machine will do before anyone buys it.", "rigcast");
  program.set_version_flag("--version", version, "Program version and date of the catalogue");
  program.set_help_flag("-h,--help", "Help, also for one command: rigcast forecast --help");
  program.require_subcommand(0, 1);
  program.footer(
      "First steps:\n"
      "  rigcast list machines\n"
      "  rigcast forecast --machine dgx-a100 --workload resnet50\n"
      "  rigcast forecast --machine dgx-a100 --workload resnet50 --set plan.batch_per_gpu=64");
  const std::vector<Command> commands = {
      forecast_command(program), memory_command(program), explain_command(program),  list_command(program),
      show_command(program),     schema_command(program), validate_command(program), fit_command(program)};
  Diagnostics diagnostics;
  try {
    program.parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    // Reported below, together with everything else that is wrong.
  } catch (const CLI::Success& asked_for_text) {
    return program.exit(asked_for_text);
  } catch (const CLI::ParseError& error) {
    diagnostics.error({}, error.what());
  }
  const Command* chosen = nullptr;
  for (const Command& command : commands)
    if (command.app->parsed()) chosen = &command;
  report_extras(program, chosen, diagnostics);
  if (chosen == nullptr && diagnostics.ok())
    diagnostics.error({}, "a command is missing", "`rigcast --help` lists the commands");
  if (chosen != nullptr) chosen->check(diagnostics);
  if (!diagnostics.ok()) return report(diagnostics, false);
  return chosen->run();
}

}  // namespace
}  // namespace rigcast::tool

int main(int argc, char** argv) {
  rigcast::set_bug_handler(rigcast::tool::stop_at_bug);
  try {
    return rigcast::tool::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("bug in rigcast: out of memory\n", stderr);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "bug in rigcast: %s\n", exception.what());
  }
  return rigcast::tool::kBug;
}
