import type { SigningRoots } from "../../shared/outbound/index.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { FeedbackKeys } from "../../shared/schemas/feedback/feedback-keys.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { ExportFeedback } from "../../shared/tracing/export-feedback.ts";

export type FeedbackDeps = {
  readonly db: Db;
  readonly clock: Clock;
  /** Sends feedback to where the run's spans are; absent where nothing is exported. */
  readonly exportFeedback?: ExportFeedback | undefined;
  /** What links are sealed with; read only where there are links. */
  readonly signingRoots: () => Promise<SigningRoots>;
  readonly settings: {
    readonly FEEDBACK_KEYS?: FeedbackKeys | undefined;
    readonly FEEDBACK_LINKS: "on" | "off";
    readonly PUBLIC_URL?: string | undefined;
  };
};

/** What the recording of feedback needs of it. */
export const recordingWith = ({ db, exportFeedback, settings }: FeedbackDeps) => ({
  ...{ db, exportFeedback },
  keys: settings.FEEDBACK_KEYS,
});
