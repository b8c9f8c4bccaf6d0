import { defineTool } from "@agentplatform/core";
import { z } from "zod";
import { orderOf } from "../shop.ts";

export const findOrder = defineTool({
  name: "find_order",
  description: "Look an order up by its number.",
  parameters: z.object({ order_id: z.string() }),
  // Doing it twice does no harm.
  effect: "safe",
  execute: ({ order_id }) => orderOf(order_id) ?? `There is no order ${order_id}.`,
});
