// The page master of the house, and the header and footer that its documents carry.
import { styles } from "./styles.js";

/** @param {string} name */
export function houseMaster(name) {
  const master = layout.makeMaster(name, "A4");
  master.margins.setPair(24, 20);
  master.margins.left = 28;
  master.bleed = 3;
  master.mirrored = false;
  return master;
}

function thinRule() {
  const rule = layout.makeMark("rule");
  rule.weight = 0.3;
  rule.pattern = "solid";
  rule.ink = layout.palette.require("moss");
  return rule;
}

/**
 * Writes the header of the open section. The first page goes without, it has the letterhead.
 * @param {string} title
 */
export function writeHeader(title) {
  const header = layout.makeHeader("house header");
  header.height = 8;
  header.distance = 5;
  header.shownOn = "notFirst";
  header.rule = thinRule();
  layout.headerStart(header);
  layout.write(title, styles.small);
  layout.headerEnd();
  return header;
}

/** Writes the footer of the open section, with "page 2 of 5" at the end of the line. */
export function writeFooter() {
  const numbering = layout.makeNumbering("arabic");
  numbering.startAt = 1;
  numbering.prefix = "page ";

  const footer = layout.makeFooter("house footer");
  footer.height = 10;
  footer.distance = 4;
  footer.keepsFootnotes = true;
  footer.rule = thinRule();
  const style = styles.small.derive("page number");
  style.align = "end";
  layout.footerStart(footer);
  layout.paragraphStart(style);
  numbering.writeCurrent();
  layout.write(" of ");
  numbering.writeTotal();
  layout.paragraphEnd();
  layout.footerEnd();
  return numbering;
}

/**
 * Opens a section with header and footer and begins its first page.
 * @param {string} title
 */
export function beginSection(title) {
  const section = layout.makeSection(houseMaster("house"), title);
  layout.sectionStart(section);
  writeHeader(title);
  section.numbering = writeFooter();
  layout.sectionBody();
  return section;
}
