import type { AgentResponse } from "../../schemas/components/agent.ts";
import { type AgentSettings, agentDefaults } from "../define/agent.ts";
import { shapeOf } from "../define/answer-shape.ts";

/** An agent's settings for answers and retries that differ from the defaults. */
export function describeResponseSettings(
  agent: AgentSettings,
): NonNullable<AgentResponse["response_settings"]> {
  const { retries, delay_between_retries, exponential_backoff, output_schema } = agent;
  return {
    ...(retries !== agentDefaults.retries && { retries }),
    ...(delay_between_retries !== agentDefaults.delay_between_retries && { delay_between_retries }),
    ...(exponential_backoff !== agentDefaults.exponential_backoff && { exponential_backoff }),
    ...(output_schema && { output_schema_name: shapeOf(output_schema).name }),
  };
}
