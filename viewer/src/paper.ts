// Printing. Before it the page is laid out as on paper, light and as wide as a sheet, and drawn with more pixels; after it as it was.
// Style sheets alone cannot do it: a canvas keeps the size and the colours it was drawn with.
import { drawAgain } from "./drawings";
import { forgetColors } from "./format";

const root = document.documentElement;

export function onPaper(): boolean {
  return root.dataset.paper !== undefined;
}
// Pixels of a drawing for each of the sheet: printers see more of them than screens.
export function sharpness(): number {
  return onPaper() ? 3 : devicePixelRatio || 1;
}

// `scene` draws the three-dimensional view at its new size.
export function listenForPrinting(scene: () => void) {
  let theme: string | undefined;
  const turn = () => {
    forgetColors();
    drawAgain();
    scene();
  };
  window.addEventListener("beforeprint", () => {
    if (onPaper()) return;
    theme = root.dataset.theme;
    root.dataset.theme = "light";
    root.dataset.paper = "";
    turn();
  });
  window.addEventListener("afterprint", () => {
    if (!onPaper()) return;
    delete root.dataset.paper;
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
    turn();
  });
}
