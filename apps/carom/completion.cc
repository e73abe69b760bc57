// carom completion: what a shell needs to complete the command line, made from the commands themselves: their names,
// their options, the words an option or an argument takes. Everything else is completed as a file.
//
// The script is one table and a few lines that look into it:
//
//   key            "-"             "run"                  "run --scheme"        "list @"
//   words          the commands    options of a command   values of an option   values of its first argument
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "carom/base/messages.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/schemes/scheme.h"
#include "command.h"
#include "reproductions.h"
#include "safe_output.h"
#include "words.h"

namespace carom::cli {
namespace {

using Words = std::vector<std::string>;
using WordTable = std::map<std::string, Words>;

template <class Entries>
Words names_of(const Entries& entries) {
  Words names;
  for (const auto* entry : entries) names.emplace_back(entry->name);
  return names;
}

Words message_codes() {
  Words codes;
  for (const MessageEntry& entry : messages()) codes.emplace_back(entry.code);
  return codes;
}

// "{csv,vtk,gltf}" of CLI::IsMember.
Words members(const CLI::Option& option) {
  Words words;
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return words;
  for (std::size_t begin = open + 1; begin < close;) {
    const std::size_t end = std::min(type.find(',', begin), close);
    words.push_back(type.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// What an option takes wherever it stands, if that is a name of a registry.
Words values_of(const CLI::Option& option) {
  const std::string name = option.get_name();
  if (name == "--scheme" || name == "--schemes" || name == "--reference") return names_of(scheme_registry().entries());
  if (name == "--solver") return names_of(solvers().entries());
  return members(option);
}

Words arguments_of(const CLI::App& command) {
  const std::string name = command.get_name();
  if (name == "new") return template_names();
  if (name == "list") return list_topics();
  if (name == "explain") return message_codes();
  if (name == "reproduce") return reproduction_ids();
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional())
      if (Words words = members(*option); !words.empty()) return words;
  return {};
}

WordTable word_table(const CLI::App& app) {
  WordTable table;
  Words& commands = table["-"];
  commands = {"--help", "--version"};
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string& name = command->get_name();
    commands.push_back(name);
    Words& options = table[name];
    for (const CLI::Option* option : command->get_options())
      for (const std::string& word : option->get_lnames()) {
        options.push_back("--" + word);
        if (Words values = values_of(*option); !values.empty()) table[name + " --" + word] = values;
      }
    if (Words words = arguments_of(*command); !words.empty()) table[name + " @"] = words;
  }
  // What the launcher does beside the program.
  if (std::getenv("CAROM_ROOT"))
    for (const char* word : {"test", "python", "docs"}) commands.emplace_back(word);
  return table;
}

constexpr std::string_view kBash = R"(# Completion of carom for bash: source <(carom completion bash)
declare -gA _carom_words=(
@TABLE@
)
_carom() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} prefix="" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${_carom_words["-"]}
  elif [[ $word == -* ]]; then
    words=${_carom_words["$command"]}
  elif [ -n "${_carom_words["$command $before"]}" ]; then
    words=${_carom_words["$command $before"]}
    if [[ $word == *,* ]]; then prefix=${word%,*},; word=${word##*,}; fi
  elif [[ $before != -* ]]; then
    words=${_carom_words["$command @"]}
  fi
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$words" -- "$word")
  fi
  if [ ${#COMPREPLY[@]} -eq 0 ]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
  fi
}
complete -F _carom carom
)";

constexpr std::string_view kZsh = R"(#compdef carom
# Completion of carom for zsh: source <(carom completion zsh)
typeset -gA _carom_words=(
@TABLE@
)
_carom() {
  local command=${words[2]} before=${words[CURRENT - 1]} list=""
  if (( CURRENT == 2 )); then
    list=${_carom_words[-]}
  elif [[ $PREFIX == -* ]]; then
    list=${_carom_words[$command]}
  elif [[ -n ${_carom_words[$command $before]} ]]; then
    list=${_carom_words[$command $before]}
    compset -P '*,'
  elif [[ $before != -* ]]; then
    list=${_carom_words[$command @]}
  fi
  [[ -n $list ]] && compadd -- ${=list} && return
  _files
}
(( $+functions[compdef] )) && compdef _carom carom
)";

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  const std::size_t at = text.find(what);
  return text.replace(at, what.size(), by);
}

// bash: ["key"]="words", zsh: "key" "words".
std::string shell_script(const WordTable& table, bool zsh) {
  const std::string_view script = zsh ? kZsh : kBash;
  std::string lines;
  for (const auto& [key, words] : table)
    lines += zsh ? fmt::format("  \"{}\" \"{}\"\n", key, fmt::join(words, " "))
                 : fmt::format("  [\"{}\"]=\"{}\"\n", key, fmt::join(words, " "));
  lines.pop_back();
  return replaced(std::string(script), "@TABLE@", lines);
}

std::string fish_script(const WordTable& table) {
  std::string text = "# Completion of carom for fish: carom completion fish | source\n";
  for (const auto& [key, words] : table) {
    const std::size_t space = key.find(' ');
    const std::string command = key.substr(0, space), option = space == std::string::npos ? "" : key.substr(space + 1);
    const std::string when = fmt::format("-n '__fish_seen_subcommand_from {}'", command);
    if (key == "-") {
      text += fmt::format("complete -c carom -n __fish_use_subcommand -f -a '{}'\n", fmt::join(words, " "));
    } else if (option.empty()) {
      for (const std::string& word : words)
        if (!table.contains(key + " " + word))
          text += fmt::format("complete -c carom {} -l {}\n", when, word.substr(2));
    } else if (option == "@") {
      text += fmt::format("complete -c carom {} -f -a '{}'\n", when, fmt::join(words, " "));
    } else {
      text += fmt::format("complete -c carom {} -l {} -x -a '{}'\n", when, option.substr(2), fmt::join(words, " "));
    }
  }
  return text;
}

ExitCode run_completion(const CLI::App& app, const std::string& shell) {
  const WordTable table = word_table(app);
  fmt::print("{}", shell == "fish" ? fish_script(table) : shell_script(table, shell == "zsh"));
  return ExitCode::fine;
}

}  // namespace

void add_completion(CLI::App& app, ExitCode& code) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "What a shell needs to complete this command line");
  command->footer(R"(
Examples:
  source <(carom completion bash)               in ~/.bashrc; zsh alike
  carom completion fish | source                in config.fish)");
  command->add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell, &app, &code] { code = run_completion(app, *shell); });
}

}  // namespace carom::cli
