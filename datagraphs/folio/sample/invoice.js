// The invoice for the sample order: address, lines, totals, how to pay.
import { placeFoldMarks, placeLogo } from "./lib/letterhead.js";
import { beginSection } from "./lib/masters.js";
import { grossTotal, lineTotal, netTotal, pounds, vatByRate } from "./lib/money.js";
import { loadTypefaces, styles } from "./lib/styles.js";

const source = layout.makeJsonSource("data/sampleData.json");
source.open();
const { customer, invoice } = source.value;
source.close();

function writeAddress() {
  const box = layout.makeBlock("address");
  box.x = 0;
  box.y = 22;
  box.width = 85;
  box.height = 30;
  box.overflow = "shrink";
  layout.blockStart(box);
  layout.writeLine(customer.name, styles.strong);
  for (const line of customer.address) layout.writeLine(line, styles.body);
  layout.blockEnd();
}

function writeLines() {
  const table = layout.makeTable("lines");
  table.addColumn(22);
  table.addColumn(0).share = 1;
  table.addColumn(16, "end");
  table.addColumn(26, "end");
  table.cellInset.setPair(1.2, 2);
  table.rowEdge.draw(0.2, layout.palette.require("mist"));
  table.style = styles.body;

  layout.tableStart(table);
  table.headStart().continuedText = "continued";
  table.putRow(["Item", "Description", "Quantity", "Amount"], styles.strong);
  table.headEnd();
  for (const line of invoice.lines) {
    table.putRow([line.sku, line.title, String(line.quantity), pounds(lineTotal(line))]);
  }
  writeTotal(table, "Net", netTotal(invoice.lines));
  vatByRate(invoice.lines).forEach(({ rate, vatPence }) => {
    writeTotal(table, `VAT ${layout.format.percent(rate)}`, vatPence);
  });
  writeTotal(table, "To pay", grossTotal(invoice.lines));
  layout.tableEnd();
}

/** @param {Table} table @param {string} label @param {number} pence */
function writeTotal(table, label, pence) {
  const row = table.rowStart();
  row.keepWithNext = true;
  row.cellStart(3).align = "end";
  layout.write(label, styles.strong);
  row.cellEnd();
  row.put(pounds(pence), styles.amount);
  table.rowEnd();
}

function writePayment() {
  layout.space(6);
  const box = layout.makeBlock("payment");
  box.inset.setAll(4);
  box.fill = layout.palette.require("moss-light");
  box.corner = 2;
  box.splits = false;
  box.standing = "middle";
  layout.blockStart(box);
  layout.writeLine(`Please pay by ${layout.format.date(invoice.due, "long")}.`, styles.strong);
  layout.write(`Quote ${invoice.number} and send to ${invoice.account}.`, styles.body);
  layout.blockEnd();
}

await loadTypefaces();
const job = layout.makeJob(`out/invoice-${invoice.number}.pdf`);
job.title = `Invoice ${invoice.number}`;
layout.jobStart(job);
beginSection(job.title);
await placeLogo();
placeFoldMarks();
writeAddress();
layout.movePen(0, 60);
layout.writeLine(job.title, styles.heading);
writeLines();
writePayment();
layout.sectionEnd();
layout.jobEnd();
await layout.compose();
await job.write();
