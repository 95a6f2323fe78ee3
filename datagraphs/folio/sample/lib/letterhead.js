// What stands at the top of every first page: the mark of the house and the window address.
import { styles } from "./styles.js";

/** Places the mark of the house in the upper right corner. */
export async function placeLogo() {
  const logo = layout.makeMark("image");
  logo.path = "images/tarn-and-fell.svg";
  logo.description = "Tarn & Fell, garden tools";
  logo.width = 38;
  logo.height = 16;
  logo.fit = "whole";
  await logo.load();
  layout.place(logo, { y: 0, align: "end" });
}

/**
 * Writes an address where the window of the envelope shows it.
 * @param {string[]} lines
 */
export function writeWindowAddress(lines) {
  const pane = layout.makeBlock("window address");
  pane.x = 0;
  pane.y = 22;
  pane.width = 85;
  pane.height = 30;
  pane.overflow = "shrink";
  pane.standing = "middle";
  layout.blockStart(pane);
  for (const line of lines) {
    layout.writeLine(line, styles.body);
  }
  layout.blockEnd();
  return pane;
}

/** Draws the marks at which the letter is folded. */
export function placeFoldMarks() {
  const layer = layout.makeLayer("fold marks");
  layer.order = 10;
  layer.shownOn = "first";
  layout.layerStart(layer);
  for (const height of [105, 210]) {
    const mark = layout.makeMark("rule");
    mark.weight = 0.2;
    mark.moveTo(4, height);
    mark.drawTo(9, height);
    layout.place(mark);
  }
  layout.layerEnd();
}
