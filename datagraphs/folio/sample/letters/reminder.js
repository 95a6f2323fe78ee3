// A reminder for an invoice that is overdue; the third one has a stamp and another ending.
import { placeFoldMarks, placeLogo, writeWindowAddress } from "../lib/letterhead.js";
import { beginSection } from "../lib/masters.js";
import { grossTotal, pounds } from "../lib/money.js";
import { readOrder } from "../lib/orders.js";
import { loadTypefaces, styles } from "../lib/styles.js";

const round = Number(layout.parameter("round", "1"));
const order = readOrder("data/orders.xml", layout.parameter("order", "2043"));

/** Gives the sentences that grow firmer with every round. */
function sentences() {
  const total = pounds(grossTotal(order.lines));
  const date = layout.format.date(order.date, "long");
  const opening = `Our invoice for order ${order.number} of ${date}, ${total}, is still open.`;
  switch (round) {
    case 1:
      return [opening, "Perhaps it has escaped your notice."];
    case 2:
      return [opening, "Please pay within ten days."];
    default:
      return [opening, "Unless we hear from you within a week, we shall hand the matter on."];
  }
}

function writeLetter() {
  const page = layout.page;
  layout.movePen(0, 70);
  layout.writeLine(layout.wording.phrase("reminder.title", String(round)), styles.heading);
  layout.stylePush(styles.body);
  for (const sentence of sentences()) {
    const paragraph = layout.paragraphStart();
    paragraph.append(sentence);
    paragraph.orphans = 2;
    layout.paragraphEnd();
    layout.space(2);
  }
  layout.stylePop();
  if (page !== null && page.isBlank) {
    layout.log.raise(Severity.Severe, "EMPTY_LETTER", "nothing was written", page);
  }
}

await loadTypefaces();
await layout.wording.load("data/phrases.json");

const job = layout.makeJob(`out/reminder-${order.number}-${round}.pdf`);
job.title = `Reminder ${round} for order ${order.number}`;
job.author = "Tarn & Fell";
job.duplex = false;
job.stamp = round > 2 ? "LAST REMINDER" : "";
layout.jobStart(job);
beginSection(job.title);
await placeLogo();
placeFoldMarks();
writeWindowAddress([order.customer, ...order.address]);
writeLetter();
layout.sectionEnd();
layout.jobEnd();
await layout.compose();
await job.write();
