// The note that travels in the parcel: what is in it and where each item lies in the store.
import { writeWindowAddress } from "./lib/letterhead.js";
import { beginSection } from "./lib/masters.js";
import { readOrder } from "./lib/orders.js";
import { loadTypefaces, styles } from "./lib/styles.js";

const order = readOrder("data/orders.xml", layout.parameter("order", "2041"));

/** Gives the shelf of every item in the stock list. */
function readShelves() {
  /** @type {Map<string, string>} */
  const shelves = new Map();
  const stock = layout.makeCsvSource("data/stock.csv");
  stock.separator = ";";
  stock.hasHead = true;
  stock.open();
  stock.each((record) => {
    shelves.set(record.field("sku") ?? "", record.field("shelf") ?? "?");
  });
  stock.close();
  return shelves;
}

function writeParcel() {
  const shelves = readShelves();
  const table = layout.makeTable("parcel");
  table.addColumn(12, "end").name = "position";
  table.addColumn(24);
  table.addColumn(0).share = 1;
  table.addColumn(18, "middle");
  table.stripes = [layout.palette.require("mist")];
  table.splitsRows = false;

  const position = layout.makeCounter("position", "arabic");
  layout.tableStart(table);
  for (const line of order.lines) {
    position.next();
    const row = table.rowStart(7);
    row.put(position.text());
    row.put(shelves.get(line.sku) ?? "not in stock");
    row.put(line.title);
    const cell = row.cellStart();
    cell.align = "middle";
    cell.edges.drawAll(0.4);
    layout.write(String(line.quantity), styles.strong);
    row.cellEnd();
    table.rowEnd();
  }
  layout.tableEnd();
}

function writeReceipt() {
  const hold = layout.holdStart();
  layout.space(12);
  const line = layout.makeMark("rule");
  line.width = 70;
  line.weight = 0.3;
  line.pattern = "dotted";
  layout.place(line);
  layout.writeLine("Received, date and name", styles.small);
  layout.holdEnd();
  return hold.moved;
}

await loadTypefaces();
layout.jobStart(layout.makeJob(`out/delivery-${order.number}.pdf`));
beginSection(`Delivery ${order.number}`);
writeWindowAddress([order.customer, ...order.address]);
layout.movePen(0, 60);
layout.writeLine(`Delivery ${order.number}`, styles.heading);
if (order.priority) {
  layout.writeLine("Sent with priority", styles.warning);
}
writeParcel();
writeReceipt();
layout.sectionEnd();
const job = layout.jobEnd();
await layout.compose();
await job.write();
