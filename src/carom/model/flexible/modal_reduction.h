// The lowest modes of a structure K phi = w^2 M phi, mass-normalised (phi' M phi = 1), and the subspace they span
// as a small structure of its own: q = Phi eta, M -> I, K -> diag(w^2).
//
// Modes alone are slow to show the local flexibility at a contact. With a contact direction f the residual
// flexibility r = A^-1 f - Phi (Phi' A Phi)^-1 Phi' f joins the basis: then the static deflection under a force
// along f is exact. A = K, or K - sigma M with a small sigma < 0 where the structure can move freely and K is
// singular. The joined basis is made modal again, so that the reduced matrices stay diagonal.
//
// Method: shift-and-invert Lanczos (Spectra) about the same A, or all modes of the dense problem where nearly all
// are wanted. References: R. R. Craig, M. C. C. Bampton, Coupling of substructures for dynamic analyses, AIAA J. 6
// (1968); R. H. MacNeal, A hybrid method of component mode synthesis, Comput. Struct. 1 (1971).
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "carom/base/types.h"

namespace carom {

struct ModalBasis {
  Matrix Phi;          // one mode a column
  Vector frequencies;  // w, rad/s, ascending
};

// `modes` lowest ones, and one more for every correction direction. Throws InputError if M is not positive
// definite, K or M not symmetric, or the modes cannot be found.
ModalBasis modal_basis(const Eigen::SparseMatrix<double>& M, const Eigen::SparseMatrix<double>& K, Index modes,
                       const std::vector<Vector>& correction_directions = {});

}  // namespace carom
