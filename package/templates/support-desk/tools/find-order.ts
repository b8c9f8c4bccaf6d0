import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

/** Replace it by a call of your shop; a key of it is a secret: `secrets: ["SHOP_KEY"]`. */
const orders = new Map([
  ["A1", { paid: 40, delivered: false }],
  ["A2", { paid: 15, delivered: true }],
]);

export const findOrder = defineTool({
  name: "find_order",
  description: "Look an order up by its number.",
  parameters: v.object({ order_id: v.string() }),
  // Doing it twice does no harm.
  effect: "safe",
  execute: ({ order_id }) => orders.get(order_id) ?? `There is no order ${order_id}.`,
});
