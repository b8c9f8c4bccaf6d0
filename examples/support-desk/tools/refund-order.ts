import { defineTool } from "@agentplatform/core";
import { z } from "zod";
import { refund } from "../shop.ts";

export const refundOrder = defineTool({
  name: "refund_order",
  description: "Pay money back for an order.",
  parameters: z.object({ order_id: z.string(), amount: z.number().positive() }),
  // Twice would be harm: a call that may have happened runs again only when a person says so.
  effect: "once",
  // The run pauses until a person allows the call, in the console or in the terminal.
  requires_confirmation: true,
  // From .env here; deployed, from the secret that agent-platform.config.ts names.
  secrets: ["SHOP_KEY"],
  execute: ({ order_id, amount }, { secrets }) => refund(secrets.SHOP_KEY, order_id, amount),
});
