import type { Message } from "../../schemas/runs/run.ts";

/** Earlier runs that a model is shown by default: at least so many, and at most `LEAST_RUNS + STEP - 1`. */
const LEAST_RUNS = 3;
const STEP = 3;

/** How many earlier runs have to be read to decide which ones are shown. */
export const READ_RUNS = LEAST_RUNS + STEP;

/** How many are shown where the start of the history may move with every run. */
export const DEFAULT_RUNS = LEAST_RUNS;

/** How much of the earlier runs a component wants to be shown. */
export type HistoryLimits = {
  /** Exactly so many. */
  readonly num_history_runs?: number;
  /** Of those, so many last messages. */
  readonly num_history_messages?: number;
};

type Run = { readonly messages: readonly Pick<Message, "id" | "from_history">[] };

/**
 * The earlier runs that a model is shown by default. They begin where those of the run before began, so
 * that the prompt keeps the bytes that a provider has cached, until they are too many: then the start moves by `STEP`.
 *
 *   run 2: 1      run 6: 1 2 3 4 5
 *   run 3: 1 2    run 7: 4 5 6
 *
 * @param runs  the last `READ_RUNS` earlier ones, oldest first, with their messages
 */
export function shownRuns<R extends Run>(runs: readonly R[]): readonly R[] {
  const last = runs.at(-1);
  if (!last) return [];
  const shownBefore = new Set(last.messages.flatMap(({ id, from_history }) => (from_history ? [id] : [])));
  const start = runs.findIndex(
    (run) =>
      run !== last && run.messages.some(({ id, from_history }) => !from_history && shownBefore.has(id)),
  );
  // The last run was the first of the session, or showed something else.
  if (start < 0) return runs.slice(-LEAST_RUNS);
  const shown = runs.slice(start);
  return shown.length < READ_RUNS ? shown : shown.slice(STEP);
}
