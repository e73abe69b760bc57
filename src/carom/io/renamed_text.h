// Names in the text of a formula replaced by others.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace carom::inline io {

// Every whole name of a text that `rename` knows is replaced. Names behind a dot are parts of others.
std::string renamed(const std::string& text,
                    const std::function<std::optional<std::string>(const std::string&)>& rename);

}  // namespace carom::inline io
