import * as v from "valibot";

/**
 * A call that is not over at its server: which waits for answers of a person, or goes on there by itself. What the server wants back is
 * kept beside the run, under `kept`: it is for the server alone.
 */
export const RemoteCall = v.object({
  /** As people know it: `the MCP server crm`. */
  server: v.string(),
  /** How often it was called so far. */
  round: v.number(),
  kept: v.string(),
  /** Whether it goes on there, as a task, until it is cancelled. */
  follows: v.boolean(),
  /** What the server asks a person; absent while it asks nothing. */
  message: v.optional(v.string()),
  /** A page that the person is to open. */
  url: v.optional(v.string()),
});
export type RemoteCall = v.InferOutput<typeof RemoteCall>;
