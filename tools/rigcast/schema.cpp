#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>

#include "base/text.h"
#include "commands.h"
#include "config/load.h"
#include "output.h"

namespace rigcast::tool {
namespace {

struct Options {
  std::string kind;
  OutputOptions output;
};

std::string kinds() {
  std::string list;
  for (const std::string& kind : config::schema_kinds()) list += (list.empty() ? "" : ", ") + kind;
  return list;
}

}  // namespace

Command schema_command(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("schema", "JSON Schema of the files rigcast reads");
  command->add_option("KIND", options->kind, "One of " + kinds());
  command
      ->add_option("-o,--output", options->output.file,
                   "Writes the result to FILE instead of standard output")
      ->type_name("FILE");
  return {command,
          [options](Diagnostics& diagnostics) {
            check(options->output, diagnostics);
            if (options->kind.empty()) {
              diagnostics.error({}, "schema: KIND is missing, expected one of " + kinds());
            } else if (!config::schema(options->kind)) {
              diagnostics.error({}, "schema " + options->kind + ": expected one of " + kinds(),
                                did_you_mean(options->kind, config::schema_kinds()));
            }
          },
          [options] {
            Diagnostics written;
            const std::string text = *config::schema(options->kind);
            write(
                options->output,
                [&](std::ostream& out) { out << text << (text.empty() || text.back() != '\n' ? "\n" : ""); },
                written);
            return report(written, false);
          }};
}

}  // namespace rigcast::tool
