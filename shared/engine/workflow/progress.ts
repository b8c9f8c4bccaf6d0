import type { FailureCause } from "../../domain/jobs/failure-cause.ts";
import type { RunOutput } from "../../schemas/runs/run.ts";
import type { ErrorRequirement, StepOutput, StepRequirement } from "../../schemas/runs/workflow-run.ts";
import type { NestedRun, WorkflowState } from "../run/workflow-state.ts";

/**
 * The progress of one execution of a workflow. Concurrent branches share it; each writes under its own paths, and
 * `state` is at any time a value that another process could resume from.
 */
export type Progress = {
  readonly state: () => WorkflowState;
  readonly finish: (path: string, output: StepOutput) => void;
  /** Records a decision. @returns the one that was recorded before, or this one */
  readonly decide: <T>(path: string, decision: T) => T;
  readonly decided: (path: string) => unknown;
  /** True for the first caller only, over all executions of the run, so that an event is emitted once. */
  readonly isFirst: (path: string) => boolean;
  readonly clearDecision: (path: string) => void;
  readonly nest: (path: string, run: NestedRun | undefined) => void;
  readonly require: (path: string, requirement: StepRequirement) => void;
  /** Puts what branches ask into the order of the branches, whichever asked first. @param branches their paths */
  readonly arrange: (branches: readonly string[]) => void;
  readonly fail: (path: string, error: ErrorRequirement | undefined) => void;
  /** Records why a step failed; its failure may be skipped. */
  readonly recordFailure: (cause: FailureCause) => void;
  /** Why the last one failed, over all executions of the run. */
  readonly lastFailure: () => FailureCause;
  readonly addRun: (output: RunOutput) => void;
  /** Whether this execution has finished a step. One that has not does not yield, or the run would never advance. */
  readonly hasAdvanced: () => boolean;
  /** Records that a step did not finish in this execution, and why. */
  readonly halt: (reason: "waiting" | "yielded") => void;
  /** Whether answers of people are all that this execution waits for. */
  readonly waitsForPeople: () => boolean;
};

/** No step's path begins so. */
const LAST_FAILURE = "#failed";

export function openProgress(from: WorkflowState): Progress {
  let state = from;
  const halts = new Set<string>();
  const finishedBefore = from.finished.length;
  const change = (part: Partial<WorkflowState>) => {
    state = { ...state, ...part };
  };
  const decided = (path: string) => state.decisions[path];
  return {
    state: () => state,
    finish: (path, output) =>
      change({ results: { ...state.results, [path]: output }, finished: [...state.finished, path] }),
    decide(path, decision) {
      if (path in state.decisions) return state.decisions[path] as typeof decision;
      change({ decisions: { ...state.decisions, [path]: decision } });
      return decision;
    },
    decided,
    isFirst(path) {
      if (decided(path) !== undefined) return false;
      change({ decisions: { ...state.decisions, [path]: true } });
      return true;
    },
    clearDecision: (path) => change({ decisions: without(state.decisions, path) }),
    nest: (path, run) =>
      change({ nested: run ? { ...state.nested, [path]: run } : without(state.nested, path) }),
    require: (path, requirement) => change({ requirements: { ...state.requirements, [path]: requirement } }),
    arrange: (branches) => change({ requirements: arranged(state.requirements, branches) }),
    fail: (path, error) =>
      change({ errors: error ? { ...state.errors, [path]: error } : without(state.errors, path) }),
    recordFailure: (cause) => change({ decisions: { ...state.decisions, [LAST_FAILURE]: cause } }),
    // A run that began under an earlier release has recorded none; there it was always this one.
    lastFailure: () => (decided(LAST_FAILURE) as FailureCause | undefined) ?? "model",
    addRun: (output) => change({ executor_runs: [...state.executor_runs, output] }),
    hasAdvanced: () => state.finished.length > finishedBefore,
    halt: (reason) => void halts.add(reason),
    waitsForPeople: () => halts.has("waiting") && !halts.has("yielded"),
  };
}

function arranged<T>(record: Readonly<Record<string, T>>, branches: readonly string[]): Record<string, T> {
  const rankOf = (path: string): number =>
    branches.findIndex((branch) => path.startsWith(branch) && /^(?:$|[/#])/.test(path.slice(branch.length)));
  // What was asked before them has rank -1, and stays in front.
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => rankOf(a) - rankOf(b)));
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  const { [key]: _, ...rest } = record;
  return rest;
}

/**
 * Saves a state that several branches change, one write at a time. Each caller waits for a write that began after its
 * call; calls during a write share the next one.
 *
 * @param write  saves the state as it is when called
 */
function createSharedWriter(write: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= current
      .catch(() => undefined) // the callers that waited for that write got its error
      .then(() => {
        next = undefined;
        current = write();
        return current;
      });
    return next;
  };
}

/** Saves a workflow's state. */
export type StateWriter = {
  /** Saves it as it is now. */
  readonly now: () => Promise<void>;
  /** The same, if a step has finished since the last save. */
  readonly finished: () => Promise<void>;
};

/** @param write absent where nothing outlives the process */
export function createStateWriter(
  state: () => WorkflowState,
  write: ((state: WorkflowState) => Promise<void>) | undefined,
): StateWriter {
  let saved = state().finished.length;
  const now = createSharedWriter(async () => {
    const current = state();
    await write?.(current);
    saved = Math.max(saved, current.finished.length);
  });
  return { now, finished: async () => (state().finished.length > saved ? now() : undefined) };
}
