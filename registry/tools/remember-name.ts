import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

/** Saves the guest's name in the session state, where later runs find it. */
export const rememberName = defineTool({
  name: "remember_name",
  description: "Remember how the guest wants to be called.",
  parameters: v.object({ name: v.pipe(v.string(), v.nonEmpty()) }),
  effect: "safe",
  execute: ({ name }, { updateSessionState }) => {
    updateSessionState({ guest: name });
    return `I will call you ${name}.`;
  },
});
