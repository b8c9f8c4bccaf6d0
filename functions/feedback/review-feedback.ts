import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { feedbackRoutes } from "../../shared/routes/feedback.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { reviewFeedback as recordReview, wireFeedback } from "../../shared/stores/feedback/index.ts";
import type { FeedbackDeps } from "./feedback-deps.ts";
import { visibleFeedback } from "./visible-feedback.ts";

type Needs = Pick<FeedbackDeps, "db" | "clock">;

/** Records that feedback was looked at; a change by its author makes it new again. @throws ServiceError NOT_FOUND */
export const reviewFeedback: Handler<typeof feedbackRoutes.reviewFeedback, Needs> = async (
  { params, query, body, principal },
  { db, clock },
) => {
  const now = epochSeconds(clock);
  const { session, feedback } = await visibleFeedback(db, principal, { ...params, ...query }, now);
  const reviewed = await recordReview(db, session, feedback, body.review_status, now);
  if (!reviewed) throw notFound("feedback", params.feedback_id);
  return wireFeedback(reviewed);
};
