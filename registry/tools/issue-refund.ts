import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

/**
 * Stands for a payment service. Running it twice would pay twice (`effect: "once"`), and it moves money, so a run
 * pauses before it and waits for a person.
 */
export const issueRefund = defineTool({
  name: "issue_refund",
  description: "Refund an order, in part or in full.",
  parameters: v.object({
    order_id: v.pipe(v.string(), v.nonEmpty()),
    amount: v.pipe(v.number(), v.gtValue(0), v.description("in the currency of the order")),
  }),
  effect: "once",
  requires_confirmation: true,
  execute: ({ order_id, amount }) => `Refunded ${amount} for order ${order_id}.`,
});
