import { type Event, EventType } from "@ag-ui/core";

type Step = {
  readonly step_id?: string;
  readonly step_name: string;
  readonly step_index: number;
  readonly nested_depth: number;
};

/** The steps of a workflow that are active. A step may run several times at once, and names of active steps must differ. */
export function activeSteps() {
  const names = new Map<string, string>();
  const finish = (key: string): Event[] => {
    const stepName = names.get(key);
    if (stepName === undefined) return [];
    names.delete(key);
    return [{ type: EventType.STEP_FINISHED, stepName }];
  };
  return {
    start(step: Step): Event[] {
      const taken = new Set(names.values());
      let stepName = step.step_name;
      for (let i = 2; taken.has(stepName); i += 1) stepName = `${step.step_name} (${i})`;
      names.set(keyOf(step), stepName);
      return [{ type: EventType.STEP_STARTED, stepName }];
    },
    finish: (step: Step): Event[] => finish(keyOf(step)),
    finishAll: (): Event[] => [...names.keys()].flatMap(finish),
  };
}

const keyOf = ({ step_id, step_name, step_index, nested_depth }: Step): string =>
  [step_id ?? step_name, step_index, nested_depth].join(" ");
