import { sleep } from "./pauses.ts";
import {
  type Fields,
  type Input,
  isInBackground,
  type Kind,
  type OperationName,
  startOf,
} from "./request.ts";

/** A run that a call executes in the foreground, as far as it is known; it is stopped when the caller leaves. */
export type ForegroundRun = {
  readonly kind: Kind;
  readonly component_id: string;
  readonly session_id: string | undefined;
  /** Known at once where a run is continued, and otherwise from its first event. */
  readonly run_id: string | undefined;
  /** Whether no other run is in the session. */
  readonly isAlone: boolean;
  readonly message: string | undefined;
};

/** Calls an operation. */
export type Call = (operation: OperationName, input: Input) => Promise<unknown>;

/** Undefined for an operation that starts no run, and for one in the background: that goes on without its client. */
export function foregroundRunOf(operation: string, input: Input): ForegroundRun | undefined {
  const start = startOf(operation);
  if (!start || isInBackground(input)) return undefined;
  const { verb, kind } = start;
  const { path = {}, body } = input;
  const form = (body ?? {}) as Fields;
  const isSameRun = verb === "continue" && !form.fork && !form.regenerate;
  return {
    kind,
    component_id: String(path[`${kind.toLowerCase()}_id`]),
    session_id: textOf(form.session_id),
    run_id: isSameRun ? textOf(path.run_id) : undefined,
    isAlone: false,
    message: textOf(verb === "create" ? form.message : form.input),
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The run as an event of its stream names it; runs within it have a parent. */
export function namedBy(run: ForegroundRun, data: Fields): ForegroundRun {
  if (data.parent_run_id !== undefined) return run;
  return { ...run, run_id: textOf(data.run_id), session_id: textOf(data.session_id) };
}

const ends = /^((Team)?Run|Workflow)(Completed|Paused|Cancelled|Error)$/;

/** Whether an event says that the run is not being executed any more. Runs within it end with such events too. */
export const isEndOf = (
  run: { readonly run_id: string | undefined } | undefined,
  event: string,
  { run_id }: Fields,
): boolean => ends.test(event) && run_id === run?.run_id;

/** A run that was asked for a moment ago may not be written yet. */
const LOOK_AFTER_MS = [0, 300, 1_500];

/** Cancels the run of a caller who has left. Best effort: where it fails, the run goes on to its end. */
export async function cancelRun(run: ForegroundRun, call: Call): Promise<void> {
  for (const ms of run.run_id === undefined ? LOOK_AFTER_MS : [0]) {
    await sleep(ms);
    const found = run.run_id === undefined ? await findLiveRuns(run, call) : [run.run_id];
    for (const run_id of found) {
      const path = { ...componentPath(run), run_id };
      const query = run.session_id === undefined ? {} : { session_id: run.session_id };
      await call(`cancel${run.kind}Run`, { path, query });
    }
    if (found.length > 0) return;
  }
}

const componentPath = ({ kind, component_id }: ForegroundRun): Fields => ({
  [`${kind.toLowerCase()}_id`]: component_id,
});

/**
 * The run that is going on in the session with this message. Of several such runs none: one of them may be another
 * caller's.
 */
async function findLiveRuns(run: ForegroundRun, call: Call): Promise<readonly string[]> {
  if (run.session_id === undefined) return [];
  const live = (await listRuns(run, run.session_id, call))
    .filter(({ status }) => status === "RUNNING" || status === "PENDING")
    .filter(({ run_input }) => run.isAlone || run_input === run.message)
    .map(({ run_id }) => String(run_id));
  return run.isAlone || live.length === 1 ? live : [];
}

const listRuns = async (run: ForegroundRun, session_id: string, call: Call): Promise<readonly Fields[]> =>
  (await call(`list${run.kind}Runs`, {
    path: componentPath(run),
    query: { session_id },
  })) as readonly Fields[];

/**
 * The run in a session of its own, whatever has become of it. Its connection broke before it said which run it is.
 *
 * @returns undefined where there is none: the request did not arrive
 */
export async function findOnlyRun(run: ForegroundRun, call: Call): Promise<string | undefined> {
  if (run.session_id === undefined || !run.isAlone) return undefined;
  for (const ms of LOOK_AFTER_MS) {
    await sleep(ms);
    const [found] = await listRuns(run, run.session_id, call);
    if (found) return String(found.run_id);
  }
  return undefined;
}
