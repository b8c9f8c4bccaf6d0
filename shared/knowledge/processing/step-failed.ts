import { ContentFault } from "../content-fault.ts";
import { LeaseLost, Superseded } from "./content-lease.ts";

/** A step of the work that may succeed another time. */
export class StepFailed extends Error {
  override readonly name = "StepFailed";
  /** What was being done: public. */
  readonly step: string;

  constructor(step: string, cause: unknown) {
    super(`${step} failed`, { cause });
    this.step = step;
  }
}

/** Names the step that fails, so that the content can say so. Faults that say enough themselves pass as they are. */
export async function duringStep<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const says = error instanceof ContentFault || error instanceof LeaseLost || error instanceof Superseded;
    throw says ? error : new StepFailed(step, error);
  }
}
