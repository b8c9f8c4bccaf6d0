import type { Agent } from "../define/agent.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import type { RunRequest } from "../run/run-request.ts";
import { executeSlice } from "./execute-slice.ts";

/**
 * Executes one run, step by step, until the model answers, a person must be asked, or something stops it.
 * Events go to `ports.emit`, in order.
 *
 * @returns how it ended; a model's or tool's failure is an outcome, not an exception
 * @throws  RunStopped with kind `lost`; nothing may be written for the run any more then
 * @source  docs/interface/runs.md 5.6
 */
export async function executeAgentRun(
  agent: Agent,
  request: RunRequest,
  ports: EnginePorts,
): Promise<RunOutcome> {
  const executed = await executeSlice(agent, request, ports);
  if (executed.status !== "YIELDED") return executed;
  throw new Error("the run yielded without a request to yield");
}
