#include "slider_crank.h"

#include <cmath>

namespace carom::hand_written {
namespace {

constexpr double l1 = 0.153, l2 = 0.306;
constexpr double half_length = 0.05, half_height = 0.025, clearance = 0.001;
constexpr double m1 = 0.038, m2 = 0.038, m3 = 0.076;
constexpr double J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;
constexpr double gravity = 9.81;
constexpr double restitution = 0.4, friction = 0.01;
constexpr double activation_gamma = 0.5;
constexpr double tolerance = 1e-10;
constexpr int iteration_limit = 30;

constexpr double M11 = J1 + (m1 / 4 + m2 + m3) * l1 * l1;
constexpr double M22 = J2 + (m2 / 4 + m3) * l2 * l2;
constexpr double coupling = (m2 / 2 + m3) * l1 * l2;
constexpr double weight1 = (m1 / 2 + m2 + m3) * gravity * l1;
constexpr double weight2 = (m2 / 2 + m3) * gravity * l2;

// What rounding may do to a velocity [m/s] or an impulse [N s] when a status is verified.
constexpr double velocity_slack = 1e-14;
constexpr double impulse_slack = 1e-16;

void sine_cosine(double angle, double& sine, double& cosine) {
  sine = std::sin(angle);  // the compiler makes one sincos of the two
  cosine = std::cos(angle);
}

constexpr double side_x(int corner) { return (corner & 1) ? 1.0 : -1.0; }
constexpr double side_y(int corner) { return corner < 2 ? 1.0 : -1.0; }

}  // namespace

// The linear problem of one Newton iteration: v = free + B (sum n_c' P_c + t_c' R_c), where B is the
// inverse of the iteration matrix (a 2x2 block, not symmetric, and 1/J3).
struct SliderCrankLoop::Linear {
  double free[3];
  double b11, b12, b21, b22;
  double nx, ny;  // normal of an upper corner: (-l1 c1, -l2 c2, .); of a lower one: minus this
  double tx, ty;  // tangent of any corner:     (-l1 s1, -l2 s2, .)
  double s3, c3;
  bool active[4];

