// Arrows in any number: one shaft and one head, drawn as instances.
import * as THREE from "three";

export class Arrows {
  readonly group = new THREE.Group();
  count = 0;
  private shafts: THREE.InstancedMesh;
  private heads: THREE.InstancedMesh;
  private matrix = new THREE.Matrix4();
  private turn = new THREE.Quaternion();
  private up = new THREE.Vector3(0, 1, 0);
  private direction = new THREE.Vector3();
  private at = new THREE.Vector3();
  private size = new THREE.Vector3();

  constructor(
    color: string,
    private width: number,
    many = false, // then with few corners
    private capacity = 4096,
  ) {
    const material = new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true });
    const shaft = new THREE.CylinderGeometry(1, 1, 1, many ? 4 : 8, 1, true).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(1, 1, many ? 5 : 14, 1, many).translate(0, 0.5, 0);
    this.shafts = new THREE.InstancedMesh(shaft, material, capacity);
    this.heads = new THREE.InstancedMesh(head, material, capacity);
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 10;
      mesh.count = 0;
      this.group.add(mesh);
    }
  }

  clear() {
    this.count = 0;
  }

  // `strength` 0 ... 1 makes it thinner.
  add(tail: THREE.Vector3, along: THREE.Vector3, length: number, strength = 1) {
    if (this.count >= this.capacity || !(length > 0) || !Number.isFinite(tail.x + along.x)) return;
    this.direction.copy(along).normalize();
    this.turn.setFromUnitVectors(this.up, this.direction);
    const w = this.width * strength;
    const head = Math.min(0.55 * length, 5 * w);
    this.matrix.compose(tail, this.turn, this.size.set(w, length - head, w));
    this.shafts.setMatrixAt(this.count, this.matrix);
    this.at.copy(tail).addScaledVector(this.direction, length - head);
    this.matrix.compose(this.at, this.turn, this.size.set(2.6 * w, head, 2.6 * w));
    this.heads.setMatrixAt(this.count, this.matrix);
    ++this.count;
  }

  show() {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.count;
      if (this.count > 0) mesh.instanceMatrix.needsUpdate = true;
    }
  }
}
