import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { feedbackRoutes } from "../../shared/routes/feedback.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { FeedbackDeps } from "./feedback-deps.ts";
import { formPage, pageHeaders } from "./link-page.ts";
import { linkedRun } from "./linked-run.ts";

/** Writes nothing: whatever scans mail opens links. @throws ServiceError GONE */
export const getFeedbackForm: Handler<typeof feedbackRoutes.getFeedbackForm, FeedbackDeps> = async (
  { params: { token } },
  deps,
) => {
  const { link } = await linkedRun(deps, token, epochSeconds(deps.clock));
  return new Reply(200, formPage(link.key, deps.settings.FEEDBACK_KEYS), pageHeaders);
};
