import type { Agent } from "./agent.ts";
import { openExecution } from "./execution.ts";
import { finishRun } from "./finish-run.ts";
import { firstMessages } from "./first-messages.ts";
import type { EnginePorts, RunOutcome, RunRequest } from "./run-request.ts";
import { newRunState, type RunState } from "./run-state.ts";
import { type Step, takeStep } from "./take-step.ts";

/**
 * Executes one run, step by step, until the model answers, a person must be asked, or something stops it.
 * What happens on the way goes to `ports.emit`, in order.
 *
 * @returns how it ended; a model's or tool's failure is an outcome, not an exception
 * @throws  RunStopped with kind `lost`; nothing may be written for the run any more then
 * @source  contract, runs-and-queue 5.5
 */
export async function executeAgentRun(
  agent: Agent,
  request: RunRequest,
  ports: EnginePorts,
): Promise<RunOutcome> {
  const execution = openExecution(agent, request, ports);
  const { model } = execution;
  const first: RunState = newRunState(firstMessages(agent, request, ports), ports.clock.now());
  execution.emit({ event: "RunStarted", model: model.id, model_provider: model.provider });
  let step: Step = { state: first };
  while (!step.ending) step = await takeStep(step.state, execution);
  return finishRun(step.ending, step.state, execution);
}
