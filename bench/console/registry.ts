import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { defineAgent, defineTool, type Registry } from "../../shared/engine/define/index.ts";
import { registry as tests } from "../../test/support/registry/index.ts";

/** Longer than any other tool of the tests takes. */
const COUNTING_MS = 1_500;

const countStock = defineTool({
  name: "count_stock",
  description: "Count what is on the shelves.",
  parameters: v.object({ article: v.string() }),
  effect: "safe",
  execute: async ({ article }) => {
    await pause(COUNTING_MS);
    return `7 of ${article}`;
  },
});

const stockroom = defineAgent({
  id: "stockroom",
  name: "Stockroom",
  description: "Knows what is in stock, slowly.",
  instructions: "Count.",
  tools: [countStock],
});

/** That of the tests, and an agent with a slow tool. */
export const registry: Registry = { ...tests, agents: [...(tests.agents ?? []), stockroom] };
