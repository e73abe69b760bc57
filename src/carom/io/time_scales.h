// How fast a model is at its start, by what limits a step:
//
//   swing      sqrt(k/m): of the largest eigenvalue of -M^-1 dh/dq, by power iteration
//   turning    omega of the fastest turning body
//   driven     the same of what joints hold, at the start or soon after: sqrt(a / l) with the free acceleration
//              a = W' M^-1 h at a joint and its length l
//   crossing   how far a contact moves in its clearance c within h: |gamma| h + |gamma'| h^2 / 2, against c
//   passing    the speed of a body against its size
//
// The default step comes from these (default_choices.h), and warnings about a step that was given (foreseen.h).
#pragma once

#include <string>

#include "carom/base/iteration_matrix.h"
#include "carom/model/model.h"

namespace carom::inline io {

class TimeScales {
 public:
  // The contact with clearance that crosses it the soonest.
  struct Crossing {
    std::string contact = {};
    double clearance = 0.0, speed = 0.0, acceleration = 0.0;  // no contact: clearance 0
    double moved(double h) const { return speed * h + 0.5 * acceleration * h * h; }
    double time() const;  // until it has moved by its clearance; infinite if it does not move
  };
  // The body that moves by its own size the soonest.
  struct Passing {
    std::string body = {};
    double speed = 0.0, size = 0.0;  // no body: size 0
  };

  explicit TimeScales(const Model& model);  // which must outlive it

  double swing() const;    // rad/s
  double turning() const;  // rad/s
  double driven() const;   // rad/s; 0: no joints
  Crossing crossing() const;
  Passing passing() const;

 private:
  double size_of(const std::string& body, const Scene& scene) const;

  const System& system_;
  const State& start_;
  const Drawing* drawing_;
  ContactSet contacts_;
  ActiveSet all_;
  Evaluation at_;
  IterationMatrix M_;
  Vector free_;  // acceleration without constraints
};

}  // namespace carom::inline io
