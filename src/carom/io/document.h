// A TOML file as a tree that remembers where everything stands, in the order of the source. Values
// given on the command line (--set) are put into the same tree and remember that instead.
//
// Refused: tables nested more than 32 deep and names longer than 200 characters (everything that walks the tree calls
// itself), the same name twice (once with a hyphen, once with an underscore), integers that are no double.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/base/errors.h"

namespace carom::inline io {

// More than these are not collected: nobody reads them, and each holds a line of the file.
inline constexpr std::size_t most_problems = 100;

struct DocumentNode {
  enum class Kind { table, array, number, boolean, text, date };

  Kind kind = Kind::table;
  std::string key;   // as written; empty in arrays
  std::string path;  // "law.steel.normal"
  double number = 0.0;
  bool boolean = false;
  std::string text;
  std::vector<DocumentNode> children;  // of tables in source order, and of arrays
  int key_line = 0, key_column = 0;    // counted from 1; 0: not in the file
  int line = 0, column = 0;            // of the value
  std::string origin;                  // "--set simulation.step=0" if it comes from there
  int source = 0;                      // the file it stands in: 0 the model's own, others were included

  bool is_table() const { return kind == Kind::table; }
  // A member by name, hyphens and underscores being the same; null if there is none.
  const DocumentNode* find(std::string_view key) const;
  DocumentNode* find(std::string_view key);
};

const char* to_text(DocumentNode::Kind kind);  // "a table", "a number", ...

class Document {
 public:
  // Throws InputError if the text is no TOML.
  Document(std::string file, std::string text);
  static Document read(const std::string& file);  // InputError if it cannot be read

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }
  const DocumentNode& root() const { return root_; }
  DocumentNode& root() { return root_; }  // for what rewrites the tree before it is read (expansion.h)

  // Reads another file as a tree of its own, whose nodes know where they stand. Throws InputError.
  DocumentNode read_other(const std::string& file);
  const DocumentNode* find_path(std::string_view dotted) const;

  // Files a scenario names lie in its own folder unless this is said.
  void allow_outside() { allow_outside_ = true; }
  bool outside_allowed() const { return allow_outside_; }

  // Puts the value of --set path=value into the tree, making tables on the way. The value is read as
  // TOML, and as a word or expression if it is none.
  void set(const std::string& path, const std::string& value);

  // A problem at a node's key or value, with the place filled in. `offset` counts characters inside a
  // text value.
  InputProblem at_key(const DocumentNode& node, std::string code, std::string message, std::string hint = {}) const;
  InputProblem at_value(const DocumentNode& node, std::string code, std::string message, std::string hint = {},
                        int offset = -1) const;

 private:
  InputProblem at(const DocumentNode& node, int line, int column, std::string code, std::string message,
                  std::string hint) const;

  struct Source {
    std::string file;
    std::vector<std::string> lines;
  };

  std::string file_;
  std::string text_;
  std::vector<Source> sources_;
  DocumentNode root_;
  bool allow_outside_ = false;
};

}  // namespace carom::inline io
