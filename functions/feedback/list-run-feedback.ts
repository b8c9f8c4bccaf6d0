import type { Handler } from "../../shared/http/handler.ts";
import { refuseTooLarge } from "../../shared/http/max-answer-bytes.ts";
import type { feedbackRoutes } from "../../shared/routes/feedback.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { feedbackOfRun, wireFeedback } from "../../shared/stores/feedback/index.ts";
import type { FeedbackDeps } from "./feedback-deps.ts";
import { judgedRun } from "./judged-run.ts";

type Needs = Pick<FeedbackDeps, "db" | "clock">;

/** @throws ServiceError NOT_FOUND, UNAUTHORIZED */
export const listRunFeedback: Handler<typeof feedbackRoutes.listRunFeedback, Needs> = async (
  { params: { run_id }, query: { session_id }, principal },
  { db, clock },
) => {
  const options = { actions: ["read", "run"], now: epochSeconds(clock) } as const;
  await judgedRun(db, principal, { run_id, session_id }, options);
  const { feedback, summary } = await feedbackOfRun(db, run_id);
  const data = feedback.map(wireFeedback);
  refuseTooLarge(data, "The feedback on this run");
  return { data, summary };
};
