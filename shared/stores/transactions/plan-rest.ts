import { isNew, type Part, putItem } from "../../data/index.ts";
import { steeredIds } from "../../domain/runs/steered-ids.ts";
import { newRunId } from "../../runtime/ids.ts";
import type { InputMedia } from "../../schemas/runs/media.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../db.ts";
import { jobItem, jobOfRun, spillJob } from "../jobs/job-item.ts";
import { jobChange } from "../jobs/move-job.ts";
import { type Publication, publishChanges } from "../outbox/change-event.ts";
import { readCheckpoint } from "../runs/checkpoint.ts";
import { getRunHead } from "../runs/get-run.ts";
import {
  listInbox,
  moveMessage,
  nothingAfter,
  type Said,
  type StoredMessage,
  saidIn,
} from "../runs/inbox-item.ts";
import { listLiveRuns } from "../runs/listing/live-runs.ts";
import { runItem, type StoredRun, spillRun, wholeRun } from "../runs/run-item.ts";
import type { AwaitingJob } from "../runs/run-update.ts";
import { getSessionHead, type StoredSession } from "../sessions/session-item.ts";

/** What an ending needs to know of the messages to its run. */
export type InboxEnding = {
  /** As it was read, with or without its large fields. */
  readonly run: StoredRun;
  /** The output that is written with the end. */
  readonly output: StoredOutput;
  /** Whether the run has failed. A message whose sender wants no run of its own stays unread then. */
  readonly failed: boolean;
  /** The number up to which they are settled. */
  readonly settled: number;
  /** Attempts of the run that answers the rest; undefined where nothing executes it, so that the rest stays unread. */
  readonly budget: number | undefined;
  /** Epoch seconds. */
  readonly now: number;
};

/** The parts of an ending that leave no message behind. */
export type PlannedRest = {
  readonly inbox: Part;
  /** The session as it was read, in which the run of the rest takes a turn. */
  readonly turnIn?: StoredSession;
  readonly publication?: Publication;
  /** The job of the run that answers the rest. */
  readonly job?: AwaitingJob;
};

/** The common case, which reads nothing: everything that was sent is settled. */
export const nothingLeft = ({ run, settled }: InboxEnding): PlannedRest => ({
  inbox: nothingAfter(run.run_id, settled),
});

/**
 * What came too late for a run becomes one new run of its session, in the transaction of its end. It takes its turn there: it
 * waits for the runs that are live.
 *
 * @source docs/interface/runs.md 7.7
 */
export async function planRest(db: Db, ending: InboxEnding): Promise<PlannedRest> {
  const { run, budget, failed, now } = ending;
  const all = await listInbox(db, run.run_id);
  const inbox = nothingAfter(run.run_id, all.length);
  const rest = (await withoutPlaced(db, ending, all)).filter(({ if_ended }) => if_ended === "run" || !failed);
  if (rest.length === 0 || budget === undefined) return { inbox };
  const turnIn = await getSessionHead(db, run.session_id);
  if (!turnIn) return { inbox }; // it is removed, with all that is in it
  const live = await listLiveRuns(db, run.owner, run.session_id, now);
  const said = await Promise.all(rest.map((one) => saidIn(db, one)));
  const next = runOfRest(run, rest, said, now);
  const waits_for = live.filter((id) => id !== run.run_id);
  const queued = jobOfRun({ run: next, stream: false, attempt: 0, budget, available_at: now });
  const [job, spilled] = await Promise.all([
    spillJob(db, { ...queued, ...(waits_for.length > 0 && { waits_for }) }),
    spillRun(db, next),
  ]);
  const publication = await publishChanges(db, [jobChange(job, "queued", now)]);
  return {
    inbox: [
      inbox,
      ...rest.map((one) => moveMessage(run.run_id, one, next.run_id)),
      putItem("jobs", jobItem(db, job), isNew),
      putItem("runs", runItem(spilled, db), isNew),
      ...publication.entries,
    ],
    turnIn,
    publication,
    job: { job_id: job.id, user_id: job.user_id },
  };
}

/** The messages that were not taken, and those that were taken and got into no checkpoint and no output. */
async function withoutPlaced(
  db: Db,
  ending: InboxEnding,
  all: readonly StoredMessage[],
): Promise<readonly StoredMessage[]> {
  const { run, output } = ending;
  const open = all.filter(({ state }) => state === "unread" || state === "taken");
  if (open.every(({ state }) => state === "unread")) return open;
  // Read again: its checkpoints since are not in what the execution began with.
  const now = (await getRunHead(db, run, ending.now)) ?? run;
  const [whole, checkpoint] = await Promise.all([wholeRun(db, now), readCheckpoint<unknown>(db, now)]);
  const placed = new Set([output, whole.output, checkpoint?.state].flatMap(steeredIds));
  return open.filter(({ message_id, state }) => state === "unread" || !placed.has(message_id));
}

function runOfRest(
  run: StoredRun,
  rest: readonly StoredMessage[],
  said: readonly Said[],
  now: number,
): StoredRun {
  const run_id = newRunId();
  const { session_id, owner, component_type, component_id, component_version, compacted } = run;
  const { draft_config } = run.kwargs;
  const user_id = rest[0]?.user_id ?? run.output.user_id ?? null;
  const output = {
    ...namesIn(run.output),
    ...{ run_id, session_id, created_at: now, status: "PENDING" as const },
    ...(user_id !== null && { user_id }),
    input: { input_content: said.map(({ content }) => content).join("\n\n"), ...joinedMedia(said) },
    metadata: { ...run.output.metadata, steered_from: run.run_id },
  };
  return {
    ...{ run_id, session_id, owner, component_type, component_id },
    ...(component_version !== undefined && { component_version }),
    ...(compacted && { compacted }),
    ...{ status: "PENDING", attempt: 0, queued: true, opens_session: false, output },
    // It is answered by what answered the run that it continues.
    kwargs: draft_config === undefined ? {} : { draft_config },
  };
}

/** What its record says of a run's component and model before it has begun. */
function namesIn({ agent_id, agent_name, team_id, team_name, model, model_provider }: StoredOutput) {
  const names = { agent_id, agent_name, team_id, team_name, model, model_provider };
  const known = Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined));
  return team_id === undefined ? known : { ...known, member_responses: [] };
}

const joinedMedia = (said: readonly Said[]): InputMedia => {
  const kinds = ["images", "audios", "videos", "files"] as const;
  const all = kinds.map((kind) => [kind, said.flatMap(({ media }) => media[kind] ?? [])] as const);
  return Object.fromEntries(all.filter(([, media]) => media.length > 0));
};
