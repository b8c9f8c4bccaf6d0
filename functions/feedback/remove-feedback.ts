import type { Handler } from "../../shared/http/handler.ts";
import type { feedbackRoutes } from "../../shared/routes/feedback.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { removeFeedback as takeBack } from "../../shared/stores/feedback/index.ts";
import type { FeedbackDeps } from "./feedback-deps.ts";
import { requireFeedbackScope } from "./judged-run.ts";
import { visibleFeedback } from "./visible-feedback.ts";

type Needs = Pick<FeedbackDeps, "db" | "clock">;

/** @throws ServiceError NOT_FOUND; UNAUTHORIZED for what another author said, without `feedback:delete` */
export const removeFeedback: Handler<typeof feedbackRoutes.removeFeedback, Needs> = async (
  { params, query, principal },
  { db, clock },
) => {
  const now = epochSeconds(clock);
  const { session, feedback } = await visibleFeedback(db, principal, { ...params, ...query }, now);
  const isAuthor = feedback.author !== null && feedback.author === principal.user_id;
  if (!isAuthor) requireFeedbackScope(principal, "feedback:delete");
  await takeBack(db, session, feedback, now);
  return undefined;
};
