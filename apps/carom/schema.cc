// carom schema: the model file as a JSON Schema, for editors; with --reference as a page.
#include <fmt/format.h>

#include "carom/io/fields.h"
#include "command.h"

namespace carom::cli {

void add_schema(CLI::App& app, ExitCode& code) {
  auto reference = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("schema", "The JSON Schema of model files, for editors");
  command->add_flag("--reference", *reference, "The same as a page of Markdown");
  command->footer(R"(
Examples:
  carom schema > carom.schema.json    editors complete and underline model files with it
  carom schema --reference            every key with unit, default and range, as Markdown)");
  command->callback([reference, &code] {
    fmt::print("{}", *reference ? model_reference() : model_schema());
    code = ExitCode::fine;
  });
}

}  // namespace carom::cli
