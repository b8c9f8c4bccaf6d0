import type { Execution } from "../run/execution.ts";

/** Most tokens of an answer under a budget when its agent sets no limit. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 4_096;

/**
 * Most tokens that a model may answer with; undefined leaves it to the model.
 *
 * @decided  Under a budget there is always a limit: without one, what a call may cost has no bound.
 */
export function outputLimit({ agent, ports }: Execution): number | undefined {
  if (agent.max_output_tokens !== undefined) return agent.max_output_tokens;
  return isBudgeted({ agent, ports }) ? DEFAULT_MAX_OUTPUT_TOKENS : undefined;
}

/** Whether anything limits what this run may spend. */
export function isBudgeted({ agent, ports }: Pick<Execution, "agent" | "ports">): boolean {
  return (
    ports.dailyBudget !== undefined ||
    agent.max_tokens_per_run !== undefined ||
    agent.max_cost_per_run !== undefined
  );
}
