import { runsOf } from "../../api/kinds.ts";
import { MOST, type Outcome, oneByOne } from "../../api/one-by-one.ts";
import { platform } from "../../api/platform.ts";
import { type Job, mayCancel, mayRequeue, type selectionOf } from "./queue-query.ts";
import type { Options } from "./requeue-options.tsx";

export type Act = "requeue" | "cancel";
type Cancelled = "queued" | "running" | "paused";
type Requeued = "failed" | "cancelled";

export type Target =
  | { readonly which: "chosen"; readonly jobs: readonly Job[] }
  | {
      readonly which: "matching";
      readonly status: Job["status"];
      readonly selection: ReturnType<typeof selectionOf>;
    };

/** Which of some jobs an act is for at all. */
export const actable = (act: Act, jobs: readonly Job[]): readonly Job[] =>
  jobs.filter(act === "requeue" ? mayRequeue : mayCancel);

/** What the platform says would happen; nothing is changed. */
export async function rehearse(act: Act, target: Target, options: Options): Promise<Outcome> {
  if (target.which === "matching") return send(act, target.status, target.selection, options, true);
  // Bulk requests know no ids: the chosen ones are picked from what it says of all between the oldest and the newest.
  const created = target.jobs.map(({ created_at }) => created_at);
  const between = { created_after: Math.min(...created), created_before: Math.max(...created) };
  const statuses = [...new Set(target.jobs.map(({ status }) => status))];
  const all = await Promise.all(statuses.map((status) => send(act, status, between, options, true)));
  const chosen = new Set(target.jobs.map(({ id }) => id));
  const refused = all.flatMap((one) => one.refused).filter(({ id }) => chosen.has(id));
  const done = all.flatMap((one) => one.done).filter((id) => chosen.has(id));
  const answered = new Set([...done, ...refused.map(({ id }) => id)]);
  const untold = [...chosen].filter((id) => !answered.has(id));
  const detail = "it has changed, or too many jobs lie between the oldest and the newest that are chosen";
  return { done, refused: [...refused, ...untold.map((id) => ({ id, detail }))], more: false };
}

export function execute(act: Act, target: Target, options: Options): Promise<Outcome> {
  return target.which === "matching"
    ? send(act, target.status, target.selection, options, false)
    : oneByOne(
        target.jobs,
        ({ id }) => id,
        ({ id, component_type, component_id, session_id }) =>
          act === "requeue"
            ? platform.requeueJob({ path: { job_id: id }, query: options })
            : runsOf(component_type, component_id).cancel(id, session_id),
      );
}

async function send(
  act: Act,
  status: Job["status"],
  selection: ReturnType<typeof selectionOf>,
  { force, clear_cancellation }: Options,
  dry_run: boolean,
): Promise<Outcome> {
  const common = { ...selection, limit: MOST, dry_run };
  if (act === "cancel") {
    const { cancelled, refused, more } = await platform.cancelJobs({
      body: { ...common, status: [status as Cancelled] },
    });
    return { done: cancelled, refused, more };
  }
  const { requeued, refused, more } = await platform.requeueJobs({
    body: { ...common, status: [status as Requeued], force, clear_cancellation },
  });
  return { done: requeued, refused, more };
}
