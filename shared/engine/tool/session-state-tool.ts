import * as v from "valibot";
import { defineTool } from "./tool.ts";

/**
 * Lets a model change the state of the session.
 *
 * @source docs/interface/components.md 5.3
 */
export const sessionStateTool = defineTool({
  name: "update_session_state",
  description:
    "Set values in the state of this conversation, by name. Names that are left out stay as they are.",
  parameters: v.object({
    session_state_updates: v.pipe(
      v.record(v.string(), v.unknown()),
      v.description('the new values by name, such as {"cart": ["milk", "eggs"]}'),
    ),
  }),
  effect: "safe",
  execute: ({ session_state_updates }, { updateSessionState }) => ({
    session_state: updateSessionState(session_state_updates),
  }),
});
