import type { Clock } from "../../shared/runtime/clock.ts";
import type { FeedbackKeys } from "../../shared/schemas/feedback/feedback-keys.ts";
import type { Db } from "../../shared/stores/db.ts";

export type FeedbackDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly settings: { readonly FEEDBACK_KEYS?: FeedbackKeys | undefined };
};
