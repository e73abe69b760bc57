// The motion of a consistent step from q_0 with v_C: what it starts from, and the iterate of its passes.
#pragma once

#include "carom/system/system.h"

namespace carom::inline schemes {

struct ConsistentMotion {
  Index n = 0;
  double t_0 = 0.0, t_mid = 0.0, t_1 = 0.0, dt = 0.0;
  Vector q_0, v_C;
  double V_0 = 0.0, T_0 = 0.0;  // potential energy, kinetic energy of v_C

  Vector d, q_mid, q_1;  // q_1 = q_0 + d
  Vector v_1;

  void place() {
    q_1 = q_0 + d;
    q_mid = q_0 + 0.5 * d;
  }
};

}  // namespace carom::inline schemes
