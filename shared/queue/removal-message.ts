import * as v from "valibot";

/** Names a session whose runs are to be removed. Carries ids only: the tombstone is the truth. */
export const RemovalMessage = v.object({
  session_id: v.string(),
  /** How often the removal has waited for runs that were still executing. */
  round: v.number(),
});
export type RemovalMessage = v.InferOutput<typeof RemovalMessage>;
