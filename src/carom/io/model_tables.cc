// The lists of fields, one after the other as a file has them.
#include <algorithm>

#include "carom/inclusion/inclusion_solver.h"
#include "carom/io/fields.h"
#include "carom/laws/law_words.h"
#include "carom/model/joints/joint_kind.h"
#include "carom/schemes/scheme.h"

namespace carom::inline io {

namespace {

using Fields = std::vector<FieldSpec>;

FieldSpec quantity(std::string name, std::string unit, std::string doc) {
  return {std::move(name), FieldKind::quantity, std::move(unit), std::move(doc), {}};
}
FieldSpec vector(std::string name, std::string unit, std::string doc) {
  return {std::move(name), FieldKind::vector, std::move(unit), std::move(doc), {}};
}
FieldSpec formula(std::string name, std::string unit, std::string doc) {
  return {std::move(name), FieldKind::formula, std::move(unit), std::move(doc), {}};
}
FieldSpec kind(FieldKind k, std::string name, std::string doc, std::string unit = "") {
  return {std::move(name), k, std::move(unit), std::move(doc), {}};
}
FieldSpec text(std::string name, std::string doc) { return kind(FieldKind::text, std::move(name), std::move(doc)); }
FieldSpec table(std::string name, std::string doc) { return kind(FieldKind::table, std::move(name), std::move(doc)); }
FieldSpec flag(std::string name, std::string doc) {
  return kind(FieldKind::flag, std::move(name), std::move(doc)).or_else("false");
}
FieldSpec whole(std::string name, std::string doc) { return kind(FieldKind::whole, std::move(name), std::move(doc)); }
FieldSpec word(std::string name, std::vector<std::string> words, std::string doc) {
  FieldSpec field = kind(FieldKind::word, std::move(name), std::move(doc));
  field.words = std::move(words);
  return field;
}

Fields operator+(Fields a, const Fields& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Fields where = {
    kind(FieldKind::names, "between",
         "the two places it joins, as \"body.POINT\" or \"ground.POINT\"; a body alone is its origin")
        .needed(),
};

// What every joint of joints.def takes.
Fields joint_fields(const model::JointKind& joint) {
  Fields fields = {text("type", "the kind of joint").needed()};
  fields = fields + where;
  fields.push_back(vector(
      "point", "m", "instead of named points: where both are held together, in the world, as the bodies are placed"));
  fields.push_back(vector("point_a", "m", "instead of named points: in the frame of the first"));
  fields.push_back(vector("point_b", "m", "instead of named points: in the frame of the second"));
  fields.push_back(kind(FieldKind::mixed, "axis",
                        "of turning or sliding: \"x\", \"y\", \"z\" or a direction, in the frames of both bodies at "
                        "named points, in the world "
                        "at a `point`; in the plane the direction of sliding")
                       .or_else("z; sliding in the plane: x"));
  fields.push_back(kind(FieldKind::mixed, "axis_b",
                        joint.name == "universal"
                            ? "the second axis, across the first: in the frame of the second body at named points, in "
                              "the world at a `point`"
                            : "the same direction seen from the second body, where it differs"));
  if (!joint.spatial_coordinates.empty() || !joint.planar_coordinates.empty()) {
    fields.push_back(table("limits", "{ lower, upper, restitution }: stops of its first coordinate"));
    fields.push_back(table("friction",
                           "{ coefficient, radius, preload }: dry friction by the force that presses it; radius of the "
                           "pin where it turns. "
                           "{ torque } or { force }: whatever it carries"));
    fields.push_back(table("drive", "its motion or its motor, as in [drive.NAME]"));
    fields.push_back(table("spring", "{ stiffness, damping, rest, preload } along its first coordinate"));
  }
  return fields;
}

std::vector<TableSpec> make_tables() {
  std::vector<TableSpec> tables;
  const auto add = [&](std::string path, std::string title, Fields fields, bool named = false,
                       std::string example = {}) {
    tables.push_back({std::move(path), std::move(title), std::move(fields), std::move(example), named});
  };
  add("", "The file",
      {whole("schema", "the format the file is written in").needed().or_else("1"),
       text("title", "what it is about").or_else("the file's name"),
       kind(FieldKind::names, "include", "files of the same folder whose tables are put in"),
       kind(FieldKind::names, "allow", "codes of warnings that are not shown")});
  add("units", "How numbers are written",
      {word("bare", {"forbid", "SI"},
            "whether numbers without unit may stand where a quantity is wanted: then they are in kg, m, s, N, rad")
           .or_else("forbid"),
       table("report", "units of printed summaries: length, angle, time, mass, force, impulse, energy, velocity")});
  add("parameters", "Numbers for the rest of the file, changed by --set NAME=VALUE",
      {kind(FieldKind::mixed, "NAME", "a quantity or formula, or { value, min, max, doc }")});
  add("world", "The space all is in",
      {whole("dimension", "2: the x-y plane, turning about z; 3: space").within(2, 3).or_else("3"),
       vector("gravity", "m/s^2", "acceleration of free fall").or_else("zero"),
       word("coordinates", {"maximal", "joint"},
            "joint: trees of ideal joints have the coordinates of their joints; only what closes a loop stays a "
            "constraint")
           .or_else("maximal")});
  add("ground", "The fixed world",
      {table("points", "named points: O = [0, 0]"), table("shape", "shapes of the ground: shape.NAME = { type, ... }"),
       text("material", "of all its shapes")});
  add("body", "A rigid body",
      {quantity("mass", "kg", "its mass").positive(),
       kind(FieldKind::mixed, "inertia",
            "about the centre of mass: one number in the plane; [Ixx, Iyy, Izz] or with [.., Ixy, Ixz, Iyz] in space; "
            "left "
            "out, the mass is spread over the shapes",
            "kg*m^2"),
       quantity("density", "kg/m^3", "instead of mass and inertia: those of its shapes; in the plane kg/m^2")
           .positive(),
       table("points", "named points in the body frame: P = [0.1, 0]"),
       table("shape", "its shape { type, ... }, or several: shape.NAME = { type, ... }"),
       text("material", "what its shapes are made of; contact laws are between materials").or_else("the body's name"),
       vector("position", "m", "of the body's origin at the start; found by the joints if left out"),
       kind(FieldKind::mixed, "orientation",
            "in space: { axis, angle }, { euler_zyx = [..] } or a unit quaternion, scalar first"),
       quantity("angle", "rad", "in the plane, instead of the orientation"),
       vector("velocity", "m/s", "of the centre of mass at the start"),
       kind(FieldKind::mixed, "spin",
            "angular velocity at the start: one number in the plane, in the body frame in space", "rad/s"),
       flag("weightless", "gravity does not act on it"),
       word(
           "formulation", {"quaternion", "scalable", "affine"},
           "its coordinates in space: a unit quaternion; scalable: one of any length, its unit length a joint; affine: "
           "three axes, six joints")
           .or_else("quaternion"),
       table("motion", "a body that is moved from outside: formulas of t for x, y, z and angle (about `axis`)"),
       whole("count", "so many of them, NAME0, NAME1, ...; formulas may use i").within(1, 100000)},
      true,
      "[body.crank]\nmass = \"38 g\"\ninertia = \"7.4e-5 kg*m^2\"\npoints = { O = [\"-L1/2\", 0], P = [\"L1/2\", 0] }");
  const Fields placed = {vector("at", "m", "where the shape's own origin lies in the body").or_else("zero"),
                         kind(FieldKind::mixed, "orientation", "in space, as of bodies"),
                         quantity("angle", "rad", "in the plane"),
                         text("color", "for pictures"),
                         text("material", "if it differs from the body's"),
                         flag("picture", "only for pictures: it touches nothing and has no mass")};
  const auto shape = [&](const char* type, const char* title, Fields own) {
    add(std::string("shape.") + type, title, Fields{text("type", "the kind of shape").needed()} + own + placed);
  };
  shape("sphere", "A ball", {quantity("radius", "m", "its radius").positive().needed()});
  shape("box", "A box; in the plane a rectangle",
        {vector("size", "m", "length, width, height; in the plane the third is for pictures").needed()});
  shape("capsule", "A cylinder along z with round ends",
        {quantity("radius", "m", "its radius").positive().needed(),
         quantity("length", "m", "between the centres of its ends").positive().needed()});
  shape("cylinder", "A cylinder along z",
        {quantity("radius", "m", "its radius").positive().needed(),
         quantity("length", "m", "along z").positive().needed()});
  shape("hull", "The convex hull of points in space",
        {kind(FieldKind::list, "points", "a list of [x, y, z]", "m").needed()});
  shape("disc", "A disc in the plane", {quantity("radius", "m", "its radius").positive().needed()});
  shape("polygon", "The convex hull of points in the plane",
        {kind(FieldKind::list, "points", "a list of [x, y]", "m").needed()});
  shape("profile", "A smooth closed outline in the plane: cams",
        {kind(FieldKind::list, "points",
              "a list of [x, y] that goes round once, anticlockwise; a smooth curve runs through them", "m"),
         formula("radius", "m", "instead of points: a formula of phi, from 0 to 2 pi"),
         whole("samples", "points taken of the formula").within(8, 10000).or_else("360")});
  shape("involute", "A flank of a gear's tooth in the plane: the involute of a circle, the tooth anticlockwise of it",
        {quantity("base_radius", "m", "of the circle it is unrolled from").positive().needed(),
         quantity("from", "rad", "roll angle of its foot: there it is base_radius*sqrt(1 + from^2) from the centre")
             .positive()
             .needed(),
         quantity("to", "rad", "roll angle of its tip").positive().needed(),
         kind(FieldKind::flag, "mirrored", "the other flank: the tooth clockwise of it").or_else("false")});
  shape("half_space", "All below a plane, for the ground",
        {vector("normal", "1", "out of the solid").or_else("up: z in space, y in the plane")});
  add("plane", "An endless wall of the ground",
      {vector("point", "m", "on it").or_else("zero"),
       vector("normal", "1", "out of the wall, to where bodies may be").or_else("z; in the plane y"),
       text("material", "contact laws are between materials").or_else("the plane's name")},
      true);

  for (const model::JointKind* joint : model::joint_kinds().entries()) {
    if (joint->transmission) continue;  // below
    const char* example =
        joint->name == "revolute" ? "[joint.bearing]\ntype = \"revolute\"\nbetween = [\"ground.O\", \"crank.O\"]" : "";
    add("joint." + joint->name, joint->title, joint_fields(*joint), true, example);
  }
  const Fields held = Fields{text("type", "the kind of joint").needed()} + where;
  const Fields axes = {kind(FieldKind::mixed, "axis", "\"x\", \"y\", \"z\" or a direction in the frames of both"),
                       kind(FieldKind::mixed, "axis_b", "seen from the second body, where it differs")};
  const FieldSpec law = text("law", "of its contacts: a table [law.NAME]").needed();
  const FieldSpec play_restitution =
      quantity("restitution", "1", "of the blows of its flanks").within(0, 1).or_else("0");
  add("joint.screw", "A nut on its bolt: turning and sliding along one axis, coupled",
      held + axes + Fields{quantity("pitch", "m", "way of one turn").needed()}, true);
  const Fields two_joints = {text("type", "the kind of joint").needed(),
                             kind(FieldKind::names, "joints", "two joints, or JOINT.COORDINATE").needed()};
  add("joint.gear", "Two joints move in a fixed ratio: gears, belts",
      two_joints +
          Fields{kind(FieldKind::quantity, "ratio", "first = ratio * second, counted from the start", "?").needed()},
      true);
  add("joint.rack", "A pinion on its rack",
      two_joints +
          Fields{quantity("ratio", "m/rad", "pitch radius: displacement of the second = ratio * angle of the first")
                     .needed()},
      true);
  add("joint.gear_backlash", "The same with play between the flanks",
      two_joints + Fields{kind(FieldKind::quantity, "ratio", "first = ratio * second", "?").needed(),
                          kind(FieldKind::quantity, "backlash", "the whole play, seen at the first", "?").needed(),
                          play_restitution},
      true);
  add("joint.revolute_clearance", "A pin loose in its bore; in space it can tilt",
      held + axes +
          Fields{quantity("pin_radius", "m", "of the pin, on the first body").positive(),
                 quantity("bore_radius", "m", "of the bore, on the second").positive(),
                 quantity("clearance", "m", "bore less pin radius; two of the three").positive(),
                 quantity("length", "m", "of the pin along its axis, in space").positive(),
                 quantity("axial_play", "m", "in all, between shoulders; without it the pin slides out freely")
                     .not_negative(),
                 law},
      true,
      "[joint.crankpin]\ntype = \"revolute-clearance\"\nbetween = [\"crank.P\", \"rod.P\"]    # pin, bore\nbore_radius "
      "= \"10 mm\"\nclearance = \"0.5 mm\"\nlaw = \"steel\"");
  add("joint.spherical_clearance", "A ball loose in its socket",
      held + Fields{quantity("ball_radius", "m", "of the ball, on the first body").positive(),
                    quantity("socket_radius", "m", "of the socket, on the second").positive(),
                    quantity("clearance", "m", "socket less ball radius; two of the three").positive(), law},
      true);
  add("joint.prismatic_clearance",
      "A block loose in a straight guide: contacts NAME.c1 ... NAME.c4 at its corners, in space NAME.c1 ... NAME.c8 in "
      "a rectangular channel",
      held + axes +
          Fields{quantity("half_length", "m", "of the block, along the guide").positive().needed(),
                 quantity("half_height", "m", "of the block, across it").positive().needed(),
                 quantity("half_width", "m", "of the block in space, along z of the guide").positive(),
                 quantity("clearance", "m", "on each side").positive().needed(), law},
      true);
  add("joint.face", "A point that may touch a face: stops, latches",
      held + Fields{kind(FieldKind::mixed, "normal",
                         "of the face, in the frame of the second body: \"x\", \"y\", \"z\" or a direction")
                        .or_else("z; in the plane y"),
                    kind(FieldKind::mixed, "along", "in space: the direction from and to are counted in").or_else("x"),
                    quantity("from", "m", "where the face begins, along it").or_else("no end"),
                    quantity("to", "m", "where it ends").or_else("no end"),
                    quantity("depth", "m", "a point deeper below, come in from the side, does not touch")
                        .positive()
                        .or_else("any"),
                    law},
      true,
      "[joint.latch]\ntype = \"face\"\nbetween = [\"hook.L\", \"lever.L\"]    # point, face\nnormal = \"y\"\nfrom = "
      "\"-6 mm\"\nto = \"1 mm\"\ndepth = \"0.1 mm\"\nlaw = \"steel\"");
  add("joint.limits", "Stops of a joint coordinate",
      {kind(FieldKind::quantity, "lower", "smallest value", "?"),
       kind(FieldKind::quantity, "upper", "largest value", "?"),
       quantity("restitution", "1", "of its blows").within(0, 1).or_else("0")});
  add("joint.friction",
      "Dry friction of a joint: coefficient * (reaction + preload), times the radius where it turns, and what it has "
      "whatever it carries; the second part alone is also there in joint coordinates",
      {quantity("coefficient", "1", "of friction by the force that presses").not_negative(),
       quantity("radius", "m", "of the rubbing surface where it turns").positive(),
       quantity("preload", "N", "presses beside the reaction").not_negative(),
       quantity("torque", "N*m", "constant, of a joint that turns: of a seal").not_negative(),
       quantity("force", "N", "constant, of a joint that slides").not_negative()},
      false,
      "[joint.hinge]\ntype = \"revolute\"\nbetween = [\"ground.O\", \"door.O\"]\nfriction = { torque = \"0.1 N*m\" }");
  add("joint.spring", "A spring along a joint coordinate",
      {kind(FieldKind::quantity, "stiffness", "per coordinate", "?").or_else("0"),
       kind(FieldKind::quantity, "damping", "per rate", "?").or_else("0"),
       kind(FieldKind::quantity, "rest", "where it is free", "?").or_else("0"),
       kind(FieldKind::quantity, "preload", "constant, in the direction of the coordinate", "?").or_else("0")});
  add("drive", "What moves a joint: a prescribed motion, or a motor",
      {text("joint", "a joint, or JOINT.COORDINATE").needed(), formula("angle", "rad", "prescribed: a formula of t"),
       formula("displacement", "m", "prescribed: a formula of t"),
       formula("rate", "?", "prescribed on velocity level: a formula of t"),
       formula("torque", "N*m", "of a motor: a formula of t and of the joint's own angle and rate"),
       formula("force", "N", "the same of a sliding joint, with displacement and rate")},
      true, "[drive.motor]\njoint = \"bearing\"\ntorque = \"2 N*m * (1 - rate/(1500 rpm))\"");
  add("input", "A number that a controller or another program sets while the model is stepped: a force or a torque",
      {text("joint", "a joint, or JOINT.COORDINATE, along whose coordinate it acts"),
       text("at", "body.POINT at which it acts instead"),
       kind(FieldKind::mixed, "force",
            "it is a force in this direction of the world: \"x\", \"y\", \"z\" or components"),
       kind(FieldKind::mixed, "torque", "it is a torque about this direction of the world; in the plane \"z\""),
       kind(FieldKind::quantity, "start", "its value until it is set: a force or a torque", "?").or_else("0")},
      true, "[input.motor]\njoint = \"bearing\"      # a torque, as the bearing turns");
  const Fields ends = Fields{text("type", "the kind of force").needed()};
  add("force.spring_damper", "A spring and a damper between two points",
      ends + where +
          Fields{quantity("stiffness", "N/m", "per elongation").not_negative().or_else("0"),
                 quantity("damping", "N*s/m", "per rate").not_negative().or_else("0"),
                 quantity("free_length", "m", "without force").positive().or_else("its length at the start"),
                 quantity("preload", "N", "pushes apart, at any length").or_else("0"),
                 word("acts", {"both_ways", "pulling", "pushing"}, "a rope only pulls, a bumper only pushes")
                     .or_else("both_ways")},
      true,
      "[force.spring]\ntype = \"spring-damper\"\nbetween = [\"ground.A\", \"lever.A\"]\nstiffness = \"2 "
      "N/mm\"\nfree_length = \"40 mm\"");
  add("force.torsion", "A spring and a damper against the turn of the second about the axis of the first",
      ends + where +
          Fields{kind(FieldKind::mixed, "axis", "in space: \"x\", \"y\", \"z\" or a direction, in the frames of both")
                     .or_else("z"),
                 quantity("stiffness", "N*m/rad", "per turn").not_negative().or_else("0"),
                 quantity("damping", "N*m*s/rad", "per rate").not_negative().or_else("0"),
                 quantity("rest", "rad", "where it is free").or_else("0"),
                 quantity("preload", "N*m", "on the second, at any turn").or_else("0")},
      true);
  add("force.bushing", "Springs and dampers along and about three axes, for small turns",
      ends + where +
          Fields{kind(FieldKind::mixed, "stiffness", "one number or three", "N/m"),
                 kind(FieldKind::mixed, "damping", "one number or three", "N*s/m"),
                 kind(FieldKind::mixed, "turning_stiffness", "one number or three", "N*m/rad"),
                 kind(FieldKind::mixed, "turning_damping", "one number or three", "N*m*s/rad")},
      true);
  add("force.load", "A force and a torque at a point, by formulas of t and of the motion of points",
      ends + Fields{text("at", "body.POINT").needed(), kind(FieldKind::vector_of_formulas, "force", "components", "N"),
                    kind(FieldKind::mixed, "torque", "one formula in the plane, three in space", "N*m"),
                    word("axes", {"world", "body"}, "in whose components").or_else("world")},
      true, "[force.drag]\ntype = \"load\"\nat = \"slider.W\"\nforce = [\"-5 N*s/m * slider.vx\", 0]");
  add("contact", "The law between two materials; without `between` that of all pairs without a table of their own",
      {kind(FieldKind::names, "between", "two bodies, planes or materials"),
       text("law", "a table [law.NAME], or \"none\": these do not touch").needed()},
      true);
  add("contact.linear_body", "A contact of a linear body, by its degrees of freedom",
      {whole("dof", "counted from 1, as in the matrix files").within(1, 1e9).needed(),
       quantity("gap", "m", "at no displacement").needed(),
       whole("sign", "1 if the gap grows with the displacement, or -1").within(-1, 1).or_else("1"),
       kind(FieldKind::list, "tangents", "degrees of freedom along the surface", "1"),
       text("law", "a table [law.NAME]").needed()},
      true);
  add("law", "A contact law",
      {table("normal", "{ type, restitution }").needed(),
       table("tangential", "{ type, friction, ... }; none: no friction")},
      true,
      "[law.steel]\nnormal = { type = \"newton\", restitution = 0.4 }\ntangential = { type = \"coulomb\", friction = "
      "0.1 }");
  add("law.normal", "Across the surface",
      {word("type", law_types("normal"), "how a blow ends").or_else("passive"),
       quantity("restitution", "1", "part of the approach that comes back").within(0, 1).needed()});
  add("law.tangential", "Along the surface",
      {word("type", law_types("tangential"), "kind of friction").or_else("coulomb"),
       quantity("friction", "1", "coefficient of friction").not_negative().needed(),
       quantity("restitution", "1", "of tangential blows").within(0, 1).or_else("0"),
       quantity("spin_radius", "m", "mean friction radius of the patch, 0.589 times its radius").positive()});
  add("initial", "Where joints start: their first coordinate and its rate; the rest is found and checked",
      {word("start", {"assemble", "given", "project", "rest"},
            "assemble: joints are closed by moving bodies; given: nothing is moved, what does not fit is an error; "
            "project: overlaps up to `overlap` are pushed apart too; rest: where everything rests, searched from there")
           .or_else("given where all positions are given, else assemble"),
       quantity("overlap", "m", "largest overlap that start = \"project\" takes away").positive().or_else("1 mm"),
       table("JOINT", "{ angle or displacement, rate }")});
  add("initial.joint", "The start of a joint",
      {quantity("angle", "rad", "of a joint that turns"), quantity("displacement", "m", "of a joint that slides"),
       kind(FieldKind::quantity, "rate", "of that coordinate", "?").or_else("0")});
  add("analytic", "A mechanism of the literature, by formulas (carom list models)",
      {text("model", "its name").needed(), text("law", "of its contacts"),
       kind(FieldKind::mixed, "PARAMETER", "each by its name")});
  add("flexible.linear_body", "A linear elastic body by its matrices",
      {text("type", "linear_body").needed(), text("mass", "Matrix Market file").needed(),
       text("stiffness", "Matrix Market file").needed(),
       whole("modes", "reduced to its lowest; 0: as it is").within(0, 1e9).or_else("0"),
       kind(FieldKind::flag, "static_correction", "one more mode per contact direction").or_else("true"),
       quantity("mass_damping", "1/s", "Rayleigh").or_else("0"),
       quantity("stiffness_damping", "s", "Rayleigh").or_else("0"),
       kind(FieldKind::mixed, "velocity", "at the start, of all degrees of freedom or each", "m/s"),
       kind(FieldKind::mixed, "force", "constant, alike", "N")},
      true);
  add("flexible.beam", "A geometrically exact beam, straight at the start",
      {text("type", "beam").needed(), quantity("length", "m", "of the whole").positive().needed(),
       whole("elements", "it is divided into").within(1, 100000).or_else("10"),
       table(
           "section",
           "{ shape = \"round\", radius } or { shape = \"rectangle\", width, height } (height in the plane of bending)")
           .needed(),
       quantity("modulus", "Pa", "of elasticity").positive().needed(),
       quantity("shear_modulus", "Pa", "of shear").positive().or_else("modulus/2.6"),
       quantity("density", "kg/m^3", "of the material").positive().needed(),
       vector("position", "m", "of its first end at the start").or_else("zero"),
       quantity("angle", "rad", "in the plane: its direction"),
       kind(FieldKind::mixed, "orientation", "in space: x of it runs along the beam"),
       vector("velocity", "m/s", "of its first end at the start"),
       kind(FieldKind::mixed, "spin", "of the whole at the start", "rad/s"),
       quantity("mass_damping", "1/s", "Rayleigh").not_negative().or_else("0"),
       quantity("stiffness_damping", "s", "Rayleigh").not_negative().or_else("0"),
       table("points", "named places by arc length: tip = \"0.5 m\""),
       kind(FieldKind::names, "clamped", "\"start\", \"end\""), kind(FieldKind::names, "hinged", "\"start\", \"end\""),
       text("material", "of the shapes on it"),
       table("shape", "shape.NAME = { type, ..., on = POINT }: surfaces carried by points of it")},
      true);
  add("generate.sphere_lattice", "Equal balls on a lattice",
      {text("kind", "sphere_lattice").needed(),
       text("name", "bodies are NAME0, NAME1, ...").or_else("the table's name"),
       kind(FieldKind::list, "counts", "along x, y, z", "1").or_else("[5, 5, 4]"),
       quantity("radius", "m", "of each").positive().or_else("0.05 m"),
       quantity("density", "kg/m^3", "of each").positive().or_else("1000 kg/m^3"),
       quantity("pitch", "m", "distance of neighbours").positive().or_else("0.11 m"),
       quantity("jitter", "m", "largest shift sideways").not_negative().or_else("0.0025 m"),
       whole("seed", "of the shifts").within(0, 9007199254740992.0).or_else("12345"),
       vector("origin", "m", "below the middle of the lattice").or_else("zero"),
       vector("velocity", "m/s", "of all at the start").or_else("zero")},
      true);
  const Fields many = {text("kind", "the arrangement").needed(),
                       text("name", "bodies are NAME0, NAME1, ...").or_else("the table's name"),
                       table("shape", "of each body: { type, ... }").needed(),
                       quantity("density", "kg/m^3", "of each; in the plane kg/m^2").positive().needed(),
                       text("material", "of each"),
                       vector("velocity", "m/s", "of all at the start").or_else("zero")};
  add("generate.lattice", "Equal bodies of any shape on a lattice",
      many + Fields{kind(FieldKind::list, "counts", "along x, y (, z)", "1").needed(),
                    vector("pitch", "m", "distances of neighbours").needed(),
                    quantity("jitter", "m", "largest shift along each axis").not_negative().or_else("0"),
                    whole("seed", "of the shifts").within(0, 9007199254740992.0).or_else("1"),
                    vector("origin", "m", "where the first one stands").or_else("zero")},
      true);
  add("generate.random_packing", "Bodies thrown into a box without touching each other",
      many + Fields{whole("count", "how many").within(1, 100000).needed(),
                    vector("from", "m", "lowest corner of the box").needed(),
                    vector("to", "m", "highest corner").needed(),
                    whole("seed", "the same seed, the same packing").within(0, 9007199254740992.0).or_else("1"),
                    flag("turned", "each with an orientation of its own"),
                    quantity("gap", "m", "least distance of the balls around them").not_negative().or_else("0")},
      true);
  add("generate.wall", "Bricks in running bond",
      {text("kind", "wall").needed(), text("name", "bodies are NAME0, NAME1, ...").or_else("the table's name"),
       vector("size", "m", "of a brick").needed(),
       quantity("density", "kg/m^3", "of a brick; in the plane kg/m^2").positive().needed(),
       text("material", "of each"), whole("columns", "bricks in a row").within(1, 10000).needed(),
       whole("rows", "of bricks").within(1, 10000).needed(),
       vector("origin", "m", "below the left end of the lowest row").or_else("zero"),
       quantity("gap", "m", "between the bricks of a row").not_negative().or_else("0")},
      true);
  add("generate.chain", "Equal links in a row, each joined to the one before",
      many + Fields{whole("count", "of links").within(1, 100000).needed(),
                    vector("step", "m", "from one link's middle to the next").needed(),
                    vector("origin", "m", "the first link's middle").needed(),
                    word("joint", {"revolute", "spherical"}, "between neighbours, half way").or_else("revolute"),
                    kind(FieldKind::mixed, "axis", "of the joints"),
                    flag("hung", "the first one is joined to the ground half a step before it")},
      true);
  add("simulation", "The run",
      {quantity("t_end", "s", "when it ends").positive().needed(),
       quantity("step", "s", "length of a step").positive().or_else("by the model's time scales"),
       text("scheme", "carom list schemes; \"automatic\" chooses by the model").or_else("automatic"),
       table("contact", "the solver of contact problems"), table("limits", "beyond these a run is not called sound"),
       table("SCHEME", "parameters of a scheme by its name")},
      false, "[simulation]\nt_end = \"200 ms\"\nstep = \"10 us\"\nscheme = \"moreau_jean\"");
  add("simulation.contact", "The solver of contact problems",
      {text("solver", "carom list solvers").or_else("automatic"),
       word("on_failure", {"halve_step", "stop", "continue"}, "what a step that finds no solution does")
           .or_else("halve_step"),
       word("on_missed", {"halve_step", "report"}, "about contacts a step would pass unseen").or_else("halve_step"),
       whole("max_halvings", "of a step").within(0, 18).or_else("10"),
       kind(FieldKind::mixed, "PARAMETER", "of the solver, by name: tolerance, ...")});
  add("simulation.limits", "Beyond these a run is not called sound",
      {quantity("energy", "1", "share gained").positive(),
       quantity("penetration", "1", "share of a body's size").positive(),
       quantity("play", "1", "share of a clearance").positive(),
       quantity("joint_error", "1", "share of a joint's size").positive()});
  add("output", "What is written",
      {text("file", "the result").or_else("NAME.h5"),
       table("fields", "{ every }: time between samples of state, energy and signals"),
       word("contacts", {"every_step", "none"}, "the table of contacts").or_else("every_step"),
       table("checkpoint", "{ every, keep }"), table("signal", "NAME = formula, sampled with the fields")});
  add("output.fields", "Samples", {quantity("every", "s", "time between samples; none: every step").positive()});
  add("output.checkpoint", "States to go on from",
      {quantity("every", "s", "time between checkpoints; none: at the end").positive(),
       whole("keep", "how many").within(1, 1000).or_else("3")});
  add("measure", "Numbers of the whole run: NAME = formula", {kind(FieldKind::formula, "NAME", "a formula")});
  add("expect", "Comparisons that make the model a test: NAME = formula",
      {kind(FieldKind::formula, "NAME", "a comparison")});
  add("study", "A question about many runs",
      {word("kind", {"sweep", "bifurcation", "convergence", "compare"}, "what is varied").needed(),
       table("over", "sweep, bifurcation: PARAMETER = list, or \"linspace(a, b, n)\", \"geomspace(a, b, n)\""),
       table("measure", "NAME = formula, beside those of [measure]"),
       kind(FieldKind::mixed, "steps", "convergence: a list, or geomspace(a, b, n)", "s"),
       kind(FieldKind::names, "schemes", "convergence, compare"), table("reference", "{ scheme, step, tolerance }"),
       quantity("until", "s", "instead of t_end").positive(),
       text("section", "bifurcation: points at t = k T, T by a formula: \"2*pi/omega\""),
       text("impacts", "bifurcation: points at impacts of this contact; of any if it is empty"),
       text("show", "bifurcation: the formula that is shown"),
       whole("skip", "bifurcation: points passed over").within(0, 1e9).or_else("100"),
       whole("keep", "bifurcation: points shown for each value").within(1, 1e9).or_else("50"),
       word("follow", {"none", "forward", "backward", "both"}, "bifurcation: from value to value with the last state")
           .or_else("none")},
      true);
  add("instance", "Another file's model, put in",
      {text("model", "a file of the same folder").needed(), table("set", "its parameters"),
       vector("at", "m", "where its origin lies").or_else("zero")},
      true);
  // Whatever expansion.h copies takes a count.
  for (TableSpec& copied : tables) {
    const std::string kind_of = copied.path.substr(0, copied.path.find('.'));
    const bool several = kind_of == "joint" || kind_of == "force" || kind_of == "drive" || copied.path == "contact";
    if (several && copied.named)
      copied.fields.push_back(
          whole("count", "so many of them, NAME0, NAME1, ...; formulas may use i, names {i} and {i+1}")
              .within(1, 100000));
  }
  return tables;
}

}  // namespace

const std::vector<TableSpec>& model_tables() {
  static const std::vector<TableSpec> tables = make_tables();
  return tables;
}

}  // namespace carom::inline io
