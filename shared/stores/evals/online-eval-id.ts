import { derivedId } from "../../runtime/ids.ts";

/** The evaluation that judges a run after its end: a run has one at most, which is found by the run's id. */
export const onlineEvalId = (run_id: string): string => derivedId(`evaluation of run ${run_id}`);
