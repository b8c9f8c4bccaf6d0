import type { RunOutput } from "../../schemas/runs/run.ts";
import type { ErrorRequirement, StepOutput, StepRequirement } from "../../schemas/runs/workflow-run.ts";
import type { NestedRun, WorkflowState } from "../run/workflow-state.ts";

/**
 * What one execution of a workflow has come to so far. Branches that run side by side share it; each writes under its
 * own paths, and `state` is at every moment a value that another process could go on from.
 */
export type Progress = {
  readonly state: () => WorkflowState;
  readonly finish: (path: string, output: StepOutput) => void;
  /** Remembers a decision. @returns the one that was remembered before, or this one */
  readonly decide: <T>(path: string, decision: T) => T;
  readonly decided: (path: string) => unknown;
  /** True for the first caller only, over all executions of the run: what is told once is told by that one. */
  readonly isFirst: (path: string) => boolean;
  readonly forget: (path: string) => void;
  readonly nest: (path: string, run: NestedRun | undefined) => void;
  readonly require: (path: string, requirement: StepRequirement) => void;
  readonly fail: (path: string, error: ErrorRequirement | undefined) => void;
  readonly keepRun: (output: RunOutput) => void;
  /** Whether this execution has finished a step: one that has not is not put down, or nothing would ever get done. */
  readonly hasMoved: () => boolean;
  /** Tells that a step could not go on, and why. */
  readonly note: (what: "waits for a person" | "is put down") => void;
  /** Whether people are all that this execution waits for. */
  readonly waitsForPeople: () => boolean;
  readonly setSessionState: (changes: Readonly<Record<string, unknown>>) => void;
};

export function openProgress(from: WorkflowState): Progress {
  let state = from;
  const noted = new Set<string>();
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
    forget: (path) => change({ decisions: without(state.decisions, path) }),
    nest: (path, run) =>
      change({ nested: run ? { ...state.nested, [path]: run } : without(state.nested, path) }),
    require: (path, requirement) => change({ requirements: { ...state.requirements, [path]: requirement } }),
    fail: (path, error) =>
      change({ errors: error ? { ...state.errors, [path]: error } : without(state.errors, path) }),
    keepRun: (output) => change({ executor_runs: [...state.executor_runs, output] }),
    hasMoved: () => state.finished.length > finishedBefore,
    note: (what) => void noted.add(what),
    waitsForPeople: () => noted.has("waits for a person") && !noted.has("is put down"),
    setSessionState: (changes) => change({ session_state: { ...state.session_state, ...changes } }),
  };
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  const { [key]: _, ...rest } = record;
  return rest;
}
