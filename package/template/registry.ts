import { defineRegistry } from "@agentplatform/core";
import { assistant } from "./agents/assistant.ts";
import { rollDice } from "./tools/roll-dice.ts";

/** What this project hosts. A new agent goes into a file of its own, and into this list. */
export const registry = defineRegistry({
  agents: [assistant],
  // What components that are stored by the API may use.
  parts: { tools: [rollDice] },
});