  void directions(const Trigonometry& at) {
    nx = -l1 * at.c1;
    ny = -l2 * at.c2;
    tx = -l1 * at.s1;
    ty = -l2 * at.s2;
    s3 = at.s3;
    c3 = at.c3;
  }
  // Third components of n_c and t_c.
  double normal3(int c) const { return half_height * s3 - side_y(c) * side_x(c) * half_length * c3; }
  double tangent3(int c) const { return -side_x(c) * half_length * s3 - side_y(c) * half_height * c3; }
};

SliderCrankLoop::SliderCrankLoop() : SliderCrankLoop({0.0, 0.0, 0.0}, {150.0, -75.0, 0.0}) {}

SliderCrankLoop::SliderCrankLoop(const double (&q0)[3], const double (&v0)[3]) {
  for (int i = 0; i < 3; ++i) {
    q[i] = q0[i];
    v[i] = v0[i];
  }
  for (int c = 0; c < 4; ++c) {
    normal_impulse[c] = tangential_impulse[c] = 0.0;
    status[c] = open;
  }
  sine_cosine(q[0], trig_.s1, trig_.c1);
  sine_cosine(q[1], trig_.s2, trig_.c2);
  sine_cosine(q[2], trig_.s3, trig_.c3);
  read_gaps();
  deepest_gap = 1.0;  // the start is no result of the scheme
}

void SliderCrankLoop::read_gaps() {
  const double y = l1 * trig_.s1 + l2 * trig_.s2;
  const double rise = half_length * trig_.s3;
  const double above = (half_height + clearance) - half_height * trig_.c3 - y;
  const double below = (half_height + clearance) - half_height * trig_.c3 + y;
  gap_[0] = above + rise;
  gap_[1] = above - rise;
  gap_[2] = below - rise;
  gap_[3] = below + rise;

  const double y_speed = l1 * trig_.c1 * v[0] + l2 * trig_.c2 * v[1];
  const double turn = half_height * trig_.s3 * v[2];
  const double tilt = half_length * trig_.c3 * v[2];
  normal_speed_[0] = turn - y_speed + tilt;
  normal_speed_[1] = turn - y_speed - tilt;
  normal_speed_[2] = turn + y_speed - tilt;
  normal_speed_[3] = turn + y_speed + tilt;

  for (int c = 0; c < 4; ++c) {
    if (gap_[c] < deepest_gap) deepest_gap = gap_[c];
  }
  if (std::fabs(q[2]) > largest_tilt) largest_tilt = std::fabs(q[2]);
}

double SliderCrankLoop::energy() const {
  const double M12 = coupling * (trig_.c1 * trig_.c2 + trig_.s1 * trig_.s2);
  return 0.5 * (M11 * v[0] * v[0] + M22 * v[1] * v[1] + J3 * v[2] * v[2]) + M12 * v[0] * v[1] + weight1 * trig_.s1 +
         weight2 * trig_.s2;
}

// Two corners of one wall, both with the same status. Half the sum and the difference of the two
// normal equations n_i v = -e U_i, n_j v = -e U_j separate slider rotation and the rest:
//   v3 = -e (U_i - U_j) / (n_i3 - n_j3),   nx v1 + ny v2 = -e (U_i + U_j)/2 - b sin(theta3) v3.
// With R = ratio P in both corners (ratio = -+mu in slip) the second is one equation for P_i + P_j;
// the third row of the equations of motion then splits the sum. In stick the sum of R is the second
// unknown, from t v = 0, and its split is not determined (the two tangents agree at theta3 = 0):
// it is taken proportional to P.
bool SliderCrankLoop::solve_pair(const Linear& p, int first, Status trial, double* velocity) {
  const int i = first, j = first + 1;
  if (trial == open) {
    const double sy = side_y(first);
    const double common = sy * (p.nx * p.free[0] + p.ny * p.free[1]);
    const double Ui = common + p.normal3(i) * p.free[2] + restitution * normal_speed_[i];
    const double Uj = common + p.normal3(j) * p.free[2] + restitution * normal_speed_[j];
    if (Ui < -velocity_slack || Uj < -velocity_slack) return false;
    for (int k = 0; k < 3; ++k) velocity[k] = p.free[k];
    status[i] = status[j] = open;
    normal_impulse[i] = normal_impulse[j] = 0.0;
    tangential_impulse[i] = tangential_impulse[j] = 0.0;
    return true;
  }

  const double sy = side_y(first);
  const double nx = sy * p.nx, ny = sy * p.ny;
  const double ni = p.normal3(i), nj = p.normal3(j);
  const double ti = p.tangent3(i), tj = p.tangent3(j);
  const double Ui = normal_speed_[i], Uj = normal_speed_[j];

  const double v3 = -restitution * (Ui - Uj) / (ni - nj);
  const double wanted = -restitution * 0.5 * (Ui + Uj) - half_height * p.s3 * v3 - (nx * p.free[0] + ny * p.free[1]);
  double ratio, sum;
  if (trial == stick) {
    if (std::fabs((ti - tj) * v3) > velocity_slack) return false;  // both cannot stick
    const double bn1 = p.b11 * nx + p.b12 * ny, bn2 = p.b21 * nx + p.b22 * ny;
    const double bt1 = p.b11 * p.tx + p.b12 * p.ty, bt2 = p.b21 * p.tx + p.b22 * p.ty;
    const double nn = nx * bn1 + ny * bn2, nt = nx * bt1 + ny * bt2;
    const double tn = p.tx * bn1 + p.ty * bn2, tt = p.tx * bt1 + p.ty * bt2;
    const double slip = -(p.tx * p.free[0] + p.ty * p.free[1] + 0.5 * (ti + tj) * v3);
    const double determinant = nn * tt - nt * tn;
    if (!(determinant > 1e-12 * nn * tt)) return false;
    sum = (wanted * tt - nt * slip) / determinant;
    if (!(sum > 0.0)) return false;
    ratio = (nn * slip - tn * wanted) / (determinant * sum);
    if (std::fabs(ratio) > friction * (1.0 + 1e-14)) return false;
  } else {
    ratio = trial == slip_forward ? -friction : friction;
    const double dx = nx + ratio * p.tx, dy = ny + ratio * p.ty;
    const double stiffness = nx * (p.b11 * dx + p.b12 * dy) + ny * (p.b21 * dx + p.b22 * dy);
    if (!(stiffness > 0.0)) return false;
    sum = wanted / stiffness;
  }

  const double dx = nx + ratio * p.tx, dy = ny + ratio * p.ty;
  const double v1 = p.free[0] + (p.b11 * dx + p.b12 * dy) * sum;
  const double v2 = p.free[1] + (p.b21 * dx + p.b22 * dy) * sum;
  const double pi = ni + ratio * ti, pj = nj + ratio * tj;
  const double turn = J3 * (v3 - p.free[2]);
  const double Pi = (turn - pj * sum) / (pi - pj);
  const double Pj = (pi * sum - turn) / (pi - pj);
  if (Pi < -impulse_slack || Pj < -impulse_slack) return false;
  if (trial != stick) {
    const double common = p.tx * v1 + p.ty * v2;
    const double sign = trial == slip_forward ? 1.0 : -1.0;
    if (sign * (common + ti * v3) < -velocity_slack) return false;
    if (sign * (common + tj * v3) < -velocity_slack) return false;
  }
  velocity[0] = v1;
  velocity[1] = v2;
  velocity[2] = v3;
  status[i] = status[j] = trial;
  normal_impulse[i] = Pi;
  normal_impulse[j] = Pj;
  tangential_impulse[i] = ratio * Pi;
  tangential_impulse[j] = ratio * Pj;
  return true;
}

bool SliderCrankLoop::solve_contacts(const Linear& p, double* velocity) {
  const bool upper = p.active[0] && p.active[1] && !p.active[2] && !p.active[3];
  const bool lower = p.active[2] && p.active[3] && !p.active[0] && !p.active[1];
  if (upper || lower) {
    const int first = upper ? 0 : 2;
    const Status last = status[first];
    if (solve_pair(p, first, last, velocity)) return true;
    constexpr Status trials[4] = {open, slip_forward, slip_backward, stick};
    for (const Status trial : trials) {
      if (trial != last && solve_pair(p, first, trial, velocity)) return true;
    }
  }
  ++enumerations;
  return enumerate(p, velocity);
}

// Any set of active corners: all 4^m statuses, the last one first, each a small linear system.
// A free choice (two corners of a wall that stick at theta3 = 0) is settled by leaving out the
// dependent unknown.
[[gnu::noinline]] bool SliderCrankLoop::enumerate(const Linear& p, double* velocity) {
  int corner[4], count = 0;
  for (int c = 0; c < 4; ++c) {
    if (p.active[c]) corner[count++] = c;
  }
  double rows[8][3];  // normal rows first, tangential rows from 4
  double speed[8];    // of the free motion, the normal ones with the restitution term
  for (int k = 0; k < count; ++k) {
    const int c = corner[k];
    const double sy = side_y(c);
    const double n[3] = {sy * p.nx, sy * p.ny, p.normal3(c)};
    const double t[3] = {p.tx, p.ty, p.tangent3(c)};
    speed[k] = restitution * normal_speed_[c];
    speed[4 + k] = 0.0;
    for (int d = 0; d < 3; ++d) {
      rows[k][d] = n[d];
      rows[4 + k][d] = t[d];
      speed[k] += n[d] * p.free[d];
      speed[4 + k] += t[d] * p.free[d];
    }
  }
  double response[8][3];  // B times the transposed rows
  for (int k = 0; k < 8; ++k) {
    if ((k & 3) >= count) continue;
    response[k][0] = p.b11 * rows[k][0] + p.b12 * rows[k][1];
    response[k][1] = p.b21 * rows[k][0] + p.b22 * rows[k][1];
    response[k][2] = rows[k][2] / J3;
  }
  double largest_speed = 0.0;
  for (int k = 0; k < count; ++k) {
    largest_speed = std::fmax(largest_speed, std::fabs(speed[k]));
    largest_speed = std::fmax(largest_speed, std::fabs(speed[4 + k]));
  }

  int code_of_last = 0;
  for (int k = count - 1; k >= 0; --k) code_of_last = 4 * code_of_last + status[corner[k]];
  const int codes = 1 << (2 * count);
  for (int attempt = -1; attempt < codes; ++attempt) {
    const int code = attempt < 0 ? code_of_last : attempt;
    if (attempt == code_of_last) continue;

    // Unknowns: P of every closed corner (acting along n + ratio t), R of every sticking one.
    double A[8][9];
    int equation[8], unknown_of_normal[4], unknown_of_tangent[4], size = 0;
    double direction[8][3];
    Status trial[4];
    for (int k = 0; k < count; ++k) {
      trial[k] = static_cast<Status>((code >> (2 * k)) & 3);
      unknown_of_normal[k] = unknown_of_tangent[k] = -1;
      if (trial[k] == open) continue;
      const double ratio = trial[k] == stick ? 0.0 : (trial[k] == slip_forward ? -friction : friction);
      for (int d = 0; d < 3; ++d) direction[size][d] = response[k][d] + ratio * response[4 + k][d];
      unknown_of_normal[k] = size;
      equation[size++] = k;
      if (trial[k] == stick) {
        for (int d = 0; d < 3; ++d) direction[size][d] = response[4 + k][d];
        unknown_of_tangent[k] = size;
        equation[size++] = 4 + k;
      }
    }
    for (int r = 0; r < size; ++r) {
      const double* row = rows[equation[r]];
      for (int s = 0; s < size; ++s)
        A[r][s] = row[0] * direction[s][0] + row[1] * direction[s][1] + row[2] * direction[s][2];
      A[r][size] = -speed[equation[r]];
    }
    // Gauss-Jordan with full pivoting; pivots at round-off end it with the other unknowns zero.
    int pivot_column[8];
    bool used_row[8] = {}, used_column[8] = {};
    double x[8] = {};
    double first_pivot = 0.0;
    int rank = 0;
    int pivot_row[8];
    for (; rank < size; ++rank) {
      int row = -1, column = -1;
      double best = 0.0;
      for (int r = 0; r < size; ++r) {
        if (used_row[r]) continue;
        for (int s = 0; s < size; ++s) {
          if (!used_column[s] && std::fabs(A[r][s]) > best) {
            best = std::fabs(A[r][s]);
            row = r;
            column = s;
          }
        }
      }
      if (row < 0 || best < 1e-12 * first_pivot) break;
      if (rank == 0) first_pivot = best;
      used_row[row] = used_column[column] = true;
      pivot_row[rank] = row;
      pivot_column[rank] = column;
      for (int r = 0; r < size; ++r) {
        if (r == row) continue;
        const double factor = A[r][column] / A[row][column];
        for (int s = 0; s <= size; ++s) A[r][s] -= factor * A[row][s];
      }
    }
    for (int k = 0; k < rank; ++k) x[pivot_column[k]] = A[pivot_row[k]][size] / A[pivot_row[k]][pivot_column[k]];

    double trial_velocity[3] = {p.free[0], p.free[1], p.free[2]};
    for (int s = 0; s < size; ++s) {
      for (int d = 0; d < 3; ++d) trial_velocity[d] += direction[s][d] * x[s];
    }
    const double slack = velocity_slack + 1e-13 * largest_speed;
    bool valid = true;
    for (int k = 0; k < count && valid; ++k) {
      double UN = restitution * normal_speed_[corner[k]], UT = 0.0;
      for (int d = 0; d < 3; ++d) {
        UN += rows[k][d] * trial_velocity[d];
        UT += rows[4 + k][d] * trial_velocity[d];
      }
      if (trial[k] == open) {
        valid = UN >= -slack;
        continue;
      }
      const double P = x[unknown_of_normal[k]];
      valid = P >= -impulse_slack && std::fabs(UN) <= slack;
      if (trial[k] == stick) {
        valid = valid && std::fabs(UT) <= slack && std::fabs(x[unknown_of_tangent[k]]) <= friction * P + impulse_slack;
      } else {
        valid = valid && (trial[k] == slip_forward ? UT : -UT) >= -slack;
      }
    }
    if (!valid) continue;

    for (int k = 0; k < count; ++k) {
      const int c = corner[k];
      status[c] = trial[k];
      normal_impulse[c] = trial[k] == open ? 0.0 : x[unknown_of_normal[k]];
      tangential_impulse[c] = trial[k] == open           ? 0.0
                              : trial[k] == stick        ? x[unknown_of_tangent[k]]
                              : trial[k] == slip_forward ? -friction * normal_impulse[c]
                                                         : friction * normal_impulse[c];
    }
    for (int d = 0; d < 3; ++d) velocity[d] = trial_velocity[d];
    return true;
  }
  for (int d = 0; d < 3; ++d) velocity[d] = p.free[d];
  return false;
}

void SliderCrankLoop::step(double dt) {
  Linear p;
  bool contact = false;
  for (int c = 0; c < 4; ++c) {
    p.active[c] = gap_[c] + activation_gamma * dt * normal_speed_[c] <= 0.0;
    contact = contact || p.active[c];
    normal_impulse[c] = tangential_impulse[c] = 0.0;
    if (!p.active[c]) status[c] = open;
  }

  const double v0[3] = {v[0], v[1], v[2]};
  double w[3] = {v[0], v[1], v[2]};  // the iterate of v_1
  Trigonometry end = trig_;          // at q_1
  bool good = true;
  for (int iteration = 0;; ++iteration) {
    const double vm1 = 0.5 * (v0[0] + w[0]), vm2 = 0.5 * (v0[1] + w[1]);
    double sm1, cm1, sm2, cm2;
    sine_cosine(q[0] + 0.5 * dt * vm1, sm1, cm1);
    sine_cosine(q[1] + 0.5 * dt * vm2, sm2, cm2);
    const double M12 = coupling * (cm1 * cm2 + sm1 * sm2);
    const double gyration = coupling * (sm1 * cm2 - cm1 * sm2);
    const double h1 = -gyration * vm2 * vm2 - weight1 * cm1;
    const double h2 = gyration * vm1 * vm1 - weight2 * cm2;
    const double d1 = w[0] - v0[0], d2 = w[1] - v0[1];
    double r1 = dt * h1 - (M11 * d1 + M12 * d2);
    double r2 = dt * h2 - (M12 * d1 + M22 * d2);

    if (contact) {
      sine_cosine(q[0] + dt * vm1, end.s1, end.c1);
      sine_cosine(q[1] + dt * vm2, end.s2, end.c2);
      sine_cosine(q[2] + 0.5 * dt * (v0[2] + w[2]), end.s3, end.c3);
      p.directions(end);
    }
    if (iteration > 0) {
      const double inverse = 1.0 / (M11 * M22 - M12 * M12);
      const auto squared = [&](double x1, double x2) {  // of a momentum, in the norm of M^-1
        return (M22 * x1 * x1 - 2.0 * M12 * x1 * x2 + M11 * x2 * x2) * inverse;
      };
      const auto kinetic = [&](const double* u) {
        return M11 * u[0] * u[0] + 2.0 * M12 * u[0] * u[1] + M22 * u[1] * u[1] + J3 * u[2] * u[2];
      };
      double scale = std::sqrt(kinetic(v0)) + std::sqrt(kinetic(w)) + dt * std::sqrt(squared(h1, h2));
      double e1 = r1, e2 = r2, residual3 = 0.0;
      if (contact) {
        double f1 = 0.0, f2 = 0.0, f3 = 0.0;
        for (int c = 0; c < 4; ++c) {
          if (!p.active[c]) continue;
          const double P = normal_impulse[c], R = tangential_impulse[c];
          const double sP = side_y(c) * P;
          f1 += p.nx * sP + p.tx * R;
          f2 += p.ny * sP + p.ty * R;
          f3 += p.normal3(c) * P + p.tangent3(c) * R;
        }
        e1 += f1;
        e2 += f2;
        const double e3 = J3 * (w[2] - v0[2]) - f3;
        residual3 = e3 * e3 / J3;
        scale += std::sqrt(squared(f1, f2) + f3 * f3 / J3);
      }
      if (squared(e1, e2) + residual3 <= tolerance * tolerance * scale * scale) break;
      if (iteration == iteration_limit) {
        good = false;
        break;
      }
    }

    // Iteration matrix M - dt/2 dh/dv - dt^2/4 dh/dq and its inverse.
    const double half = 0.5 * dt, quarter = 0.25 * dt * dt;
    const double a11 = M11 - quarter * (weight1 * sm1 - M12 * vm2 * vm2);
    const double a12 = M12 + 2.0 * half * gyration * vm2 - quarter * M12 * vm2 * vm2;
    const double a21 = M12 - 2.0 * half * gyration * vm1 - quarter * M12 * vm1 * vm1;
    const double a22 = M22 - quarter * (weight2 * sm2 - M12 * vm1 * vm1);
    const double inverse = 1.0 / (a11 * a22 - a12 * a21);
    p.b11 = a22 * inverse;
    p.b12 = -a12 * inverse;
    p.b21 = -a21 * inverse;
    p.b22 = a11 * inverse;
    p.free[0] = w[0] + p.b11 * r1 + p.b12 * r2;
    p.free[1] = w[1] + p.b21 * r1 + p.b22 * r2;
    p.free[2] = v0[2];
    ++newton_iterations;
    if (contact) {
      if (!solve_contacts(p, w)) good = false;
    } else {
      for (int k = 0; k < 3; ++k) w[k] = p.free[k];
    }
  }

  for (int k = 0; k < 3; ++k) {
    q[k] += dt * (0.5 * (v0[k] + w[k]));
    v[k] = w[k];
  }
  if (!contact) {
    sine_cosine(q[0], end.s1, end.c1);
    sine_cosine(q[1], end.s2, end.c2);
    sine_cosine(q[2], end.s3, end.c3);
  }
  trig_ = end;
  ++steps;
  if (!good) ++failures;
  read_gaps();
}

void BallLoop::step(double dt) {
  const double free = v - dt * gravity;
  double next = free;
  if (q + 0.5 * dt * v <= 0.0 && free < -restitution * v) next = -restitution * v;
  q += dt * 0.5 * (v + next);
  v = next;
  if (q < deepest_gap) deepest_gap = q;
}

}  // namespace carom::hand_written
