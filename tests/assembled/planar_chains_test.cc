// Chains of the plane in joint coordinates, whose loops are written out: as in the loops of any tree, for chains on
// both sides of the length up to which they are.
#include <gtest/gtest.h>

#include <array>

#include "assembled/random_trees.h"

namespace carom::model {
namespace {

using testing::Random;
using testing::random_vector;

// A body on the ground, and on it the same chain, once or twice: twice they are a tree with branches.
Model chains(int links, unsigned seed, int copies, bool centred) {
  ModelBuilder m(Space::planar);
  m.set_coordinates(Coordinates::joint);
  m.set_gravity({1.0, -9.81, 0.0});
  const BodyRef root = m.add_body({.name = "root", .mass = 0.7, .inertia = 0.3 * Matrix3::Identity()});
  m.add_joint({.name = "bearing", .kind = "revolute", .a = m.ground().at({0.3, 0.2, 0}), .b = root.at({0.1, 0.4, 0})});
  for (int copy = 0; copy < copies; ++copy) {
    Random random(seed);
    const auto point = [&] {
      const Vector3 x = random_vector(random);
      return Vector3(x.x(), x.y(), 0.0);
    };
    const bool may_slide = seed % 4 < 2;  // chains that only turn have formulas of their own
    BodyRef last = root;
    for (int i = 0; i < links; ++i) {
      const std::string number = std::to_string(copy) + "_" + std::to_string(i);
      const bool tip = centred && i == links - 1;  // it turns about its own centre
      const bool slides = random(0.0, 1.0) < 0.5 && may_slide && !tip;
      BodySpec spec;
      spec.name = "body" + number;
      spec.mass = random(0.2, 3.0);
      spec.inertia = random(0.1, 1.0) * Matrix3::Identity();
      spec.weightless = random(0.0, 1.0) < 0.2;
      const BodyRef body = m.add_body(spec);
      SiteSpec a = last.at(point()), b = body.at(tip ? Vector3(Vector3::Zero()) : point());
      a.triad = rotation_matrix(quaternion_exp(Vector3(0, 0, random(-3.0, 3.0))));
      if (random(-1.0, 1.0) < 0.0) std::swap(a, b);
      m.add_joint({.name = "joint" + number, .kind = slides ? "prismatic" : "revolute", .a = a, .b = b});
      last = body;
    }
  }
  return m.build();
}

Matrix dense(const StructuredMatrix& matrix) {
  Matrix out = Matrix::Zero(matrix.size(), matrix.size());
  for (Index j = 0; j < matrix.size(); ++j) {
    const Vector unit = Vector::Unit(matrix.size(), j);
    matrix.multiply_add(1.0, unit.data(), out.data() + j * matrix.size());
  }
  return out;
}

// "joint0_2.angle" of the chain is "joint1_2.angle" of the second copy.
std::string of_copy(std::string name, std::size_t copy) {
  if (copy == 1 && name.starts_with("joint0")) name[5] = '1';
  return name;
}

TEST(PlanarChains, AreTheSameWrittenOutAndInLoops) {
  ContactSet no_contacts;
  ActiveSet none;
  none.reset(no_contacts);
  for (int links = 1; links <= 5; ++links)
    for (unsigned seed = 1; seed <= 8; ++seed) {
      const Model one = chains(links, seed, 1, seed % 2 == 0), two = chains(links, seed, 2, seed % 2 == 0);
      const auto& chain = dynamic_cast<const AssembledSystem&>(*one.system);
      const auto& tree = dynamic_cast<const AssembledSystem&>(*two.system);
      ASSERT_EQ(chain.frames().parts().size(), 1u);
      ASSERT_EQ(tree.frames().parts().size(), 1u);
      ASSERT_EQ(tree.nv(), 1 + 2 * links);
      Random random(100 * seed + static_cast<unsigned>(links));
      const Vector q = random.vector(1 + links, 3.0), v = random.vector(1 + links, 3.0);
      // By names: where the coordinates of each copy stand in the tree.
      std::array<std::vector<Index>, 2> places;
      for (std::size_t copy = 0; copy < 2; ++copy)
        for (Index i = 0; i < chain.nq(); ++i) {
          Index k = 0;
          while (tree.coordinate_name(k) != of_copy(chain.coordinate_name(i), copy)) ASSERT_LT(++k, tree.nq());
          places[copy].push_back(k);
        }
      Vector qq(1 + 2 * links), vv(1 + 2 * links);
      for (const auto& place : places) {
        qq(place) = q;
        vv(place) = v;
      }
      const Need all = Need::inertia | Need::force | Need::force_jacobian;
      Evaluation a, b;
      chain.evaluate(0.0, q, v, all, none, a);
      tree.evaluate(0.0, qq, vv, all, none, b);
      const auto expect_same = [&](const Matrix& x, const Matrix& y, const char* what) {
        EXPECT_LE((x - y).cwiseAbs().maxCoeff(), 1e-12 * (1.0 + x.cwiseAbs().maxCoeff()))
            << what << ", " << links << " links, seed " << seed;
      };
      // The root carries both chains; all else is the same.
      for (const auto& place : places) {
        const auto compare = [&](const StructuredMatrix& of_chain, const StructuredMatrix& of_tree, const char* what) {
          Matrix x = dense(of_chain), y = dense(of_tree)(place, place);
          x(0, 0) = y(0, 0) = 0.0;
          expect_same(x, y, what);
        };
        compare(a.M, b.M, "M");
        compare(a.dh_dq, b.dh_dq, "dh/dq");
        compare(a.dh_dv, b.dh_dv, "dh/dv");
        expect_same(a.h.tail(links), Vector(b.h(place)).tail(links), "h");
      }
      // One quantity after the other, in another order, at other states between: nothing remembered is mistaken.
      Evaluation alone;
      chain.evaluate(0.0, Vector(q + v), v, Need::force, none, alone);
      chain.evaluate(0.0, q, Vector(-v), Need::force_jacobian, none, alone);
      chain.evaluate(0.0, q, v, Need::force_jacobian, none, alone);
      chain.evaluate(0.0, q, v, Need::force, none, alone);
      chain.evaluate(0.0, q, v, Need::inertia, none, alone);
      EXPECT_EQ(dense(alone.M), dense(a.M));
      EXPECT_EQ(dense(alone.dh_dq), dense(a.dh_dq));
      EXPECT_EQ(alone.h, a.h);
      Placement here, there;
      chain.place(0.0, q, v, here);
      tree.place(0.0, qq, vv, there);
      for (Index i = 0; i < chain.frames().count(); ++i) {
        Index k = 0;
        while (tree.frames().name(k) != chain.frames().name(i)) ASSERT_LT(++k, tree.frames().count());
        const std::size_t f = static_cast<std::size_t>(i), g = static_cast<std::size_t>(k);
        expect_same(here.poses[f].R, there.poses[g].R, "R");
        expect_same(here.poses[f].x, there.poses[g].x, "x");
        expect_same(here.twists[f].velocity, there.twists[g].velocity, "velocity");
        expect_same(here.twists[f].omega, there.twists[g].omega, "omega");
        expect_same(here.rates[f].velocity, there.rates[g].velocity, "rate");
      }
    }
}

}  // namespace
}  // namespace carom::model
