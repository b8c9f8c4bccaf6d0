import type { Db } from "../../../shared/stores/db.ts";
import { getJob, runOf } from "../../../shared/stores/jobs/job-item.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { getSession } from "../../../shared/stores/sessions/session-item.ts";
import { type Asked, simulatedComponents } from "./product.ts";
import type { Random } from "./random.ts";

/** Runs that count in the state of their session, and what must have become of it. */

/** Its runs wait for each other. */
const ORDERED = "ordered";
/** Its client waits for each run, also for one that a person has to confirm, and submits another one meanwhile. */
const TURNS = "turns";
/** Its runs overlap, are cancelled and requeued. */
const MIXED = "mixed";
/** The same of a workflow. */
const FLOW = "flow";
const RUNS = [3, 6] as const;
const MOST_TURNS = 2;

/** What the runs of a counting world are asked. */
export function countingRuns(random: Random): readonly Asked[] {
  const runs = random.between(...RUNS);
  return Array.from({ length: runs }, (_, i) => {
    const session = random.pick([ORDERED, ORDERED, MIXED, MIXED, FLOW]);
    const policy = session === ORDERED ? "queue" : random.pick(["queue", "parallel", "parallel"] as const);
    return {
      user: "maria",
      policy,
      session: `${session}-counts`,
      component: session === FLOW ? simulatedComponents.workflow : simulatedComponents.agent,
      key: undefined,
      message: `${scriptOf(random, session)} ${policy} ${i + 1}`,
    };
  });
}

/** What a client asks that takes turns: a run, and one for each time that it waits for a person. */
export function countingTurns(random: Random): readonly (readonly [Asked, Asked])[] {
  const turn = (message: string, n: string): Asked => ({
    user: "maria",
    policy: "queue",
    session: `${TURNS}-counts`,
    component: simulatedComponents.agent,
    key: `turn-${n}`,
    message: `${message} queue ${n}`,
  });
  return Array.from({ length: random.between(1, MOST_TURNS) }, (_, i) => [
    turn(`${countOnce(random)}[[tool:ask {}]]${countOnce(random)}`, `${2 * i + 1}0`),
    turn(scriptOf(random, ORDERED), `${2 * i + 2}0`),
  ]);
}

/** Whether runs of a session may be live at the same time. */
export const mayOverlap = ({ session }: Pick<Asked, "session">): boolean =>
  !session.startsWith(ORDERED) && !session.startsWith(TURNS);

const countOnce = (random: Random): string => `[[tool:count {"ms":${random.between(0, 3_000)}}]]`;

function scriptOf(random: Random, session: string): string {
  const count = () => countOnce(random);
  const scripts: [string, ...string[]] = [
    count(),
    `${count()}${count()}`,
    `${count()}[[sleep:${random.between(10, 4_000)}]]${count()}`,
    `${count()}[[tool:slowly {"ms":${random.between(10, 4_000)}}]]${count()}`,
    `${count()}[[fail:broken]]`,
  ];
  // The steps of a workflow are answered in another form.
  return random.pick(session === FLOW ? scripts : [...scripts, `${count()}[[tool:ask {}]]${count()}`]);
}

/**
 * What is wrong with the states of the sessions at rest.
 *
 * Each call of `count` adds 1 to `sum`, its name to `calls`, both of which the agent declares a reducer for; sets `plain` to
 * what it read and 1; and sets a key of its own run. So what is in the state has its call, each call is there once, and every
 * call that a record shows as made is there. Where runs never overlap, the plain counter counts them all.
 *
 * @param ids  every job that the store holds
 * @param now  epoch seconds
 */
export async function miscounts(db: Db, ids: readonly string[], now: number): Promise<string[]> {
  const jobs = await Promise.all(ids.map((id) => getJob(db, id, now)));
  const runs = await Promise.all(jobs.map((job) => (job ? getRun(db, runOf(job), now) : undefined)));
  const bySession = Map.groupBy(
    runs.filter((run) => run !== undefined),
    ({ session_id }) => session_id,
  );
  const faults = [...bySession].map(async ([id, all]) => {
    const state = (await getSession(db, id))?.session_state ?? {};
    return faultsOf(state, all).map((fault) => `session ${id} ${fault}: ${JSON.stringify(state)}`);
  });
  return (await Promise.all(faults)).flat();
}

function faultsOf(state: Readonly<Record<string, unknown>>, runs: readonly StoredRun[]): string[] {
  const { sum = 0, calls = [], plain = 0 } = state;
  const listed = Array.isArray(calls) ? calls.map(String) : [];
  const made = runs.flatMap(countsOf);
  const ordered = runs.every(({ session_id }) => !mayOverlap({ session: session_id }));
  return [
    ...(sum === listed.length ? [] : [`has the sum ${sum} of ${listed.length} calls`]),
    ...(new Set(listed).size === listed.length ? [] : ["has a call twice"]),
    ...made.filter((call) => !listed.includes(call)).map((call) => `has lost the call ${call}`),
    ...listed
      .filter((call) => !Object.hasOwn(state, keyOf(call)))
      .map((call) => `has lost the key of the run of ${call}`),
    ...(ordered && plain !== listed.length ? [`has counted ${plain} of ${listed.length} calls`] : []),
  ];
}

/** The calls that a run's record shows as made, its own and those of the runs in it. */
const countsOf = ({ output }: StoredRun): string[] =>
  [output, ...(output.step_executor_runs ?? [])].flatMap(({ run_id, tools = [] }) =>
    tools
      .filter(
        ({ tool_name, result, tool_call_error }) =>
          tool_name === "count" && result !== null && !tool_call_error,
      )
      .map(({ tool_call_id }) => callName(run_id, tool_call_id)),
  );

export const callName = (run: string, call: string): string => `${run}/${call}`;
const keyOf = (call: string): string => runKey(call.split("/")[0] ?? "");
export const runKey = (run: string): string => `seen_${run}`;
