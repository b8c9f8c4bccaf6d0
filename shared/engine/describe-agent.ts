import { DB_ID, SESSION_TABLE } from "../domain/database.ts";
import type { AgentResponse } from "../schemas/agent.ts";
import { type Agent, agentDefaults } from "./agent.ts";
import type { Models } from "./models.ts";
import type { Tool } from "./tool.ts";
import { toolParameters } from "./tool-parameters.ts";

/**
 * An agent as clients see it: settings that differ from their defaults, and no empty groups.
 *
 * @source contract, runs-and-queue 2.2
 */
export function describeAgent(agent: Agent, models: Pick<Models, "describe">): AgentResponse {
  const { id, provider } = models.describe(agent.model);
  const system = systemSettings(agent);
  return {
    id: agent.id,
    name: agent.name,
    ...(agent.description !== undefined && { description: agent.description }),
    db_id: DB_ID,
    is_factory: false,
    model: { name: provider, model: id, provider },
    ...(agent.tools.length > 0 && { tools: toolSettings(agent) }),
    sessions: sessionSettings(agent),
    ...(Object.keys(system).length > 0 && { system_message: system }),
    ...(agent.metadata && { metadata: { ...agent.metadata } }),
    is_component: false,
  };
}

const toolSettings = ({ tools, tool_call_limit }: Agent): NonNullable<AgentResponse["tools"]> => ({
  tools: tools.map(describeTool),
  ...(tool_call_limit !== undefined && { tool_call_limit }),
});

const describeTool = (tool: Tool) => ({
  name: tool.name,
  description: tool.description,
  parameters: { ...toolParameters(tool) },
  ...(tool.requires_confirmation && { requires_confirmation: true }),
});

const sessionSettings = (agent: Agent): NonNullable<AgentResponse["sessions"]> => ({
  session_table: SESSION_TABLE,
  ...(agent.add_history_to_context && { add_history_to_context: true }),
  ...(agent.num_history_runs !== agentDefaults.num_history_runs && {
    num_history_runs: agent.num_history_runs,
  }),
});

const systemSettings = ({
  description,
  instructions,
  markdown,
}: Agent): NonNullable<AgentResponse["system_message"]> => ({
  ...(description !== undefined && { description }),
  ...(instructions !== undefined && {
    instructions: typeof instructions === "string" ? instructions : [...instructions],
  }),
  ...(markdown && { markdown }),
});
