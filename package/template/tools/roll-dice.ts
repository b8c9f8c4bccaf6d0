import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

export const rollDice = defineTool({
  name: "roll_dice",
  description: "Roll a number of dice with six sides.",
  parameters: v.object({ count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)) }),
  // Doing it twice does no harm.
  effect: "safe",
  execute: ({ count }) => Array.from({ length: count }, () => 1 + Math.floor(Math.random() * 6)),
});
