import { defineRegistry } from "@agentplatform/core";
import { supportDesk } from "./agents/support-desk.ts";
import { findOrder } from "./tools/find-order.ts";
import { refundOrder } from "./tools/refund-order.ts";

/** What this project hosts. A new agent goes into a file of its own, and into this list. */
export const registry = defineRegistry({
  agents: [supportDesk],
  // What components that are stored by the API may use.
  parts: { tools: [findOrder, refundOrder] },
});
