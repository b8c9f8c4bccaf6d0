import { createEventRecorder, type EventRecorder } from "../events/event-recorder.ts";
import type { Clock } from "../runtime/clock.ts";
import { newId } from "../runtime/ids.ts";
import type { Message } from "../schemas/run.ts";
import type { RecordedEvent } from "../schemas/run-event.ts";
import type { Db } from "../stores/db.ts";
import { appendEvents } from "../stores/runs/events.ts";
import { listRecentRuns } from "../stores/runs/list-runs.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import type { Agent } from "./agent.ts";
import { carryOver } from "./carry-over.ts";
import { executeSlice, type Yielded } from "./execute-slice.ts";
import { fitOutcome } from "./fit-outcome.ts";
import type { Models } from "./models.ts";
import type { Performed } from "./performed.ts";
import type { RunOutcome } from "./run-request.ts";
import type { RunState } from "./run-state.ts";

export type RunDeps = { readonly db: Db; readonly models: Models; readonly clock: Clock };

export type Performance = {
  readonly attempt: number;
  /** Index of the first event. */
  readonly nextIndex: number;
  readonly signal: AbortSignal;
  /** The state in which an earlier slice of this attempt put the run down. */
  readonly from?: RunState;
  /** Set where somebody continued the run, by whoever takes it up first. */
  readonly continues?: boolean;
  /** Asked after every step; true puts the run down there. Never asked: the run is executed to its end. */
  readonly shouldYield?: () => boolean;
  /** Sees every event the moment it happens. */
  readonly onEvent?: (event: RecordedEvent) => void;
};

/**
 * Executes one attempt of a stored run: reads its history, lets the engine work, keeps the record of its events.
 * Ending the run in the stores is the caller's, who knows under which fence.
 *
 * @throws RunStopped with kind `lost` when nothing more may be written
 */
export async function performRun(
  deps: RunDeps,
  agent: Agent,
  run: StoredRun,
  how: Performance,
): Promise<Performed<RunOutcome | Yielded>> {
  const history = how.from ? [] : await readHistory(deps, agent, run);
  const recorder = recorderOf(deps, run, how);
  const { metadata, session_state, created_at, input } = run.output;
  const outcome = await executeSlice(
    agent,
    {
      run_id: run.run_id,
      session_id: run.session_id,
      user_id: run.output.user_id ?? null,
      input: input.input_content,
      history,
      session_state: session_state ?? {},
      ...(metadata && { metadata }),
      created_at,
    },
    {
      models: deps.models,
      clock: deps.clock,
      newId,
      emit: (event) => {
        const recorded = recorder.record(event);
        how.onEvent?.(recorded);
      },
      signal: how.signal,
      ...(how.shouldYield && { shouldYield: how.shouldYield }),
      ...(how.continues && { continues: true }),
    },
    how.from,
  );
  const events = await recorder.drain();
  if (outcome.status === "YIELDED") return { outcome, events };
  return fitOutcome({ outcome: carryOver(run.output, outcome), events });
}

function recorderOf(deps: RunDeps, run: StoredRun, how: Performance): EventRecorder {
  return createEventRecorder(
    {
      run_id: run.run_id,
      attempt: how.attempt,
      nextIndex: how.nextIndex,
      startsOver: how.from === undefined,
    },
    (batch) => appendEvents(deps.db, batch),
    deps.clock,
  );
}

async function readHistory(deps: RunDeps, agent: Agent, run: StoredRun): Promise<Message[]> {
  if (run.opens_session || !agent.add_history_to_context) return [];
  const now = Math.floor(deps.clock.now() / 1000);
  const earlier = await listRecentRuns(deps.db, run.owner, run.session_id, agent.num_history_runs, now);
  return earlier
    .filter((other) => other.run_id !== run.run_id)
    .flatMap((other) => other.output.messages ?? [])
    .filter((message) => !message.from_history && message.role !== "system")
    .map((message) => ({ ...message, from_history: true }));
}
