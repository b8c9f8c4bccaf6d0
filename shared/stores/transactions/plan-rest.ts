import { isNew, type Part, putItem } from "../../data/index.ts";
import { newRunId } from "../../runtime/ids.ts";
import type { InputMedia } from "../../schemas/runs/media.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../db.ts";
import { jobItem, spillJob } from "../jobs/job-item.ts";
import { jobOfRun } from "../jobs/job-of-run.ts";
import { jobChange } from "../jobs/move-job.ts";
import { type Publication, publishChanges } from "../outbox/change-event.ts";
import {
  listInbox,
  moveMessage,
  nothingAfter,
  type Said,
  type StoredMessage,
  saidIn,
} from "../runs/inbox/inbox-item.ts";
import { runItem, type StoredRun, spillRun } from "../runs/run-item.ts";
import type { AwaitingJob } from "../runs/run-update.ts";

/** What an ending needs to know of the messages to its run. */
export type InboxEnding = {
  readonly run: StoredRun;
  /** The number up to which they are settled. */
  readonly settled: number;
  /** Ids of those that the run has. */
  readonly placed: ReadonlySet<string>;
  /** Attempts of the run that answers the rest; undefined where nothing executes it, so that the rest stays unread. */
  readonly budget: number | undefined;
};

/** The parts of an ending that leave no message behind. */
export type PlannedRest = {
  readonly inbox: Part;
  readonly publication: Publication | undefined;
  /** The job of the run that answers the rest. */
  readonly job: AwaitingJob | undefined;
};

/** The common case, which reads nothing: everything that was sent is settled. */
export const nothingLeft = ({ run, settled }: InboxEnding): PlannedRest => ({
  inbox: nothingAfter(run.run_id, settled),
  publication: undefined,
  job: undefined,
});

/** What came too late for a run becomes one new run of its session, in the transaction of its end. @param now epoch seconds */
export async function planRest(db: Db, ending: InboxEnding, now: number): Promise<PlannedRest> {
  const { run, placed, budget } = ending;
  const all = await listInbox(db, run.run_id);
  const rest = all.filter(
    ({ state, message_id }) => state === "unread" || (state === "taken" && !placed.has(message_id)),
  );
  const last = nothingAfter(run.run_id, all.length);
  if (rest.length === 0 || budget === undefined)
    return { inbox: last, publication: undefined, job: undefined };
  const next = runOfRest(run, rest, await Promise.all(rest.map((one) => saidIn(db, one))), now);
  const queued = jobOfRun({ run: next, stream: false, attempt: 0, budget, available_at: now });
  const [job, spilled] = await Promise.all([spillJob(db, queued), spillRun(db, next)]);
  const publication = await publishChanges(db, [jobChange(job, "queued", now)]);
  return {
    inbox: [
      last,
      ...rest.map((one) => moveMessage(run.run_id, one, next.run_id)),
      putItem("jobs", jobItem(db, job), isNew),
      putItem("runs", runItem(spilled), isNew),
      ...publication.entries,
    ],
    publication,
    job: { job_id: job.id, user_id: job.user_id },
  };
}

function runOfRest(
  run: StoredRun,
  rest: readonly StoredMessage[],
  said: readonly Said[],
  now: number,
): StoredRun {
  const run_id = newRunId();
  const { session_id, owner, component_type, component_id, component_version, compacted } = run;
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
    ...{ status: "PENDING", attempt: 0, queued: true, opens_session: false, kwargs: {}, output },
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
