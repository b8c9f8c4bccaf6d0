import { callerOf } from "../../shared/auth/caller.ts";
import { FEEDBACK_OF_ALL } from "../../shared/auth/scopes/sees-all-feedback.ts";
import { feedbackFault } from "../../shared/domain/feedback/feedback-fault.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { feedbackRoutes } from "../../shared/routes/feedback.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { FeedbackRole } from "../../shared/schemas/feedback/feedback.ts";
import { giveFeedback as recordFeedback, wireFeedback } from "../../shared/stores/feedback/index.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { FeedbackDeps } from "./feedback-deps.ts";
import { judgedRun, requireFeedbackScope } from "./judged-run.ts";

/**
 * Records feedback. A live run may be judged too.
 *
 * @throws ServiceError UNAUTHORIZED, NOT_FOUND, and UNPROCESSABLE for a key, a score or a message that is none
 */
export const giveFeedback: Handler<typeof feedbackRoutes.giveFeedback, FeedbackDeps> = async (
  { params: { run_id }, body, principal },
  { db, clock, settings },
) => {
  const { session_id, author: named, ...said } = body;
  const now = epochSeconds(clock);
  if (named !== undefined) requireFeedbackScope(principal, FEEDBACK_OF_ALL);
  const whole = said.message_id !== undefined;
  const options = { actions: ["run"], whole, now } as const;
  const { run, session, isOwn } = await judgedRun(db, principal, { run_id, session_id }, options);
  if (!isOwn) requireFeedbackScope(principal, "feedback:write");
  const fault = feedbackFault(said, settings.FEEDBACK_KEYS) ?? messageFault(run, said.message_id);
  if (fault !== undefined) throw new ServiceError("UNPROCESSABLE", fault);
  const author = named ?? callerOf(principal).user_id;
  const { component_type, component_id, component_version } = run;
  const { outcome, feedback } = await recordFeedback(
    db,
    session,
    {
      ...said,
      ...{ run_id, session_id, component_type, component_id, author, user_id: run.owner },
      ...(component_version !== undefined && { component_version }),
      role: roleOf(run, author, named),
    },
    now,
  );
  if (outcome === "gone") throw notFound("run", run_id);
  return new Reply(outcome === "created" ? 201 : 200, wireFeedback(feedback));
};

function messageFault({ output }: StoredRun, message_id: string | undefined): string | undefined {
  const isKnown = message_id === undefined || output.messages?.some(({ id }) => id === message_id);
  return isKnown ? undefined : `the run has no message ${message_id}`;
}

function roleOf(run: StoredRun, author: string | null, named: string | undefined): FeedbackRole {
  if (author === run.owner) return "user";
  return named === undefined ? "operator" : "participant";
}
