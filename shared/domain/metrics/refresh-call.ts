import * as v from "valibot";

/** What the refresher is called with. */
export const RefreshCall = v.object({
  refresh_id: v.string(),
  /** Whose figures; absent for everybody's. */
  user_id: v.optional(v.string()),
});
export type RefreshCall = v.InferOutput<typeof RefreshCall>;
