#include "carom/simulation/judgement.h"

#include <fmt/format.h>

#include "carom/simulation/audit.h"

namespace carom::inline simulation {

namespace {

// A rise beyond the limit is the law's doing if contacts that obeyed their law gave the larger part of it. What the
// scheme made is a finding of its own, also where losses hide it in the sum.
void judge_energy(const Audit& audit, const JudgementLimits& limits, Judgement& out) {
  const double allowed = limits.energy * audit.energy_scale;
  const EnergyRise& rise = audit.rise;
  const bool rose = rise.value > allowed, by_law = rise.by_law > 0.5 * rise.value;
  if (rose && by_law)
    out.findings.push_back({Flaw::law_energy, audit.largest_law_gain_name, rise.t, rise.value,
                            rise.value / audit.energy_scale, limits.energy});
  const EnergyRise& made = audit.scheme_rise.value > allowed || by_law ? audit.scheme_rise : rise;
  if (made.value > allowed)
    out.findings.push_back(
        {Flaw::scheme_energy, {}, made.t, made.value, made.value / audit.energy_scale, limits.energy});
}

void judge_positions(const Audit& audit, const JudgementLimits& limits, Judgement& out) {
  if (const WorstPosition& worst = audit.worst_penetration; worst.share > limits.penetration)
    out.findings.push_back({worst.share >= 1.0 ? Flaw::behind : Flaw::penetration, worst.name, worst.t, worst.value,
                            worst.share, limits.penetration});
  if (const WorstPosition& worst = audit.worst_play; worst.share > limits.play)
    out.findings.push_back({Flaw::play, worst.name, worst.t, worst.value, worst.share, limits.play});
  if (const WorstPosition& worst = audit.worst_joint; worst.share > limits.joint_error)
    out.findings.push_back({Flaw::joint_error, worst.name, worst.t, worst.value, worst.share, limits.joint_error});
  if (const WorstPosition& worst = audit.worst_missed; audit.missed_contacts > 0)
    out.findings.push_back({Flaw::missed_contact, worst.name, worst.t, worst.value, worst.share, limits.penetration,
                            audit.missed_contacts});
}

}  // namespace

std::string_view to_word(Flaw flaw) {
  switch (flaw) {
    case Flaw::scheme_energy: return "scheme_energy";
    case Flaw::law_energy: return "law_energy";
    case Flaw::penetration: return "penetration";
    case Flaw::behind: return "behind";
    case Flaw::play: return "play";
    case Flaw::joint_error: return "joint_error";
    case Flaw::missed_contact: return "missed_contact";
  }
  return "";
}

std::string to_text(const Finding& f) {
  const std::string when = fmt::format("t = {:.6g} s", f.t);
  const std::string percent = fmt::format("{:.3g} %, limit {:.3g} %", 100.0 * f.share, 100.0 * f.limit);
  switch (f.flaw) {
    case Flaw::scheme_energy:
      return fmt::format(
          "the scheme made {:.3g} J until {} ({} of the energy turned over): shorten the step or choose "
          "another scheme",
          f.value, when, percent);
    case Flaw::law_energy:
      return fmt::format(
          "energy rose by {:.3g} J until {} ({} of the energy turned over) through the impact law, not the "
          "scheme: Newton's restitution with friction gave it, most at {}",
          f.value, when, percent, f.name);
    case Flaw::penetration:
      return fmt::format("{} penetrates by {:.3g} m at {} ({} of its size)", f.name, f.value, when, percent);
    case Flaw::behind:
      return fmt::format("{}: a body lies behind its contact by {:.3g} m at {} ({} of its size)", f.name, f.value, when,
                         percent);
    case Flaw::play:
      return fmt::format(
          "{} penetrates by {:.3g} m at {} ({} of its play): shorten the step or choose a scheme that keeps contacts "
          "on position "
          "level",
          f.name, f.value, when, percent);
    case Flaw::joint_error:
      return fmt::format("joint {} is open by {:.3g} m at {} ({} of its length)", f.name, f.value, when, percent);
    case Flaw::missed_contact:
      return fmt::format("{} was passed unseen or met too late, {:.3g} m deep at {}{}: shorten the step", f.name,
                         f.value, when, f.count > 1 ? fmt::format(", and {} more contacts", f.count - 1) : "");
  }
  return "";
}

Judgement judge(const Audit& audit, const JudgementLimits& limits) {
  Judgement out;
  out.judged = true;
  if (audit.has_energy) judge_energy(audit, limits, out);
  judge_positions(audit, limits, out);
  return out;
}

}  // namespace carom::inline simulation
