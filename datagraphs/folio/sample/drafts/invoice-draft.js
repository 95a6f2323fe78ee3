// A first draft of the invoice for the orders of the shop.
import { beginSection } from "../lib/masters.js";
import { pounds } from "../lib/money.js";
import { loadTypefaces, styles } from "../lib/styles.js";

const source = layout.makeXmlSource("data/orders.xml", { trim: true });
source.open();
const order = source.selectFirst("orders/order");

function writeAddress() {
  const box = layout.makeBlock("address");
  box.x = 0;
  box.y = 22;
  box.width = 85;
  box.height = 30;
  box.overflow = "shrink";
  layout.blockStart(box);
  layout.writeLine(source.textAt("orders/order/customer"), styles.strong);
  for (const part of source.selectNodes("orders/order/address/*")) {
    layout.writeLine(part.text, styles.body);
  }
  layout.blockEnd();
}

function writeLines() {
  const table = layout.makeTable("lines");
  table.addColumn(22);
  table.addColumn(90);
  table.addColumn(30, "end");
  table.cellSpacing = 4;
  table.splitsRows = false;
  table.style = styles.body;

  layout.tableStart(table);
  source.each("orders/order/lines/line", (line) => {
    const row = table.rowStart();
    row.put(line.attribute("sku") ?? "");
    row.put(line.textOf("title"));
    row.cellStart();
    layout.write(pounds(line.numberOf("quantity") * line.numberOf("unitPence")), styles.amount);
    layout.tableCellEnd();
    table.rowEnd();
  });
  layout.tableEnd();
}

await loadTypefaces();
const job = layout.makeJob("out/invoice-draft.pdf");
job.stamp = "DRAFT";
layout.jobStart(job);
beginSection(`Invoice ${order?.attributes.id ?? ""}`);
writeAddress();
layout.movePen(0, 60);
writeLines();
layout.sectionEnd();
layout.jobEnd();
source.close();
await job.write();
