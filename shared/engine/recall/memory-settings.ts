import * as v from "valibot";
import { defineTool } from "../tool/tool.ts";

/** An agent's settings for memories of its users. */
export type MemorySettings = {
  /** Whether the model may save memories of the user by a tool, for all later runs. */
  readonly enable_agentic_memory: boolean;
  /** Whether each run ends with a search for what is worth remembering of the user. */
  readonly update_memory_on_run: boolean;
  /** Whether the model is shown the memories; when absent, it is if one of the other settings is on. */
  readonly add_memories_to_context?: boolean;
};

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

/** How many memories the model is shown. */
export const KNOWN_MEMORIES = 50;

/** Whether an agent saves memories of its users. */
export const usesMemories = ({ enable_agentic_memory, update_memory_on_run }: MemorySettings): boolean =>
  enable_agentic_memory || update_memory_on_run;
