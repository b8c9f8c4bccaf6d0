import { defineRegistry } from "@agentplatform/core";
import { reporter } from "./agents/reporter.ts";
import { readSales } from "./tools/read-sales.ts";

/** What this project hosts. A new agent goes into a file of its own, and into this list. */
export const registry = defineRegistry({
  agents: [reporter],
  // What components that are stored by the API may use.
  parts: { tools: [readSales] },
});
