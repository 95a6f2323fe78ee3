// Orders as they come from the shop, in data/orders.xml.

/** @param {XmlNode} node */
function orderLine(node) {
  return {
    sku: node.attribute("sku") ?? "",
    title: node.textOf("title"),
    quantity: node.numberOf("quantity", 1),
    unitPence: node.numberOf("unitPence"),
    vatRate: node.numberOf("vatRate", 0.2),
  };
}

/** @param {XmlNode} node */
function order(node) {
  const address = node.child("address");
  return {
    number: node.attributes.id,
    date: node.attribute("date") ?? "",
    priority: node.attributes.priority === "high",
    customer: node.textOf("customer"),
    address: address ? address.children.map((part) => part.text) : [],
    lines: node.select("lines/line").map(orderLine),
  };
}

/** @param {string} path */
export function readOrders(path) {
  const source = layout.makeXmlSource(path, { trim: true, lenient: true });
  source.onMalformed = (line, reason) => {
    layout.log.raise(Severity.Severe, "BAD_ORDER", `${path}:${line}: ${reason}`, source);
  };
  source.open();
  const orders = source.select("orders/order").map(order);
  source.close();
  return orders;
}

/**
 * @param {string} path
 * @param {string} number
 */
export function readOrder(path, number) {
  const found = readOrders(path).find((entry) => entry.number === number);
  if (!found) {
    throw new Error(`no order ${number} in ${path}`);
  }
  return found;
}
