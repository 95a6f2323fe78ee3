// Sums over order lines. Amounts are pence until they are written, so that nothing is lost to rounding.

/** @typedef {{ sku: string, title: string, quantity: number, unitPence: number, vatRate: number }} OrderLine */

/** @param {OrderLine} line */
export function lineTotal(line) {
  return line.quantity * line.unitPence;
}

/** @param {OrderLine[]} lines */
export function netTotal(lines) {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0);
}

/**
 * Gives one entry for each VAT rate, lowest rate first.
 * @param {OrderLine[]} lines
 */
export function vatByRate(lines) {
  /** @type {Map<number, number>} */
  const net = new Map();
  for (const line of lines) {
    net.set(line.vatRate, (net.get(line.vatRate) ?? 0) + lineTotal(line));
  }
  return Array.from(net.entries())
    .sort((a, b) => a[0] - b[0])
    .map(([rate, pence]) => ({ rate, vatPence: Math.round(pence * rate) }));
}

/** @param {OrderLine[]} lines */
export function grossTotal(lines) {
  return vatByRate(lines).reduce((sum, entry) => sum + entry.vatPence, netTotal(lines));
}

/** @param {number} pence */
export function pounds(pence) {
  return layout.format.money(pence / 100, "GBP");
}
