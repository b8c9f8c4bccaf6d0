import { defineAgent } from "@agentplatform/core";
import { deliveryTools } from "../tools/delivery-days.ts";
import { findOrder } from "../tools/find-order.ts";
import { refundOrder } from "../tools/refund-order.ts";

export const supportDesk = defineAgent({
  id: "support-desk",
  name: "Support desk",
  instructions: [
    "You help customers with their orders.",
    "Look an order up before you say anything about it.",
    "Refund what was not delivered, never more than was paid.",
  ],
  tools: [findOrder, refundOrder, deliveryTools],
  add_history_to_context: true,
});
