import type { RunOutput } from "../../../client/index.ts";
import type { Run } from "../../api/kinds.ts";
import { runsWithin } from "./figures-of-steps.ts";
import type { Step } from "./steps.ts";

/** A shorter wait is no more than the way to the worker. */
const LEAST_MS = 250;

const endOf = ({ start = 0, duration }: Step): number => start + duration * 1000;

const waitOf = (id: string, name: string, depth: number, from: number, to: number): Step => ({
  id,
  name,
  kind: "wait",
  depth,
  start: from,
  duration: (to - from) / 1000,
  failed: false,
});

/**
 * Adds the times in which nothing was done to the steps of a trace: before the run began, and while people or clients had to answer.
 *
 * @param now  milliseconds since the epoch; how long a run has waited that waits still
 */
export function withWaits(run: Run, steps: readonly Step[], now: number): readonly Step[] {
  const [root, ...others] = steps;
  if (root?.start === undefined) return steps;
  const asked = askedAt(run);
  const delay = root.start - asked >= LEAST_MS;
  const queue = delay ? [waitOf("wait:begin", "Waited to begin", 1, asked, root.start)] : [];
  const parts = withAnswers(run, others);
  const end = Math.max(endOf(root), ...others.map(endOf));
  const pause =
    run.status === "PAUSED"
      ? [{ ...waitOf("wait:now", "Waits for an answer", 1, end, now), isRunning: true }]
      : [];
  return [root, ...queue, ...parts, ...pause];
}

/** When a run was asked for: its id has that to the millisecond, its record to the second. */
function askedAt({ run_id, created_at }: Run): number {
  const digits = run_id.replaceAll("-", "");
  const isTimed = /^[0-9a-f]{12}7[0-9a-f]{19}$/.test(digits);
  const at = isTimed ? Number.parseInt(digits.slice(0, 12), 16) : Number.NaN;
  return Math.abs(at - created_at * 1000) < 2_000 ? at : created_at * 1000;
}

/** Before each call that had to wait for people or a client, the time from the step before it. */
function withAnswers(run: Run, steps: readonly Step[]): readonly Step[] {
  const runs = runsWithin(run);
  const around: (string | undefined)[] = ["step_results" in run ? undefined : run.run_id];
  const calls = new Map<string, number>();
  const ends: number[] = [];
  return steps.flatMap((step): readonly Step[] => {
    around.length = step.depth;
    ends.length = step.depth + 1;
    const owner = around.findLast((id) => id !== undefined);
    around[step.depth] = step.run;
    const from = ends[step.depth];
    ends[step.depth] = Math.max(from ?? 0, endOf(step));
    if (step.kind !== "tool" || step.start === undefined || from === undefined) return [step];
    const key = `${owner} ${step.name}`;
    const nth = calls.get(key) ?? 0;
    calls.set(key, nth + 1);
    const called = (runs.get(owner ?? "")?.tools ?? []).filter(({ tool_name }) => tool_name === step.name)[
      nth
    ];
    const whom = called && askedOf(called);
    if (whom === undefined || step.start - from < LEAST_MS) return [step];
    return [waitOf(`wait:${step.id}`, `Waited for ${whom}`, step.depth, from, step.start), step];
  });
}

type Called = NonNullable<RunOutput["tools"]>[number];

const askedOf = (tool: Called): string | undefined => {
  if (tool.requires_confirmation) return "a decision";
  if (tool.requires_user_input) return "an answer";
  return tool.external_execution_required ? "the client" : undefined;
};
