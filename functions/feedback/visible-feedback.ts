import type { Principal } from "../../shared/auth/principal.ts";
import { notFound } from "../../shared/errors.ts";
import type { Db } from "../../shared/stores/db.ts";
import { feedbackOfRun, type StoredFeedback } from "../../shared/stores/feedback/index.ts";
import { type JudgedRun, judgedRun } from "./judged-run.ts";

type Place = { readonly run_id: string; readonly session_id: string; readonly feedback_id: string };

/** Feedback that a request names, with its run. @param now epoch seconds @throws ServiceError NOT_FOUND, UNAUTHORIZED */
export async function visibleFeedback(
  db: Db,
  principal: Principal,
  { feedback_id, ...place }: Place,
  now: number,
): Promise<JudgedRun & { readonly feedback: StoredFeedback }> {
  const judged = await judgedRun(db, principal, place, { actions: ["run"], now });
  const all = await feedbackOfRun(db, place.run_id);
  const feedback = all.feedback.find((one) => one.feedback_id === feedback_id);
  if (!feedback) throw notFound("feedback", feedback_id);
  return { ...judged, feedback };
}
