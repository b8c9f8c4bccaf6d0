import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

export const refundOrder = defineTool({
  name: "refund_order",
  description: "Pay money back for an order.",
  parameters: v.object({ order_id: v.string(), amount: v.pipe(v.number(), v.gtValue(0)) }),
  // Twice would be harm: a call that may have happened runs again only when a person says so.
  effect: "once",
  // The run pauses until a person allows the call, in the console or in the terminal.
  requires_confirmation: true,
  execute: ({ order_id, amount }) => `Refunded ${amount} for order ${order_id}.`,
});
