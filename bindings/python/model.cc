// carom.Model: the ModelBuilder with its names, as keyword arguments.
#include "bindings.h"
#include "carom/carom.h"

namespace carom::python {

namespace {

using namespace py::literals;
using model::FlexibleRef;
using model::SiteSpec;

// A vector of two or three numbers: the third is zero in the plane.
Vector3 vector3(const std::vector<double>& x) {
  if (x.size() != 2 && x.size() != 3) throw py::value_error("a vector has two or three numbers");
  return {x[0], x[1], x.size() == 3 ? x[2] : 0.0};
}

// A number, three principal moments, or a matrix.
Matrix3 inertia_of(const py::object& given) {
  if (py::isinstance<py::float_>(given) || py::isinstance<py::int_>(given))
    return given.cast<double>() * Matrix3::Identity();
  const auto array = given.cast<py::array_t<double, py::array::c_style | py::array::forcecast>>();
  if (array.size() == 3) return Vector3(array.data()[0], array.data()[1], array.data()[2]).asDiagonal();
  if (array.size() != 9) throw py::value_error("an inertia is a number, three principal moments, or a 3 x 3 matrix");
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(array.data());
}

ContactParameters law_of(double restitution, double friction, double tangential_restitution,
                         const std::string& impact) {
  ContactParameters law{
      .restitution = restitution, .friction = friction, .tangential_restitution = tangential_restitution};
  if (impact == "poisson")
    law.impact = ImpactLaw::poisson;
  else if (impact == "passive")
    law.impact = ImpactLaw::passive;
  else if (impact != "newton")
    throw py::value_error("impact is 'newton', 'poisson' or 'passive'");
  return law;
}

// What a load function sees of a site.
struct SiteView {
  Vector3 position, velocity, spin;
};

}  // namespace

void bind_model(py::module_& module) {
  py::class_<SiteSpec>(module, "Site", "A place on a body or the ground.")
      .def(
          "with_axis", [](const SiteSpec& s, const std::vector<double>& z) { return s.with_axis(vector3(z)); },
          "axis"_a)
      .def(
          "sliding_along", [](const SiteSpec& s, const std::vector<double>& x) { return s.sliding_along(vector3(x)); },
          "axis"_a);
  py::class_<BodyRef>(module, "Body")
      .def(
          "at", [](const BodyRef& b, const std::vector<double>& point) { return b.at(vector3(point)); }, "point"_a,
          "A point in the body's frame; the centre of mass is its origin.");
  py::class_<SiteView>(module, "SiteMotion")
      .def_readonly("position", &SiteView::position)
      .def_readonly("velocity", &SiteView::velocity)
      .def_readonly("spin", &SiteView::spin);

  py::class_<ContactParameters>(module, "Contact", "The numbers of a contact.")
      .def(py::init(&law_of), "restitution"_a = 0.0, "friction"_a = 0.0, "tangential_restitution"_a = 0.0,
           "impact"_a = "newton")
      .def_readonly("restitution", &ContactParameters::restitution)
      .def_readonly("friction", &ContactParameters::friction);

  py::class_<geometry::Shape>(module, "Shape");
  module.def(
      "sphere", [](double radius) { return geometry::Shape(geometry::Sphere(radius)); }, "radius"_a);
  module.def(
      "box", [](const std::vector<double>& size) { return geometry::Shape(geometry::Box(0.5 * vector3(size))); },
      "size"_a, "A box by its three edges.");
  module.def(
      "disc", [](double radius) { return geometry::Shape(geometry::Disc(radius)); }, "radius"_a);
  module.def(
      "polygon", [](const std::vector<Eigen::Vector2d>& points) { return geometry::Shape(geometry::Polygon(points)); },
      "points"_a);
  module.def(
      "cylinder",
      [](double radius, double length) { return geometry::Shape(geometry::Cylinder(radius, 0.5 * length)); },
      "radius"_a, "length"_a);
  module.def(
      "capsule", [](double radius, double length) { return geometry::Shape(geometry::Capsule(radius, 0.5 * length)); },
      "radius"_a, "length"_a);
  module.def(
      "half_space",
      [](const std::vector<double>& normal, double offset) {
        return geometry::Shape(geometry::HalfSpace(vector3(normal), offset));
      },
      "normal"_a = std::vector<double>{0, 0, 1}, "offset"_a = 0.0);
  module.def(
      "half_plane",
      [](const Eigen::Vector2d& normal, double offset) { return geometry::Shape(geometry::HalfPlane(normal, offset)); },
      "normal"_a = Eigen::Vector2d(0, 1), "offset"_a = 0.0);

  py::class_<ModelBuilder>(module, "ModelBuilder")
      .def(py::init([](const std::string& space) {
             if (space != "planar" && space != "spatial") throw py::value_error("a model is 'planar' or 'spatial'");
             return ModelBuilder(space == "planar" ? Space::planar : Space::spatial);
           }),
           "space"_a = "planar")
      .def(
          "set_gravity", [](ModelBuilder& m, const std::vector<double>& g) { m.set_gravity(vector3(g)); }, "gravity"_a)
      .def(
          "set_coordinates",
          [](ModelBuilder& m, const std::string& word) {
            if (word != "maximal" && word != "joint") throw py::value_error("coordinates are 'maximal' or 'joint'");
            m.set_coordinates(word == "joint" ? model::Coordinates::joint : model::Coordinates::maximal);
          },
          "coordinates"_a)
      .def("ground", &ModelBuilder::ground)
      .def(
          "add_body",
          [](ModelBuilder& m, const std::string& name, double mass, const py::object& inertia,
             const std::vector<double>& position, double angle, const std::optional<std::vector<double>>& orientation,
             const std::vector<double>& velocity, const std::vector<double>& spin, bool weightless) {
            model::BodySpec body{.name = name,
                                 .mass = mass,
                                 .inertia = inertia_of(inertia),
                                 .position = vector3(position),
                                 .angle = angle,
                                 .velocity = vector3(velocity),
                                 .spin = vector3(spin),
                                 .weightless = weightless};
            if (orientation) {
              if (orientation->size() != 4) throw py::value_error("an orientation is a unit quaternion, scalar first");
              body.orientation = {(*orientation)[0], (*orientation)[1], (*orientation)[2], (*orientation)[3]};
            }
            return m.add_body(std::move(body));
          },
          py::kw_only(), "name"_a, "mass"_a, "inertia"_a, "position"_a = std::vector<double>{0, 0, 0}, "angle"_a = 0.0,
          "orientation"_a = py::none(), "velocity"_a = std::vector<double>{0, 0, 0},
          "spin"_a = std::vector<double>{0, 0, 0}, "weightless"_a = false)
      .def(
          "add_joint",
          [](ModelBuilder& m, const std::string& name, const std::string& kind, const SiteSpec& a, const SiteSpec& b,
             const std::optional<std::pair<double, double>>& start,
             const std::optional<std::pair<double, double>>& friction) {
            model::JointSpec joint{.name = name, .kind = kind, .a = a, .b = b};
            if (start) joint.start = model::CoordinateStart{start->first, start->second};
            if (friction) joint.friction = model::JointFriction{friction->first, friction->second};
            m.add_joint(std::move(joint));
          },
          py::kw_only(), "name"_a, "kind"_a, "a"_a, "b"_a, "start"_a = py::none(), "friction"_a = py::none(),
          "start: value and rate of the first coordinate. friction: coefficient and radius.")
      .def(
          "add_limit",
          [](ModelBuilder& m, const std::string& joint, std::optional<double> lower, std::optional<double> upper,
             double restitution) {
            m.add_limit({.joint = joint, .lower = lower, .upper = upper, .restitution = restitution});
          },
          py::kw_only(), "joint"_a, "lower"_a = py::none(), "upper"_a = py::none(), "restitution"_a = 0.0)
      .def(
          "add_spring",
          [](ModelBuilder& m, const std::string& name, const std::optional<SiteSpec>& a,
             const std::optional<SiteSpec>& b, const std::string& joint, double stiffness, double damping,
             double preload, std::optional<double> free_length,
             const std::function<double(double, double, double)>& drive) {
            model::SpringSpec spring{.name = name,
                                     .joint = joint,
                                     .stiffness = stiffness,
                                     .damping = damping,
                                     .preload = preload,
                                     .free_length = free_length,
                                     .drive = drive};
            if (a) spring.a = *a;
            if (b) spring.b = *b;
            m.add_spring(std::move(spring));
          },
          py::kw_only(), "name"_a, "a"_a = py::none(), "b"_a = py::none(), "joint"_a = "", "stiffness"_a = 0.0,
          "damping"_a = 0.0, "preload"_a = 0.0, "free_length"_a = py::none(), "drive"_a = nullptr,
          "Between two sites, or along a joint. drive(t, elongation, rate): any force of one's own.")
      .def(
          "add_load",
          [](ModelBuilder& m, const std::string& name, const SiteSpec& site, const py::function& load) {
            m.add_load({.name = name, .site = site, .load = [load](double t, std::span<const model::SiteMotion> seen) {
                          const py::gil_scoped_acquire lock;
                          const SiteView view{seen[0].position, seen[0].velocity, seen[0].spin};
                          const py::object answer = load(t, view);
                          if (py::isinstance<py::tuple>(answer)) {
                            const auto both = answer.cast<std::pair<std::vector<double>, std::vector<double>>>();
                            return model::Load{vector3(both.first), vector3(both.second)};
                          }
                          return model::Load{vector3(answer.cast<std::vector<double>>()), Vector3::Zero()};
                        }});
          },
          py::kw_only(), "name"_a, "site"_a, "load"_a,
          "load(t, motion) returns a force [x, y, z], or a tuple of force and torque.")
      .def(
          "add_input",
          [](ModelBuilder& m, const std::string& name, const std::string& joint, const std::optional<SiteSpec>& site,
             const std::vector<double>& force, const std::vector<double>& torque) {
            model::InputSpec input{.name = name, .joint = joint, .force = vector3(force), .torque = vector3(torque)};
            if (site) input.site = *site;
            m.add_input(input);
          },
          py::kw_only(), "name"_a, "joint"_a = "", "site"_a = py::none(), "force"_a = std::vector<double>{0, 0, 0},
          "torque"_a = std::vector<double>{0, 0, 0})
      .def(
          "add_drive",
          [](ModelBuilder& m, const std::string& joint,
             const std::function<std::tuple<double, double, double>(double)>& motion, bool velocity_level) {
            m.add_drive({.joint = joint,
                         .motion =
                             [motion](double t) {
                               const auto [value, rate, second] = motion(t);
                               return Prescribed{value, rate, second};
                             },
                         .velocity_level = velocity_level});
          },
          py::kw_only(), "joint"_a, "motion"_a, "velocity_level"_a = false,
          "motion(t) returns value, rate and second derivative.")
      .def(
          "add_guide",
          [](ModelBuilder& m, const std::string& name, const SiteSpec& guide, const SiteSpec& block, double half_length,
             double half_height, double clearance, const ContactParameters& law) {
            m.add_guide({.name = name,
                         .guide = guide,
                         .block = block,
                         .half_length = half_length,
                         .half_height = half_height,
                         .clearance = clearance,
                         .law = law});
          },
          py::kw_only(), "name"_a, "guide"_a, "block"_a, "half_length"_a, "half_height"_a, "clearance"_a, "law"_a)
      .def(
          "add_clearance",
          [](ModelBuilder& m, const std::string& name, const SiteSpec& pin, const SiteSpec& bore, double pin_radius,
             double bore_radius, double pin_length, std::optional<double> axial_play, const ContactParameters& law) {
            m.add_clearance({.name = name,
                             .pin = pin,
                             .bore = bore,
                             .pin_radius = pin_radius,
                             .bore_radius = bore_radius,
                             .pin_length = pin_length,
                             .axial_play = axial_play,
                             .law = law});
          },
          py::kw_only(), "name"_a, "pin"_a, "bore"_a, "pin_radius"_a, "bore_radius"_a, "pin_length"_a = 0.0,
          "axial_play"_a = py::none(), "law"_a)
      .def(
          "add_surface",
          [](ModelBuilder& m, const BodyRef& body, const geometry::Shape& shape, const std::string& name,
             const std::string& material, const std::vector<double>& position) {
            Pose pose;
            pose.x = vector3(position);
            m.add_surface({.name = name, .body = body.number, .shape = shape, .pose = pose, .material = material});
          },
          py::kw_only(), "body"_a, "shape"_a, "name"_a = "", "material"_a = "",
          "position"_a = std::vector<double>{0, 0, 0})
      .def(
          "set_default_contact",
          [](ModelBuilder& m, const std::optional<ContactParameters>& law) { m.set_default_contact(law); }, "law"_a)
      .def(
          "add_contact",
          [](ModelBuilder& m, const std::string& a, const std::string& b, const std::optional<ContactParameters>& law) {
            m.add_contact({.a = a, .b = b, .law = law});
          },
          py::kw_only(), "a"_a, "b"_a, "law"_a);
}

}  // namespace carom::python
