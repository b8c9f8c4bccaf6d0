import { notFound, ServiceError } from "../../shared/errors.ts";
import { recordFeedback } from "../../shared/feedback/record-feedback.ts";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { feedbackRoutes } from "../../shared/routes/feedback.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { wireFeedback } from "../../shared/stores/feedback/index.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { type FeedbackDeps, recordingWith } from "./feedback-deps.ts";
import { runToJudge } from "./judged-run.ts";

/**
 * Records feedback. A live run may be judged too.
 *
 * @throws ServiceError UNAUTHORIZED, NOT_FOUND, and UNPROCESSABLE for a key, a score or a message that is none
 */
export const giveFeedback: Handler<typeof feedbackRoutes.giveFeedback, FeedbackDeps> = async (
  { params: { run_id }, body, principal },
  deps,
) => {
  const { session_id, author: named, ...said } = body;
  const now = epochSeconds(deps.clock);
  const whole = said.message_id !== undefined;
  const judged = await runToJudge(deps.db, principal, { run_id, session_id }, { named, whole, now });
  const fault = messageFault(judged.run, said.message_id);
  if (fault !== undefined) throw new ServiceError("UNPROCESSABLE", fault);
  const { author, isNamed } = judged;
  const given = { ...said, author, isNamed };
  const { outcome, feedback } = await recordFeedback(recordingWith(deps), judged, given, now);
  if (outcome === "gone") throw notFound("run", run_id);
  return new Reply(outcome === "created" ? 201 : 200, wireFeedback(feedback));
};

function messageFault({ output }: StoredRun, message_id: string | undefined): string | undefined {
  const isKnown = message_id === undefined || output.messages?.some(({ id }) => id === message_id);
  return isKnown ? undefined : `the run has no message ${message_id}`;
}
