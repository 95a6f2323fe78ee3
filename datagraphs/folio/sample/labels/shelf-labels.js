// Labels for the shelves of the store, 3 across and 8 down, from data/stock.csv.
import { loadTypefaces, styles } from "../lib/styles.js";

const ACROSS = 3;
const DOWN = 8;
const WIDTH = 70;
const HEIGHT = 36;

/** @param {CsvRecord} record @param {number} index */
function writeLabel(record, index) {
  const place = index % (ACROSS * DOWN);
  if (index > 0 && place === 0) {
    layout.pageBreak();
  }
  const label = layout.makeBlock(`label ${index + 1}`);
  label.moveTo((place % ACROSS) * WIDTH, Math.floor(place / ACROSS) * HEIGHT);
  label.sizeTo(WIDTH, HEIGHT);
  label.inset.setPair(3, 5);
  label.overflow = "clip";
  layout.blockStart(label);
  layout.writeLine(record.field("title") ?? "", styles.strong);
  layout.writeLine(`Shelf ${record.field("shelf") ?? "?"}`, styles.small);
  placeCode(record.field("ean") ?? "");
  layout.blockEnd();
}

/** @param {string} ean */
function placeCode(ean) {
  const code = layout.makeMark("barcode");
  code.symbology = "ean13";
  code.height = 12;
  code.quietZone = 2;
  code.showsValue = true;
  if (!code.accepts(ean)) {
    layout.log.raise(Severity.Warning, "BAD_EAN", `not an EAN: ${ean}`, code);
    return;
  }
  code.value = ean;
  layout.place(code, { scale: 0.8 });
}

await loadTypefaces();
const master = layout.makeMaster("labels");
master.setSize("A4", "upright");
master.margins.setAll(0);
layout.jobStart(layout.makeJob("out/shelf-labels.pdf"));
layout.sectionStart(layout.makeSection(master));
layout.sectionBody();

const stock = layout.makeCsvSource("data/stock.csv", { trim: true });
stock.separator = ";";
stock.hasHead = true;
stock.open();
stock.records().forEach(writeLabel);
stock.close();

layout.sectionEnd();
await layout.jobEnd().write();
