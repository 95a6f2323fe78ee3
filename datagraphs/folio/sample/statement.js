// A statement of account: all orders of one customer, the terms in a side column.
import { writeWindowAddress } from "./lib/letterhead.js";
import { beginSection } from "./lib/masters.js";
import { grossTotal, pounds } from "./lib/money.js";
import { readOrders } from "./lib/orders.js";
import { loadTypefaces, styles } from "./lib/styles.js";

const customer = layout.parameter("customer", "Edda Wren");
const orders = readOrders("data/orders.xml").filter((order) => order.customer === customer);

/** Sets the terms once; they are poured into the side column of the pages that have one. */
function setTerms() {
  const terms = layout.makeStream("terms");
  terms.measureWidth = 40;
  terms.leftover = "log";
  layout.streamStart(terms);
  layout.writeLine("Terms", styles.strong);
  layout.writeLine("Invoices are due within thirty days. Goods stay ours until they are paid.", styles.small);
  layout.streamEnd();
  return terms;
}

/** @param {Stream} terms */
function placeTerms(terms) {
  const box = layout.makeBlock("terms");
  box.x = 122;
  box.y = 60;
  box.width = 40;
  box.height = 90;
  box.floating = true;
  box.clearance = 5;
  layout.blockStart(box);
  layout.blockEnd();
  const taken = terms.pour(box);
  if (taken.overflowed) {
    box.onSplit = (page) => layout.log.trace(`terms go on to page ${page.label}`);
  }
}

function writeOrders() {
  const table = layout.makeTable("orders");
  table.addColumn(24);
  table.addColumn(40);
  table.addColumn(30, "end");
  table.onContinue = (page) => layout.log.trace(`orders continue on page ${page.ordinal}`);
  layout.tableStart(table);
  const group = table.groupStart(customer);
  group.keepTogether = true;
  for (const order of orders) {
    const total = pounds(grossTotal(order.lines));
    table.putRow([order.number, layout.format.date(order.date, "long"), total], styles.body);
  }
  table.groupEnd();
  const row = table.rowStart();
  row.skip(2);
  const sum = orders.reduce((pence, order) => pence + grossTotal(order.lines), 0);
  row.put(pounds(sum), styles.amount).edges.top.draw(0.6);
  table.rowEnd();
  layout.tableEnd();
}

await loadTypefaces();
layout.jobStart(layout.makeJob("out/statement.pdf"));
beginSection(`Statement for ${customer}`);
writeWindowAddress([customer, ...(orders.at(-1)?.address ?? [])]);
placeTerms(setTerms());
layout.movePen(0, 60);
writeOrders();
layout.sectionEnd();
const job = layout.jobEnd();
await layout.compose();
const receipt = await job.write();
if (!receipt.isClean) {
  receipt.notices.forEach((notice) => layout.log.trace(`${notice.code}: ${notice.message}`));
}
