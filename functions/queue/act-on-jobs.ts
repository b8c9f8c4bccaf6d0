import type { StoredJob } from "../../shared/stores/jobs/job-item.ts";

/** A job that nothing was done with, and why, for the operator. */
export type RefusedJob = { readonly id: string; readonly detail: string };

type Done = { readonly done: readonly string[]; readonly refused: readonly RefusedJob[] };

/** Jobs that are written at a time: a thousand then fit into one request. */
const AT_A_TIME = 10;

/**
 * Does something with many jobs, several at a time, in their order.
 *
 * @param act     given a job and its position; returns why it was refused
 * @param signal  aborts when the function is about to end; what was not reached by then is refused
 */
export async function actOnJobs<One extends { readonly job: StoredJob }>(
  some: readonly One[],
  act: (one: One, position: number) => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<Done> {
  const done: string[] = [];
  const refused: RefusedJob[] = [];
  for (let from = 0; from < some.length; from += AT_A_TIME) {
    const wave = some.slice(from, from + AT_A_TIME);
    const details = await Promise.all(
      wave.map((one, i) => (signal.aborted ? NOT_REACHED : act(one, from + i))),
    );
    for (const [i, { job }] of wave.entries()) {
      const detail = details[i];
      if (detail === undefined) done.push(job.id);
      else refused.push({ id: job.id, detail });
    }
  }
  return { done, refused };
}

const NOT_REACHED = "the request ran out of time before this job; repeat it";
