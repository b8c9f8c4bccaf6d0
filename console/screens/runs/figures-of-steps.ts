import type { Message, RunOutput } from "../../../client/index.ts";
import { type Run, totalOf } from "../../api/kinds.ts";
import type { Step, Usage } from "./steps.ts";

/** A run's steps with what each used, and the prompts of its model calls. */
export type FiguredSteps = {
  readonly steps: readonly Step[];
  /** All messages before an answer, as the model saw them, by the id of the step. A trace records only what was new in a call. */
  readonly prompts: ReadonlyMap<string, readonly Message[]>;
};

/** Every agent's and team's run within a run, and itself, by id. */
export function runsWithin(run: Run | RunOutput): ReadonlyMap<string, RunOutput> {
  const found = new Map<string, RunOutput>();
  const add = (one: RunOutput): void => {
    found.set(one.run_id, one);
    for (const member of one.member_responses ?? []) add(member);
  };
  if ("step_results" in run) for (const one of run.step_executor_runs ?? []) add(one);
  else add(run as RunOutput);
  return found;
}

/**
 * Adds to steps what the record of their run knows: what each used and cost, and each prompt. The calls of a model are in the
 * order of the answers.
 */
export function withFigures(run: Run, steps: readonly Step[]): FiguredSteps {
  const runs = runsWithin(run);
  const prompts = new Map<string, readonly Message[]>();
  const calls = new Map<string | undefined, number>();
  const around: Step[] = [];
  const figured = steps.map((step, at) => {
    around.length = step.depth;
    around[step.depth] = step;
    const usage = usageOf(step, at === 0 ? run : undefined, runs);
    if (step.kind !== "model") return usage ? { ...step, usage } : step;
    const id = around.findLast(({ run: of }) => of !== undefined)?.run;
    const nth = calls.get(id) ?? 0;
    calls.set(id, nth + 1);
    const said = answerOf(runs.get(id ?? ""), nth);
    if (said) prompts.set(step.id, said.before);
    const { input_tokens, output_tokens } = step.metadata ?? {};
    const recorded = said?.answer.metrics ?? { input_tokens, output_tokens };
    return { ...step, usage: countsOf(recorded) };
  });
  return { steps: figured, prompts };
}

function usageOf({ kind, run: id }: Step, whole: Run | undefined, runs: ReadonlyMap<string, RunOutput>) {
  if (kind === "model" || kind === "tool" || kind === "wait") return undefined;
  const run = whole ?? runs.get(id ?? "");
  return run && countsOf(totalOf(run as Run));
}

const countsOf = (from: object): Usage => {
  const { input_tokens, output_tokens, cost } = from as Readonly<Record<keyof Usage, unknown>>;
  return {
    ...(typeof input_tokens === "number" && { input_tokens }),
    ...(typeof output_tokens === "number" && { output_tokens }),
    ...(typeof cost === "number" && { cost }),
  };
};

function answerOf(run: RunOutput | undefined, nth: number) {
  const messages = run?.messages ?? [];
  let seen = 0;
  for (const [at, answer] of messages.entries()) {
    if (answer.role !== "assistant" || answer.from_history) continue;
    if (seen === nth) return { answer, before: messages.slice(0, at) };
    seen++;
  }
  return undefined;
}
