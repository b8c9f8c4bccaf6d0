import { feedbackFault } from "../../shared/domain/feedback/feedback-fault.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { FeedbackRole } from "../../shared/schemas/feedback/feedback.ts";
import { type Given, type GivenFeedback, giveFeedback } from "../../shared/stores/feedback/index.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { FeedbackDeps } from "./feedback-deps.ts";
import type { JudgedRun } from "./judged-run.ts";

type Said = Pick<
  GivenFeedback,
  "key" | "score" | "value" | "comment" | "correction" | "source" | "author"
> & {
  readonly message_id?: string | undefined;
  /** Whether another caller says it in the author's name. */
  readonly isNamed: boolean;
};

/** Records what an author says about a run. @param now epoch seconds @throws ServiceError UNPROCESSABLE */
export async function record(
  { db, settings, exportFeedback }: Pick<FeedbackDeps, "db" | "settings" | "exportFeedback">,
  { run, session }: Pick<JudgedRun, "run" | "session">,
  { isNamed, ...said }: Said,
  now: number,
): Promise<Given> {
  const fault = feedbackFault(said, settings.FEEDBACK_KEYS);
  if (fault !== undefined) throw new ServiceError("UNPROCESSABLE", fault);
  const { run_id, session_id, component_type, component_id, component_version } = run;
  const given = {
    ...said,
    ...{ run_id, session_id, component_type, component_id, user_id: run.owner },
    ...(component_version !== undefined && { component_version }),
    role: roleOf(run, said.author, isNamed),
  };
  const outcome = await giveFeedback(db, session, given, now);
  if (outcome.outcome === "created" || outcome.outcome === "replaced")
    await exportFeedback?.(run, outcome.feedback);
  return outcome;
}

function roleOf(run: StoredRun, author: string | null, isNamed: boolean): FeedbackRole {
  if (author === run.owner) return "user";
  return isNamed ? "participant" : "operator";
}
