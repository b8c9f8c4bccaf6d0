import { useMemo } from "react";
import type { Message } from "../../../client/index.ts";
import type { Run, RunPlace } from "../../api/kinds.ts";
import { withFigures } from "./figures-of-steps.ts";
import type { RunProgress } from "./followed-run.ts";
import { type Step, stepsOfRun, stepsOfTrace } from "./steps.ts";
import { useFollowedRun } from "./use-followed-run.ts";
import { useTrace } from "./use-run.ts";
import { withWaits } from "./waits.ts";

export type RunSteps = {
  readonly steps: readonly Step[];
  /** What a model was given, by the id of its call. */
  readonly prompts: ReadonlyMap<string, readonly Message[]>;
  /** Of a run under way. */
  readonly progress: RunProgress | undefined;
  readonly isLoading: boolean;
  /** Whether the steps come from the record alone. */
  readonly hasNoTrace: boolean;
};

/** The steps of a run: from its events while it is under way, then from its trace, and from its record where it has none. */
export function useRunSteps(place: RunPlace, run: Run): RunSteps {
  const progress = useFollowedRun(place, run);
  const { data: trace, isLoading } = useTrace(run);
  const live = progress?.steps;
  const { steps, prompts } = useMemo(() => {
    if (live) return { steps: live, prompts: noPrompts };
    const figured = withFigures(run, trace ? stepsOfTrace(trace) : stepsOfRun(run));
    return { ...figured, steps: withWaits(run, figured.steps, Date.now()) };
  }, [live, trace, run]);
  return { steps, prompts, progress, isLoading, hasNoTrace: trace === null };
}

const noPrompts = new Map<string, never>();
