// The slider-crank with clearance, integrated by a loop written for this one model.
//
// It is the measuring stick of `carom bench small`: no virtual calls, no libraries, fixed-size
// arrays, every structural zero used. Nothing else in Carom depends on it.
//
// Model: q = (theta1, theta2, theta3), the absolute angles of crank, rod and slider.
//
//   M11 = J1 + (m1/4 + m2 + m3) l1^2     M22 = J2 + (m2/4 + m3) l2^2     M33 = J3
//   M12 = k cos(theta1 - theta2)         k = (m2/2 + m3) l1 l2           M13 = M23 = 0
//   h1 = -k sin(theta1 - theta2) v2^2 - (m1/2 + m2 + m3) g l1 cos theta1
//   h2 = +k sin(theta1 - theta2) v1^2 - (m2/2 + m3) g l2 cos theta2      h3 = 0
//
//   slider centre    x = l1 cos theta1 + l2 cos theta2,  y = l1 sin theta1 + l2 sin theta2
//   corner (sx, sy)  x_c = x + sx a cos theta3 - sy b sin theta3
//                    y_c = y + sx a sin theta3 + sy b cos theta3
//   in the order     (-,+) (+,+) against the upper wall, (-,-) (+,-) against the lower wall
//   gap and slip     g_c = b + c - sy y_c,   U_N = dg_c/dt = n_c v,   U_T = dx_c/dt = t_c v
//
// Scheme: Moreau-Jean with theta = 1/2, x_m = (x_0 + x_1)/2,
//
//   M(q_m) (v_1 - v_0) - dt h(q_m, v_m) = sum_c n_c(q_1)' P_c + t_c(q_1)' R_c
//   q_1 = q_0 + dt v_m
//   corner c is active when g_c(q_0) + 1/2 dt U_N,c(q_0, v_0) <= 0; for active corners
//   0 <= U_N,1 + e U_N,0  perpendicular to  P >= 0,   R in -mu P Sign(U_T,1)   (e_T = 0)
//
// solved by Newton from v_1 = v_0 with the matrix M - dt/2 dh/dv - dt^2/4 dh/dq, in which M and the
// contact directions are taken at the last iterate. It stops when
//   |M (v_1 - v_0) - dt h - W Lambda| <= 1e-10 (|M v_0| + |M v_1| + dt |h| + |W Lambda|)
// in the norm of M^-1, everything evaluated at the new iterate.
//
// The linear contact problem of an iteration is solved exactly, by status: open, stick, slip
// forward, slip backward. See slider_crank.cc.

#ifndef CAROM_BENCHMARKS_HAND_WRITTEN_SLIDER_CRANK_H_
#define CAROM_BENCHMARKS_HAND_WRITTEN_SLIDER_CRANK_H_

namespace carom::hand_written {

struct SliderCrankLoop {
  enum Status : unsigned char { open, stick, slip_forward, slip_backward };

  // Read them freely; to set them make a new loop, since what follows from q and v is kept.
  double q[3];  // angles [rad]
  double v[3];  // angular velocities [rad/s]

  double deepest_gap = 1.0;      // smallest gap of any corner at the end of any step so far [m]
  double largest_tilt = 0.0;     // largest |theta3| at the end of any step so far [rad]
  double normal_impulse[4];      // of the last step [N s]
  double tangential_impulse[4];  // of the last step [N s]
  Status status[4];              // of the last step
  long steps = 0;
  long newton_iterations = 0;  // linear problems solved so far
  long enumerations = 0;       // contact problems that the closed forms did not settle
  long failures = 0;           // steps in which Newton or the contact problem did not converge

  // The standard start: all angles zero, crank at 150 rad/s, rod at -75 rad/s.
  SliderCrankLoop();
  SliderCrankLoop(const double (&q0)[3], const double (&v0)[3]);

  void step(double dt);

  double energy() const;  // kinetic and potential [J]

 private:
  struct Trigonometry {
    double s1, c1, s2, c2, s3, c3;
  };
  struct Linear;  // the linear problem of one Newton iteration

  bool solve_contacts(const Linear& problem, double* velocity);
  bool solve_pair(const Linear& problem, int first, Status trial, double* velocity);
  bool enumerate(const Linear& problem, double* velocity);
  void read_gaps();

  Trigonometry trig_;       // at q
  double gap_[4];           // at q
  double normal_speed_[4];  // U_N at (q, v)
};

// A ball of unit mass falling on the plane q = 0, the same scheme: linear, so one closed form.
//   v_free = v_0 - dt g;  v_1 = max(v_free, -e v_0) if q_0 + dt/2 v_0 <= 0, otherwise v_free
//   q_1 = q_0 + dt (v_0 + v_1)/2
struct BallLoop {
  double q = 1.0;            // height [m]
  double v = 0.0;            // velocity [m/s]
  double deepest_gap = 1.0;  // [m]
  double restitution = 0.8;
  double gravity = 9.81;

  void step(double dt);
};

}  // namespace carom::hand_written

#endif  // CAROM_BENCHMARKS_HAND_WRITTEN_SLIDER_CRANK_H_
