import { LeaseLost } from "../../work/index.ts";
import { ContentFault } from "../content-fault.ts";
import { Superseded } from "./content-lease.ts";
import { OutOfTime } from "./out-of-time.ts";

/** A step of the work failed, and a retry may succeed. */
export class StepFailed extends Error {
  override readonly name = "StepFailed";
  /** The step, in words that the content shows. */
  readonly step: string;

  constructor(step: string, cause: unknown) {
    super(`${step} failed`, { cause });
    this.step = step;
  }
}

/** Wraps an error with the step that failed, so that the content can show it. Errors that explain themselves stay as they are. */
export async function duringStep<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isExplained =
      error instanceof ContentFault ||
      error instanceof LeaseLost ||
      error instanceof Superseded ||
      error instanceof OutOfTime;
    throw isExplained ? error : new StepFailed(step, error);
  }
}
