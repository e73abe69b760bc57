// Many spheres for machines without a graphics card: each is one point that the fragment shader makes round and lights, instead of
// hundreds of triangles. Lines of their turning are not seen, and where two meet they meet in a straight line; so only while they move.
import * as THREE from "three";

const VERTEX = `
attribute float radius;
attribute vec3 paint;
varying vec3 tone;
uniform float height;
void main() {
  vec4 centre = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * centre;
  gl_PointSize = max(1.5, radius * projectionMatrix[1][1] * height / gl_Position.w);
  tone = paint;
}`;
const FRAGMENT = `
varying vec3 tone;
uniform vec3 sun;
uniform vec3 up;
void main() {
  vec2 at = vec2(2.0, -2.0) * (gl_PointCoord - 0.5);
  float rest = 1.0 - dot(at, at);
  if (rest < 0.0) discard;
  vec3 normal = vec3(at, sqrt(rest));
  float light = 0.55 + 0.15 * dot(normal, up) + 0.45 * max(0.0, dot(normal, sun));
  gl_FragColor = vec4(tone * light, 1.0);
  #include <colorspace_fragment>
}`;

export class SphereSprites {
  readonly points: THREE.Points;
  private position: THREE.BufferAttribute;
  private material: THREE.ShaderMaterial;
  private size = new THREE.Vector2();

  constructor(radii: number[], colors: THREE.Color[]) {
    const geometry = new THREE.BufferGeometry();
    this.position = new THREE.Float32BufferAttribute(new Float32Array(3 * radii.length), 3);
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("radius", new THREE.Float32BufferAttribute(radii, 1));
    geometry.setAttribute("paint", new THREE.Float32BufferAttribute(colors.flatMap((c) => [c.r, c.g, c.b]), 3));
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { height: { value: 1 }, sun: { value: new THREE.Vector3() }, up: { value: new THREE.Vector3() } },
    });
    this.points = new THREE.Points(geometry, this.material);
    this.points.frustumCulled = false;
    this.points.visible = false;
    this.points.onBeforeRender = (renderer, _scene, camera) => {
      const u = this.material.uniforms;
      u.height.value = renderer.getDrawingBufferSize(this.size).y;
      u.sun.value.set(1, -2, 4).transformDirection(camera.matrixWorldInverse);
      u.up.value.set(0, 0, 1).transformDirection(camera.matrixWorldInverse);
      this.material.uniformsNeedUpdate = true;
    };
  }

  place(i: number, pose: THREE.Matrix4) {
    this.position.setXYZ(i, pose.elements[12], pose.elements[13], pose.elements[14]);
  }
  show() {
    this.position.needsUpdate = true;
  }
}
