// A welcome for a new customer, with a footnote and a voucher to cut out.
import { placeLogo, writeWindowAddress } from "../lib/letterhead.js";
import { beginSection } from "../lib/masters.js";
import { loadTypefaces, styles } from "../lib/styles.js";

const source = layout.makeJsonSource("data/sampleData.json");
source.open();
const name = source.textAt("customer.name", "Customer");
/** @type {string[]} */
const address = source.pick("customer.address") ?? [];
source.close();

function writeGreeting() {
  layout.movePen(0, 70);
  layout.writeLine(`Dear ${name},`, styles.strong);
  layout.paragraphStart(styles.body);
  layout.write("Welcome to Tarn & Fell. Every tool we sell can be sharpened for life");
  const note = layout.footnote("Bring it to the shop or send it in; you pay the postage.");
  note.style = styles.small;
  layout.write(" and is mended free of charge for ten years.");
  layout.paragraphEnd();
}

function writeVoucher() {
  const box = layout.makeBlock("voucher");
  box.width = 90;
  box.height = 40;
  box.inset.setAll(5);
  box.edges.drawAll(0.5, layout.palette.require("moss"), "dashed");
  box.standing = "middle";

  const code = layout.makeMark("barcode");
  code.symbology = "code128";
  code.value = layout.parameter("voucher", "WELCOME10");
  code.height = 14;
  code.showsValue = true;
  code.onReject = (reason) => layout.log.trace(`voucher: ${reason}`);

  layout.blockStart(box);
  layout.writeLine("10 % off your next order", styles.heading);
  layout.place(code, { align: "middle" });
  layout.blockEnd();
}

await loadTypefaces();
layout.jobStart(layout.makeJob("out/welcome.pdf"));
beginSection("Welcome");
await placeLogo();
writeWindowAddress([name, ...address]);
writeGreeting();
layout.space(10);
writeVoucher();
layout.sectionEnd();
const job = layout.jobEnd();
await layout.compose();
await job.write();
