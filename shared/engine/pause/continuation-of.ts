import type { ContinueFrom } from "../../domain/runs/message-cut.ts";
import { ServiceError } from "../../errors.ts";
import type { RequirementAnswer, ToolAnswer } from "../../schemas/runs/pause-answers.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";

/**
 * How a run is continued.
 *
 *   PAUSED             answered, under its own id
 *   ERROR              resumed where it stopped, under its own id
 *   COMPLETED          a new run that begins with its messages
 *   PENDING, RUNNING   not at all: it is being executed
 *   CANCELLED          not at all
 *
 * @throws ServiceError CONFLICT for a run that cannot be continued; BAD_REQUEST for a fork of one that waits
 * @source docs/interface/runs.md 7.1
 */
export function continuationOf({ status, run_id }: StoredRun, asked: ContinueRequest): "resume" | "fork" {
  switch (status) {
    case "PENDING":
    case "RUNNING":
      throw new ServiceError("CONFLICT", `run ${run_id} is ${status}: it continues by itself`, {
        headers: { "retry-after": "1" },
      });
    case "CANCELLED":
      throw new ServiceError("CONFLICT", `run ${run_id} was cancelled and cannot be continued`);
    case "REGENERATED":
      throw new ServiceError("CONFLICT", `run ${run_id} was replaced by another; continue that one`);
    case "COMPLETED":
      if (answersAnything(asked) && !asked.fork && !asked.regenerate) throw answeredBefore(run_id);
      return "fork";
    case "PAUSED":
    case "ERROR":
      return asked.fork || asked.regenerate ? "fork" : "resume";
  }
}

const answersAnything = ({ tools, requirements = [] }: ContinueRequest): boolean =>
  tools.length + requirements.length > 0;

/** @decided  answers that are sent twice, as by a double click, do not start a second run */
const answeredBefore = (run_id: string) =>
  new ServiceError(
    "CONFLICT",
    `run ${run_id} has been answered and is completed; leave the answers out to go on from it`,
  );

/** A client's request to continue a run. */
export type ContinueRequest = {
  readonly tools: readonly ToolAnswer[];
  /** A team's answers, in place of `tools`. */
  readonly requirements?: readonly RequirementAnswer[];
  /** A further user message. */
  readonly input: string | undefined;
  readonly continue_from: ContinueFrom;
  readonly fork: boolean;
  readonly regenerate: boolean;
  readonly replace_original: boolean;
};
