import { MAX_CAUSE_CHARS, MAX_OUTPUT_BYTES, type TaskEnd } from "../../../shared/outbound/sending.ts";
import type { RunFacts, StoredEvent } from "../../../shared/stores/outbox/index.ts";
import { getRunHead } from "../../../shared/stores/runs/get-run.ts";
import { dataOf } from "../bodies/data-of.ts";
import type { TargetKind } from "./target-kind.ts";

/** The task of a state machine that waits for the run. */
export const task: TargetKind = {
  isUnlimited: true,

  targetsOf: async (_deps, { run, owner }) =>
    run?.task ? [{ id: "task", host: "step-functions", user_id: owner }] : [],

  deliver: async ({ db, tasks }, _delivery, event, now) => {
    const { run: facts, owner, subject } = event;
    if (!facts) return { skipped: "the event is about no run" };
    if (!tasks) return failed("taskTokens is off on this instance", true);
    const at = { owner, session_id: facts.session_id, run_id: subject.id };
    const { task_token } = facts;
    const token = task_token ?? (await getRunHead(db, at, now))?.task_token;
    // The event instead has the token itself; see `publish-deleted-task.ts`.
    if (token === undefined) return { skipped: "the run was deleted" };
    const data = task_token ? undefined : await dataOf(db, event, { include_content: true }, now);
    const ended = await tasks.end(token, endOf(event, facts, data));
    if (!ended.accepted && ended.isFinal && task_token) return { skipped: "the task had ended before" };
    if (!ended.accepted) return failed(ended.error, ended.isFinal);
    return {
      result: { accepted: true },
      attempt: { response_status: 200, response: null, error: null },
    };
  },
};

const failed = (error: string, isFinal: boolean) => ({
  result: { accepted: false, isFinal } as const,
  ...(isFinal && { reason: error }),
  attempt: { response_status: null, response: null, error },
});

/** Names of failures, for `Catch` and `Retry` of a state machine. */
const errors = {
  ERROR: "AgentPlatform.RunFailed",
  CANCELLED: "AgentPlatform.RunCancelled",
  deleted: "AgentPlatform.RunDeleted",
} as const;

function endOf(
  { subject }: StoredEvent,
  { session_id, status }: RunFacts,
  data: Readonly<Record<string, unknown>> | undefined,
): TaskEnd {
  const ids = { run_id: subject.id, session_id, status };
  if (!data) return { succeeds: false, error: errors.deleted, cause: JSON.stringify(ids) };
  const text = JSON.stringify(data);
  if (status === "COMPLETED") {
    const fits = Buffer.byteLength(text) <= MAX_OUTPUT_BYTES;
    const cut = { ...data, content: null, content_omitted: "too_large" };
    return { succeeds: true, output: fits ? text : JSON.stringify(cut) };
  }
  const error = status === "CANCELLED" ? errors.CANCELLED : errors.ERROR;
  return { succeeds: false, error, cause: text.length <= MAX_CAUSE_CHARS ? text : JSON.stringify(ids) };
}
