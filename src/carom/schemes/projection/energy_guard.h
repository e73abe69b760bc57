// How much restitution a step has energy for. Contacts of one step touch at different times, and positions are moved to
// them: together they may bring in energy that one impact would not. Without restitution contacts take energy out, and
// what the rebound brings grows with the square of its velocities. So a step that gained is solved again, first with
// none, then with the factor of all gamma_minus at which the gain vanishes, by interpolation of its square.
#pragma once

#include <array>
#include <cmath>

namespace carom::inline schemes {

class EnergyGuard {
 public:
  void begin() { *this = EnergyGuard(); }

  // Of the velocities that the impact law takes for gamma_minus.
  double factor() const { return factor_; }

  // Whether the step must be solved again, with another factor: the last solution gained more than `rounding`.
  bool solve_again(double gained, double rounding) {
    switch (phase_) {
      case Phase::done: return false;
      case Phase::watching:
        if (gained <= rounding) return false;
        gain_with_ = gained;
        factor_ = 0.0;
        phase_ = Phase::without_restitution;
        return true;
      case Phase::without_restitution:
        phase_ = gained < 0.0 ? Phase::restrained : Phase::done;
        gain_without_ = gained;
        if (gained >= gain_with_) {  // it is not the restitution: a contact that leaves and returns within the step
          factor_ = 1.0;
          return true;
        }
        return gained < 0.0 && restrain();  // else no restitution is all that can be done
      case Phase::restrained:
        if (gained <= rounding) return false;
        gain_with_ = gained;
        square_with_ = factor_ * factor_;
        return restrain();
    }
    return false;
  }

 private:
  // The square of the factor at which the gain vanishes; where that was not exact, a little less, in the end nothing.
  bool restrain() {
    constexpr std::array less = {0.0, 1e-6, 1e-3, 0.1};
    if (attempts_ == less.size()) {
      phase_ = Phase::done;
      factor_ = 0.0;
      return true;
    }
    const double share = gain_without_ / (gain_without_ - gain_with_) * (1.0 - less[attempts_++]);
    factor_ = std::sqrt(square_with_ * share);
    return true;
  }

  enum class Phase { watching, without_restitution, restrained, done } phase_ = Phase::watching;
  double factor_ = 1.0;
  // What was gained without restitution, and with the square of a factor.
  double gain_without_ = 0.0, gain_with_ = 0.0, square_with_ = 1.0;
  std::size_t attempts_ = 0;
};

}  // namespace carom::inline schemes
