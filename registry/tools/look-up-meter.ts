import * as v from "valibot";
import { defineTool } from "../../shared/engine/define/index.ts";

/** Executed outside the platform: a person reads the meter and sends the figure. */
export const lookUpMeter = defineTool({
  name: "look_up_meter",
  description: "Have the meter of an account read.",
  parameters: v.object({ account: v.string() }),
  effect: "safe",
  external_execution: true,
  execute: () => "Somebody else reads it.",
});
