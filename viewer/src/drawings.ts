// What is drawn on a canvas must be drawn again when colours change, or the sheet does (screen or paper). Whoever draws says so here once;
// what has left the page by then is forgotten.

interface Drawing {
  root: HTMLElement;
  draw: () => void;
}
const drawings = new Set<Drawing>();

export function keepDrawn(root: HTMLElement, draw: () => void) {
  drawings.add({ root, draw });
}

export function drawAgain() {
  for (const drawing of drawings)
    if (drawing.root.isConnected) drawing.draw();
    else drawings.delete(drawing);
}
