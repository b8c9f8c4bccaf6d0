import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

/** Adds two numbers, which models are not reliable at. */
export const addNumbers = defineTool({
  name: "add_numbers",
  description: "Add two numbers.",
  parameters: v.object({ a: v.number(), b: v.number() }),
  effect: "safe",
  execute: ({ a, b }) => a + b,
});
