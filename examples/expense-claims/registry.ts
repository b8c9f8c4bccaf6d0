import { defineRegistry } from "@agentplatform/core";
import { mealsClerk, travelClerk } from "./agents/clerks.ts";
import { expenseClaim } from "./workflows/expense-claim.ts";

/** What this project hosts. A new agent goes into a file of its own, and into this list. */
export const registry = defineRegistry({
  agents: [travelClerk, mealsClerk],
  workflows: [expenseClaim],
});
