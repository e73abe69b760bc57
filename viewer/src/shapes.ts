// Geometry of the shapes of docs/result_files.md. Planar ones get a thickness.
import * as THREE from "three";
import type { Shape } from "./data";

function stadium(length: number, width: number): THREE.Shape {
  const r = width / 2;
  const shape = new THREE.Shape();
  shape.moveTo(0, -r);
  shape.lineTo(length, -r);
  shape.absarc(length, 0, r, -Math.PI / 2, Math.PI / 2, false);
  shape.lineTo(0, r);
  shape.absarc(0, 0, r, Math.PI / 2, (3 * Math.PI) / 2, false);
  return shape;
}

function extruded(shape: THREE.Shape, depth: number): THREE.BufferGeometry {
  const geometry = new THREE.ExtrudeGeometry(shape, { depth, bevelEnabled: false, curveSegments: 24 });
  geometry.translate(0, 0, -depth / 2);
  return geometry;
}

function polyhedron(points: number[][], faces: number[][]): THREE.BufferGeometry {
  const corners: number[] = [];
  for (const face of faces)
    for (let k = 1; k + 1 < face.length; ++k) for (const v of [face[0], face[k], face[k + 1]]) corners.push(...points[v]);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

// From point to point: flat bars with round ends in the plane, rods in space.
function bars(points: number[][], width: number, planar: boolean, scale: number): THREE.BufferGeometry[] {
  const result: THREE.BufferGeometry[] = [];
  for (let k = 0; k + 1 < points.length; ++k) {
    const from = new THREE.Vector3().fromArray(points[k]);
    const along = new THREE.Vector3().fromArray(points[k + 1]).sub(from);
    const length = along.length();
    if (length === 0) {
      result.push(new THREE.SphereGeometry(width / 2, 16, 12).translate(from.x, from.y, from.z));
      continue;
    }
    const geometry = planar ? extruded(stadium(length, width), Math.min(width * 0.5, 0.028 * scale)) : new THREE.CapsuleGeometry(width / 2, length, 6, 16);
    if (!planar) geometry.rotateZ(-Math.PI / 2).translate(length / 2, 0, 0);
    geometry.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(1, 0, 0), along.normalize()));
    result.push(geometry.translate(from.x, from.y, from.z));
  }
  return result;
}

// Several geometries of one shape; `scale` is the size of the whole scene.
export function geometriesOf(shape: Shape, planar: boolean, scale: number, fine: boolean): THREE.BufferGeometry[] {
  const s = shape.size;
  const thick = 0.028 * scale;
  const round = fine ? 40 : 16;
  switch (shape.kind) {
    case "sphere":
      return [new THREE.SphereGeometry(s[0], round, Math.round(round * 0.7))];
    case "box":
      return [new THREE.BoxGeometry(s[0], s[1], planar ? Math.min(s[2], 0.028 * scale) : s[2])];
    case "capsule":
      return [new THREE.CapsuleGeometry(s[0], 2 * s[1], 8, round).rotateX(Math.PI / 2)];
    case "cylinder":
      return [new THREE.CylinderGeometry(s[0], s[0], 2 * s[1], round).rotateX(Math.PI / 2)];
    case "disc": {
      const depth = Math.min(thick, s[0]);
      if (s.length > 1) {
        const ring = new THREE.Shape().absarc(0, 0, s[0], 0, 2 * Math.PI, false) as THREE.Shape;
        ring.holes.push(new THREE.Path().absarc(0, 0, s[1], 0, 2 * Math.PI, true) as THREE.Path);
        return [extruded(ring, depth)];
      }
      return [new THREE.CylinderGeometry(s[0], s[0], depth, 48).rotateX(Math.PI / 2)];
    }
    case "half_space":
      return [new THREE.BoxGeometry(6 * scale, 6 * scale, 0.02 * scale).translate(0, 0, -0.01 * scale)];
    case "half_plane":
      return [new THREE.BoxGeometry(6 * scale, 0.06 * scale, 3 * thick).translate(0, -0.03 * scale, 0)];
    case "polygon":
      return [extruded(new THREE.Shape(shape.points!.map((p) => new THREE.Vector2(p[0], p[1]))), thick)];
    case "polyhedron":
      return [polyhedron(shape.points!, shape.faces!)];
    case "line":
      return bars(shape.points!, s[0] > 0 ? s[0] : 0.015 * scale, planar, scale);
    default:
      return [];
  }
}

export function unbounded(shape: Shape): boolean {
  return shape.kind === "half_space" || shape.kind === "half_plane";
}

// Points that hold the shape between them, in its frame.
export function cornersOf(shape: Shape, planar: boolean): THREE.Vector3[] {
  const pose = new THREE.Matrix4().compose(
    new THREE.Vector3().fromArray(shape.position),
    new THREE.Quaternion(shape.orientation[1], shape.orientation[2], shape.orientation[3], shape.orientation[0]),
    new THREE.Vector3(1, 1, 1),
  );
  const s = shape.size;
  const half =
    shape.kind === "box" ? [s[0] / 2, s[1] / 2, s[2] / 2] : shape.kind === "capsule" ? [s[0], s[0], s[0] + s[1]] : shape.kind === "cylinder" ? [s[0], s[0], s[1]] : [s[0] ?? 0, s[0] ?? 0, planar ? 0 : (s[0] ?? 0)];
  const points = shape.points
    ? shape.points.map((p) => new THREE.Vector3().fromArray(p))
    : [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => new THREE.Vector3(x * half[0], y * half[1], planar ? 0 : z * half[2]))));
  return points.map((p) => p.applyMatrix4(pose));
}
