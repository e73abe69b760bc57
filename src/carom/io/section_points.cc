#include "carom/io/section_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/base/names.h"

namespace carom::inline io {

namespace {

constexpr double kSame = 1e-12;  // of a time: the recording's grid and the event's are rounded apart

bool is_or_is_part_of(const std::string& name, const std::string& whole) {
  return name == whole || (name.starts_with(whole) && name[whole.size()] == '.');
}

}  // namespace

SectionPoints section_at(const std::vector<double>& times, const std::vector<double>& x, const std::vector<double>& y,
                         const std::vector<double>& moments) {
  SectionPoints points;
  for (const double moment : moments) {
    const auto found = std::lower_bound(times.begin(), times.end(), moment - kSame * std::abs(moment));
    if (found == times.end() || (!points.t.empty() && points.t.back() == *found)) continue;
    const auto i = static_cast<std::size_t>(found - times.begin());
    points.t.push_back(times[i]);
    points.x.push_back(x[i]);
    points.y.push_back(y[i]);
  }
  return points;
}

SectionPoints section_every(double period, const std::vector<double>& times, const std::vector<double>& x,
                            const std::vector<double>& y, const std::vector<double>& jumps) {
  SectionPoints points;
  if (!(period > 0.0) || times.size() < 2) return points;
  auto jump = jumps.begin();
  const double last = times.back() + kSame * std::abs(times.back());
  for (double k = std::ceil(times.front() / period - 1e-9); k * period <= last; k += 1.0) {
    const double t = std::clamp(k * period, times.front(), times.back());
    const auto after = std::upper_bound(times.begin() + 1, times.end() - 1, t);
    const auto i = static_cast<std::size_t>(after - times.begin()) - 1;
    while (jump != jumps.end() && *jump <= times[i]) ++jump;
    const bool jumps_here = jump != jumps.end() && *jump <= times[i + 1];
    const double share = jumps_here ? (t < *jump ? 0.0 : 1.0) : (t - times[i]) / (times[i + 1] - times[i]);
    points.t.push_back(t);
    points.x.push_back(x[i] + share * (x[i + 1] - x[i]));
    points.y.push_back(y[i] + share * (y[i + 1] - y[i]));
  }
  return points;
}

std::vector<double> impact_times(const Recording& recording, const std::string& contact) {
  const Hdf5File& file = recording.file();
  if (!file.exists("/event/table")) return {};
  const std::vector<std::string> names =
      file.exists("/contact/names") ? recording.names("/contact") : std::vector<std::string>();
  if (!contact.empty() && std::none_of(names.begin(), names.end(),
                                       [&](const std::string& name) { return is_or_is_part_of(name, contact); }))
    throw InputError(
        {"E0131", fmt::format("no contact is called '{}'", contact), {}, suggestion(contact, names), {}, 0, 0, {}});
  const std::vector<double> t = file.read_column("/event/table", "t"), kind = file.read_column("/event/table", "kind"),
                            number = file.read_column("/event/table", "contact");
  constexpr double closes = 0.0;  // docs/result_files.md
  std::vector<double> times;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (kind[i] == closes &&
        (contact.empty() || is_or_is_part_of(names.at(static_cast<std::size_t>(number[i])), contact)))
      times.push_back(t[i]);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace carom::inline io
