// The yearly catalogue from data/catalogue.xml: chapters in two columns, then a list of contents.
import { houseMaster, writeFooter, writeHeader } from "./lib/masters.js";
import { loadTypefaces, styles } from "./lib/styles.js";

/** @type {Anchor[]} */
const chapters = [];

/** @param {XmlNode} product */
async function writeProduct(product) {
  const trial = layout.trialStart();
  const box = layout.makeBlock(product.attributes.sku);
  box.splits = false;
  box.inset.bottom = 4;
  box.edges.bottom.draw(0.2, layout.palette.require("mist"), "dotted");
  box.style = styles.body;
  layout.blockStart(box);
  const file = product.attribute("image");
  if (file) {
    const image = layout.makeMark("image");
    image.path = `images/${file}`;
    image.description = product.textOf("title");
    image.width = 32;
    image.height = 24;
    image.fit = "cover";
    await image.load();
    layout.place(image, { align: "start" });
  }
  layout.writeLine(product.textOf("title"), styles.strong);
  layout.writeLine(product.textOf("description"));
  layout.writeLine(layout.format.money(product.numberOf("pricePence") / 100), styles.amount);
  layout.blockEnd();
  layout.trialEnd();
  if (!trial.fits) {
    trial.drop();
    layout.columnBreak();
    return writeProductPlain(product);
  }
  trial.keep();
}

/** @param {XmlNode} product */
function writeProductPlain(product) {
  layout.writeLine(product.textOf("title"), styles.strong);
  layout.writeLine(product.textOf("description"), styles.small);
}

/** @param {XmlNode} chapter */
async function writeChapter(chapter) {
  const title = chapter.textOf("title");
  layout.pageBreak(PageSide.Front);
  const anchor = layout.makeAnchor(title);
  layout.dropAnchor(anchor);
  layout.outline.add(title, anchor, 1);
  chapters.push(anchor);
  layout.writeLine(title, styles.heading);
  const columns = layout.columnsStart(2, 8);
  columns.balanced = true;
  for (const product of chapter.childrenNamed("product")) {
    await writeProduct(product);
  }
  layout.columnsEnd();
}

function writeContents() {
  layout.pageBreak();
  layout.writeLine("Contents", styles.heading);
  chapters.forEach((anchor) => {
    layout.paragraphStart(styles.body);
    layout.refer(anchor, "titleAndPage");
    layout.paragraphEnd();
  });
}

await loadTypefaces();
const source = layout.makeXmlSource("data/catalogue.xml", { trim: true });
source.open();
layout.jobStart(layout.makeJob("out/catalogue.pdf"));
const section = layout.makeSection(houseMaster("catalogue"), "catalogue");
section.startsOn = "front";
layout.sectionStart(section);
writeHeader(source.textAt("catalogue/title", "Catalogue"));
section.numbering = writeFooter();
layout.sectionBody();
for (const chapter of source.select("catalogue/chapter")) await writeChapter(chapter);
writeContents();
layout.sectionEnd();
const job = layout.jobEnd();
source.close();
await layout.compose();
await job.write();
