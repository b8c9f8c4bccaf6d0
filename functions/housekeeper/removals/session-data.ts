import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { TableName } from "../../../shared/settings/table-env.ts";
import { approvalIds } from "../../../shared/stores/approvals/end-approvals.ts";
import { purgeApproval } from "../../../shared/stores/approvals/remove-approval.ts";
import { onlineEvalId, purgeTrial, trialOfSession } from "../../../shared/stores/evals/index.ts";
import { removeFeedbackOfRun } from "../../../shared/stores/feedback/index.ts";
import type { StoredJob } from "../../../shared/stores/jobs/job-item.ts";
import { purgeJob } from "../../../shared/stores/jobs/purge-job.ts";
import { publishDeletedTask, removeOutboxOfRun } from "../../../shared/stores/outbox/index.ts";
import { removeSessionLearnings } from "../../../shared/stores/owned/index.ts";
import { removeRun } from "../../../shared/stores/runs/remove-run.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import type { RunAddress } from "../../../shared/stores/runs/run-keys.ts";
import { removeRoom } from "../../../shared/stores/runs/stored-results.ts";
import { purgeScheduleRun } from "../../../shared/stores/schedules/index.ts";
import type { Tombstone } from "../../../shared/stores/sessions/tombstone.ts";
import { removeTrace, traceIdOf, tracesOfSession } from "../../../shared/stores/traces/index.ts";
import { eraseCases } from "./erase-cases.ts";
import type { RemoverDeps } from "./remover-deps.ts";

/** A run of a removed session that no process executes any more. */
export type StoppedRun = {
  readonly at: RunAddress;
  /** Its record; undefined when it was removed before. */
  readonly run: StoredRun | undefined;
  /** Its job, as long as that is stored. */
  readonly job: StoredJob | undefined;
};

/** How a place loses what was said: with each run, or once for the whole session, after its runs. */
type Holder = {
  readonly ofRun?: (deps: RemoverDeps, stopped: StoppedRun) => Promise<void>;
  readonly ofSession?: (deps: RemoverDeps, session: Tombstone) => Promise<void>;
};

/** A place where nothing is removed with a session, and why. */
type Free = { readonly because: string };

/**
 * Every place where something is stored, and what a session's removal does there. A new table does not compile until it
 * is decided here what it holds; `test/long/sessions/nothing-is-left.test.ts` searches all of them.
 *
 * The order counts: a run's record is removed last, because all the others are found by it.
 */
export const sessionDataByTable = {
  approvals: {
    ofRun: async ({ db }, { run }) => {
      if (!run) return;
      const ids = new Set([...(run.approval_ids ?? []), ...approvalIds(run.output)]);
      await Promise.all([...ids].map((id) => purgeApproval(db, id)));
    },
  },
  schedules: {
    ofRun: async ({ db }, { run, job }) => {
      const attempt = run?.schedule_run ?? job?.schedule_run;
      if (attempt) await purgeScheduleRun(db, attempt);
    },
  },
  traces: {
    ofRun: ({ db, clock }, { at }) => removeTrace(db, traceIdOf(at.run_id), at.owner, epochSeconds(clock)),
    // A trace is written in parallel with the end of its run, and may come after the run was removed.
    ofSession: async ({ db, clock }, { user_id, session_id }) => {
      for await (const { trace_id } of tracesOfSession(db, user_id, session_id)) {
        await removeTrace(db, trace_id, user_id, epochSeconds(clock));
      }
    },
  },
  // With the events of each.
  feedback: { ofRun: ({ db }, { at }) => removeFeedbackOfRun(db, at.run_id) },
  jobs: { ofRun: ({ db }, { at }) => purgeJob(db, at.run_id) },
  // What receivers answered may repeat what was said.
  outbox: {
    ofRun: async ({ db, clock }, { at, run }) => {
      if (run) await publishDeletedTask(db, run, epochSeconds(clock));
      await removeOutboxOfRun(db, at.run_id);
    },
  },
  // With its events, its tool calls, its checkpoint and its task.
  runs: {
    ofRun: ({ db }, { at }) => removeRun(db, at),
    // How much room its stored results take.
    ofSession: ({ db }, { user_id, session_id }) => removeRoom(db, { owner: user_id, session_id }),
  },
  learnings: {
    ofSession: ({ db }, { user_id, session_id }) => removeSessionLearnings(db, user_id, session_id),
  },
  evals: {
    // A run that was judged after its end.
    ofRun: ({ db }, { at }) => purgeTrial(db, { id: onlineEvalId(at.run_id), number: 0 }, at.owner),
    ofSession: async (deps, { user_id, session_id }) => {
      const trial = trialOfSession(session_id);
      if (trial) await purgeTrial(deps.db, trial, user_id);
      await eraseCases(deps, { owner: user_id, session_id });
    },
  },
  // Media, and values that were too large for an item.
  objects: {
    ofSession: ({ removeObjectsOf }, { user_id, session_id }) => removeObjectsOf(user_id, session_id),
  },
  sessions: { because: "the tombstone has none of it from the moment of the request" },
  memories: { because: "a memory is about the user, who removes it; what led to it is not stored" },
  chats: {
    because:
      "the text of a message is removed as soon as it is answered, and ids of runs lead nowhere without them",
  },
  components: { because: "it holds what components are, not what they said" },
  knowledge: { because: "contents are uploaded for all sessions" },
  chunks: { because: "contents are uploaded for all sessions" },
  service_accounts: { because: "it holds names and digests of tokens" },
  budgets: { because: "it holds sums" },
  metrics: { because: "it holds sums" },
  databases: { because: "it holds versions" },
  audit: {
    because: "who did what to a session is evidence, kept for its own time; what was said is not in it",
  },
} as const satisfies Record<TableName | "objects", Holder | Free>;

const holders: readonly Holder[] = Object.values<Holder | Free>(sessionDataByTable).flatMap((place) =>
  "because" in place ? [] : [place],
);

/** Removes one run, and what was said in it wherever it is stored. */
export async function removeRunData(deps: RemoverDeps, stopped: StoppedRun): Promise<void> {
  for (const { ofRun } of holders) await ofRun?.(deps, stopped);
}

/** Removes what is left of a session once its runs are removed. */
export async function removeSessionData(deps: RemoverDeps, session: Tombstone): Promise<void> {
  for (const { ofSession } of holders) await ofSession?.(deps, session);
}
