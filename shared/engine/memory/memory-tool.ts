import * as v from "valibot";
import { defineTool } from "../tool/tool.ts";

/** Lets a model save memories of the user. @source docs/interface/memories.md 4.1 */
export const memoryTool = defineTool({
  name: "update_user_memory",
  description:
    "Have something remembered about the user, or corrected, for all later conversations. Say in words what.",
  parameters: v.object({ task: v.pipe(v.string(), v.nonEmpty()) }),
  effect: "keyed",
  execute: async ({ task }, { remember }) => {
    const remembered = await remember(task);
    return remembered.length > 0
      ? `Remembered: ${remembered.join(" ")}`
      : "There was nothing new to remember.";
  },
});
