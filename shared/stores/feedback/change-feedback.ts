import {
  absent,
  backOff,
  checkItem,
  deleteItem,
  type Guard,
  isNew,
  putItem,
  transact,
  updateItem,
  type Write,
} from "../../data/index.ts";
import type { ChangeType } from "../../schemas/deliveries/event-type.ts";
import type { Db } from "../db.ts";
import { publishChanges } from "../outbox/change-event.ts";
import { type StoredSession, sessionKey } from "../sessions/session-item.ts";
import {
  FEEDBACK_SUMMARY_SHAPE,
  type FeedbackIdentity,
  feedbackIdOf,
  feedbackItem,
  feedbackKey,
  type StoredFeedback,
  summaryKey,
  summed,
  together,
} from "./feedback-item.ts";
import { getFeedback } from "./read-feedback.ts";

/** The session that feedback belongs to, as it was read: with it the feedback goes. */
export type JudgedSession = Pick<StoredSession, "session_id" | "created_at">;

/** What an author says, complete but for what the store adds. */
export type GivenFeedback = Omit<
  StoredFeedback,
  "feedback_id" | "review_status" | "created_at" | "updated_at" | "revision" | "link_changes"
>;

/**
 * `unchanged`: the same was there, and nothing was written. `gone`: the session is being removed. `used_up`: a link was used too
 * often.
 */
export type Given = {
  readonly outcome: "created" | "replaced" | "unchanged" | "gone" | "used_up";
  readonly feedback: StoredFeedback;
};

/** Changes of one record by a link. */
const MAX_LINK_CHANGES = 20;
/** Of many who change the same at once one succeeds each time. */
const TRIES = 32;

/**
 * Records what an author says about a run. There is one record for each run, message, key and author: a second one takes the
 * place of the first, and an equal one writes nothing.
 *
 *   record · sums of the run · the session is there · event    all or nothing
 *
 * @param now  epoch seconds
 */
export async function giveFeedback(
  db: Db,
  session: JudgedSession,
  given: GivenFeedback,
  now: number,
): Promise<Given> {
  for (let tryNumber = 0; ; tryNumber += 1) {
    const before = await getFeedback(db, given);
    if (before && saysTheSame(before, given)) return { outcome: "unchanged", feedback: before };
    const byLink = given.source === "link" ? 1 : 0;
    const link_changes = (before?.link_changes ?? 0) + byLink;
    if (before && byLink > 0 && link_changes > MAX_LINK_CHANGES)
      return { outcome: "used_up", feedback: before };
    const feedback: StoredFeedback = {
      ...given,
      ...(link_changes > 0 && { link_changes }),
      feedback_id: feedbackIdOf(given),
      review_status: "new",
      created_at: before?.created_at ?? now,
      updated_at: now,
      revision: (before?.revision ?? 0) + 1,
    };
    const more = together(before ? summed(before, -1) : {}, summed(feedback, 1));
    const type = before ? "feedback.updated" : "feedback.created";
    const written = await writeChange(db, session, feedback, type, {
      record: putItem("feedback", feedbackItem(feedback), before ? asRead(before) : isNew),
      summary: Object.keys(more).length > 0 ? addedToSummary(given.run_id, more) : undefined,
    });
    if (written === "written") return { outcome: before ? "replaced" : "created", feedback };
    if (written === "gone") return { outcome: "gone", feedback };
    if (tryNumber + 1 >= TRIES) throw new Error("feedback was changed again and again meanwhile");
    await backOff(Math.min(tryNumber, 3));
  }
}

/** @returns undefined where there is none any more. @param now epoch seconds */
export async function reviewFeedback(
  db: Db,
  session: JudgedSession,
  seen: StoredFeedback,
  review_status: StoredFeedback["review_status"],
  now: number,
): Promise<StoredFeedback | undefined> {
  return changeStored(seen, db, async (before) => {
    if (before.review_status === review_status) return before;
    const feedback = { ...before, review_status, updated_at: now, revision: before.revision + 1 };
    const record = putItem("feedback", feedbackItem(feedback), asRead(before));
    const parts = { record, summary: undefined };
    const written = await writeChange(db, session, feedback, "feedback.updated", parts);
    return written === "written" ? feedback : written;
  });
}

/** Takes back what was said. @param now epoch seconds */
export async function removeFeedback(
  db: Db,
  session: JudgedSession,
  seen: StoredFeedback,
  now: number,
): Promise<void> {
  await changeStored(seen, db, async (before) => {
    const written = await writeChange(db, session, { ...before, updated_at: now }, "feedback.deleted", {
      record: deleteItem("feedback", feedbackKey(before), asRead(before)),
      summary: addedToSummary(before.run_id, summed(before, -1)),
    });
    return written === "written" ? before : written;
  });
}

/** Repeats a change from what is stored, as long as another one came first. */
async function changeStored(
  seen: FeedbackIdentity,
  db: Db,
  change: (before: StoredFeedback) => Promise<StoredFeedback | "changed" | "gone">,
): Promise<StoredFeedback | undefined> {
  for (let tryNumber = 0; tryNumber < TRIES; tryNumber += 1) {
    const before = await getFeedback(db, seen);
    const changed = before ? await change(before) : "gone";
    if (changed === "gone") return undefined;
    if (changed !== "changed") return changed;
    await backOff(Math.min(tryNumber, 3));
  }
  throw new Error("feedback was changed again and again meanwhile");
}

const asRead = ({ revision }: StoredFeedback): Guard => ({ revision });

const addedToSummary = (run_id: string, more: Readonly<Record<string, number>>): Write =>
  updateItem("feedback", summaryKey(run_id), { set: { shape: FEEDBACK_SUMMARY_SHAPE }, add: more });

const said = ["score", "value", "comment", "correction", "source", "role"] as const;
const saysTheSame = (before: StoredFeedback, given: GivenFeedback): boolean =>
  said.every((name) => before[name] === given[name]);

/** One transaction. Feedback of a session that is being removed is refused, so that none is left behind. */
async function writeChange(
  db: Db,
  { session_id, created_at }: JudgedSession,
  feedback: StoredFeedback,
  type: Extract<ChangeType, `feedback.${string}`>,
  parts: { readonly record: Write; readonly summary: Write | undefined },
): Promise<"written" | "changed" | "gone"> {
  const { feedback_id, run_id, key, score, role, source, review_status, component_type, component_id } =
    feedback;
  const publication = await publishChanges(db, [
    {
      type,
      id: feedback_id,
      owner: feedback.user_id,
      component: { type: component_type, id: component_id },
      facts: { run_id, session_id, key, score: score ?? null, role, source, review_status },
      step: String(feedback.revision).padStart(6, "0"),
      now: feedback.updated_at,
    },
  ]);
  const result = await transact(db, {
    ...parts,
    session: checkItem("sessions", sessionKey(session_id), { created_at, deleted_at: absent }),
    publication: publication.entries,
  });
  if (result.written) await publication.wake();
  else return result.refused === "session" ? "gone" : "changed";
  return "written";
}
