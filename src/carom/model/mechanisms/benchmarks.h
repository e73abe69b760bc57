// Smooth mechanisms that programs for multibody dynamics are compared on, after M. Gonzalez, D. Dopico, U. Lugris, J.
// Cuadrado, A benchmarking system for MBS simulation software, Multibody System Dynamics 16 (2006), and the library of
// IFToMM's committee for multibody dynamics; Andrews' mechanism with the data of E. Hairer, G. Wanner, Solving Ordinary
// Differential Equations II, section VII.7. Each in maximal coordinates, or in those of its joints.
#pragma once

#include "carom/model/assembly/builder.h"

namespace carom::model {

// A point mass of 1 kg on a massless bar of 1 m, from the horizontal.
Model simple_pendulum(Coordinates coordinates);

// `windows` + 1 upright links of 1 m, 1 kg each, joined on top by `windows` couplers; the tops start with 1 m/s. All
// links of a kind stay parallel; where the mechanism lies flat it could branch into other motions.
Model four_bars(int windows, Coordinates coordinates);

// The squeezer: seven bodies, three loops, a spring and a motor; moves in milliseconds. Bodies K1 to K7 with the angles
// beta, beta + Theta, gamma, phi + delta, delta, Omega + epsilon, epsilon.
Model andrews(Coordinates coordinates);

// Six hinges whose axes are the edges of a cube, five rods of 1 m and 1 kg with a square section of 0.1 m: movable,
// though counting says it is not.
Model bricard(Coordinates coordinates);

// Watt's governor with stiff couplers: two balls of 5 kg on rods, a collar on the shaft, springs of 8e5 N/m and 4e4 N
// s/m between rod and collar.
Model governor(Coordinates coordinates);

// Crank, rod and slider whose crank turns in a plane across the slider's way.
Model spatial_slider_crank(Coordinates coordinates);

// Links of 0.1 m, 0.1 kg in a row along x, hanging from their first end, in the plane.
Model hanging_chain(int links, Coordinates coordinates);

}  // namespace carom::model
