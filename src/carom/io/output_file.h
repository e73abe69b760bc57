// Files that are written: none is replaced that this program did not write, unless the user insists (--force), and
// each appears as a whole or not at all.
#pragma once

#include <functional>
#include <string>

namespace carom::inline io {

enum class Replace { ours, anything };

// Throws std::system_error if something is at `path` that must stay: another kind of file, one that a program has open,
// or one that is not `ours` (asked only if there is one).
void check_replaceable(const std::string& path, Replace replace, const std::string& what_is_ours,
                       const std::function<bool()>& ours);

// A table as text. One that is there already is ours if it has the same first line.
void write_text_file(const std::string& path, const std::string& text, Replace replace);

// Before STEM.png, .svg and .pdf are drawn. They cannot tell who made them: they are ours if their table was there.
void check_pictures(const std::string& stem, bool table_was_there, Replace replace);

// A path that leads out of `folder`: upwards, from the root, or through a link.
bool leads_out(const std::string& folder, const std::string& path);

}  // namespace carom::inline io
