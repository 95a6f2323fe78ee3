// Pictures of all pages of one script's job, and the texts that preview/template.html shows beside them.

/** @typedef {{ label: string, side: string, picture: string }} PreviewPage */

/**
 * Makes one picture a page and gives what the template needs.
 * @param {PrintJob} job
 */
export async function previewPages(job) {
  job.format = "preview";
  job.onProgress = (done, total) => layout.log.trace(`preview ${done} of ${total}`);
  /** @type {PreviewPage[]} */
  const shown = [];
  for (const page of layout.pages.toArray()) {
    const picture = await job.preview(page, 96);
    const side = page.side === PageSide.Front ? "front" : "back";
    shown.push({ label: page.label || String(page.ordinal), side, picture });
  }
  return shown;
}

/** Gives the notices as lines of text, the worst first. */
export function noticeLines() {
  const notices = layout.log.notices.toArray();
  notices.sort((a, b) => b.severity - a.severity);
  return notices.map((notice) => {
    const place = notice.page ? `page ${notice.page.label}` : "no page";
    return `${notice.code} (${place}): ${notice.message}`;
  });
}

layout.on("pageEnd", (page) => {
  const first = page.items.first;
  layout.log.trace(`page ${page.ordinal} begins with ${first ? first.describe() : "nothing"}`);
});
layout.on("fault", (fault) => {
  const open = fault.openItems.map((item) => item.kind).join(" > ");
  layout.log.trace(`${fault.code} in ${open}: expected ${fault.expected}`);
});
