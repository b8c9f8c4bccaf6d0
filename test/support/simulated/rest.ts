import { isTerminal } from "../../../shared/schemas/queue/queue-job.ts";
import type { AcceptedRun } from "../../../shared/schemas/runs/run.ts";
import type { RecordedEvent } from "../../../shared/schemas/runs/run-event.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { getJob, runOf, type StoredJob } from "../../../shared/stores/jobs/job-item.ts";
import { readEvents } from "../../../shared/stores/runs/events.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";

/** An answer that a client got. */
export type Answer = { readonly key: string | undefined; readonly accepted: AcceptedRun };

const lastEvents = {
  agent: { completed: "RunCompleted", failed: "RunError", paused: "RunPaused" },
  team: { completed: "TeamRunCompleted", failed: "TeamRunError", paused: "TeamRunPaused" },
  workflow: { completed: "WorkflowCompleted", failed: "WorkflowError", paused: "WorkflowRunOutput" },
} as const;

/**
 * What is wrong in a world that has come to rest; empty when every promise is kept.
 *
 * @param ids      every job that the store holds
 * @param answers  every 202 that a client got
 * @param now      epoch seconds
 * @param isAlone  whether runs are not talked to, so that each makes the calls that its input asks for
 */
export async function faultsAtRest(
  db: Db,
  ids: readonly string[],
  answers: readonly Answer[],
  now: number,
  isAlone = true,
): Promise<string[]> {
  const ofAnswers = answers.flatMap(({ accepted }) =>
    ids.includes(accepted.run_id) ? [] : [`run ${accepted.run_id} was accepted and is gone`],
  );
  const byKey = Map.groupBy(answers, ({ key }) => key);
  const ofKeys = [...byKey].flatMap(([key, same]) => {
    const runs = new Set(same.map(({ accepted }) => accepted.run_id));
    return key === undefined || runs.size === 1
      ? []
      : [`key ${key} was answered with ${[...runs].join(", ")}`];
  });
  const ofJobs: string[] = [];
  for (const id of ids) {
    const faults = getJob(db, id, now).then((job) =>
      job ? faultsOfJob(db, job, now, isAlone) : [`job ${id} has expired`],
    );
    // A row that is no job of any status does not parse.
    ofJobs.push(...(await faults.catch((error: unknown) => [`job ${id} cannot be read: ${String(error)}`])));
  }
  return [...ofAnswers, ...ofKeys, ...ofJobs];
}

async function faultsOfJob(db: Db, job: StoredJob, now: number, isAlone: boolean): Promise<string[]> {
  const { id, status } = job;
  if (!isTerminal(status) && status !== "paused") return [`job ${id} never ends: it is ${status}`];
  const wanted = (job.cancel_until ?? 0) <= now;
  const run = await getRun(db, runOf(job), now);
  const { events } = await readEvents(db, run ?? runOf(job));
  return [
    ...(status === "paused" && !wanted ? [`job ${id} is paused although a cancellation was recorded`] : []),
    ...gapsIn(job, events).map((gap) => `run ${id} (${status}) has events with a gap: ${gap}`),
    ...missingEnd(job, events),
    ...(isAlone ? missingSteps(job, events) : []),
  ];
}

/** Where a later attempt took the run up in its middle, the numbers of what it made void are missing. */
function gapsIn({ attempt }: StoredJob, events: readonly RecordedEvent[]): string[] {
  return events.flatMap(({ event_index }, i) => {
    const before = events[i - 1]?.event_index ?? event_index - 1;
    const follows = attempt > 1 ? event_index > before : event_index === before + 1;
    return follows ? [] : [`${before} → ${event_index}`];
  });
}

/** A finished run has its beginning and every call of the model that its message asks for. */
function missingSteps(job: StoredJob, events: readonly RecordedEvent[]): string[] {
  const { id, status, payload, component_type } = job;
  if (status !== "completed") return [];
  // A workflow passes over a step whose model fails.
  const asked = payload.input.split("[[tool:").length - (payload.input.includes("[[fail:") ? 1 : 0);
  const modelRequests = events.filter(({ event }) => event === "ModelRequestCompleted").length;
  const beginning = component_type === "workflow" ? "WorkflowStarted" : "RunStarted";
  return [
    ...(events[0]?.event === beginning ? [] : [`run ${id} has no beginning`]),
    ...(modelRequests === asked
      ? []
      : [`run ${id} has ${modelRequests} calls of a model, and made ${asked}`]),
  ];
}

function missingEnd({ id, status, component_type }: StoredJob, events: readonly RecordedEvent[]): string[] {
  if (status !== "completed" && status !== "failed" && status !== "paused") return [];
  const last = events.at(-1)?.event;
  return last === lastEvents[component_type][status]
    ? []
    : [`run ${id} is ${status} and its last event is ${last}`];
}
