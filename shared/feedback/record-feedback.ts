import { feedbackFault } from "../domain/feedback/feedback-fault.ts";
import { ServiceError } from "../errors.ts";
import type { FeedbackRole } from "../schemas/feedback/feedback.ts";
import type { FeedbackKeys } from "../schemas/feedback/feedback-keys.ts";
import type { Db } from "../stores/db.ts";
import {
  type Given,
  type GivenFeedback,
  giveFeedback,
  type JudgedSession,
} from "../stores/feedback/index.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import type { ExportFeedback } from "../tracing/export-feedback.ts";

type Needs = {
  readonly db: Db;
  /** Sends feedback to where the run's spans are; absent where nothing is exported. */
  readonly exportFeedback?: ExportFeedback | undefined;
  /** The keys that the instance knows; absent where it may be any. */
  readonly keys?: FeedbackKeys | undefined;
};

type Said = Pick<
  GivenFeedback,
  "key" | "score" | "value" | "comment" | "correction" | "source" | "author"
> & {
  readonly message_id?: string | undefined;
  /** Whether another caller says it in the author's name. */
  readonly isNamed: boolean;
};

/**
 * Records what an author says about a run, by whichever way it was given.
 *
 * @param now  epoch seconds
 * @throws ServiceError UNPROCESSABLE
 */
export async function recordFeedback(
  { db, keys, exportFeedback }: Needs,
  { run, session }: { readonly run: StoredRun; readonly session: JudgedSession },
  { isNamed, ...said }: Said,
  now: number,
): Promise<Given> {
  const fault = feedbackFault(said, keys);
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
