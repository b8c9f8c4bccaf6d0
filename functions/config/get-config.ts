import { DB_ID, KNOWLEDGE_TABLE } from "../../shared/domain/databases/database.ts";
import { summarizeWorkflow } from "../../shared/engine/component/describe-team-and-workflow.ts";
import type { Agent } from "../../shared/engine/define/agent.ts";
import { modelViewOf } from "../../shared/engine/define/remote-agent.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { KnowledgeBase } from "../../shared/knowledge/configured.ts";
import type { configRoutes } from "../../shared/routes/config.ts";
import type { ConfigDeps } from "./config-deps.ts";
import { configSections } from "./config-sections.ts";
import { modelsInUse } from "./list-models.ts";

/** What this instance hosts. Not filtered by the caller's scopes. */
export const getConfig: Handler<typeof configRoutes.getConfig, ConfigDeps> = async (
  _request,
  { osId, registry, bases, models, interfaces, queueEnabled, queuePerSession },
) => ({
  os_id: osId,
  name: osId,
  available_models: modelsInUse({ registry, models }),
  os_database: DB_ID,
  databases: [DB_ID],
  knowledge: {
    dbs: [{ db_id: DB_ID, domain_config: { display_name: DB_ID }, tables: [KNOWLEDGE_TABLE] }],
    knowledge_instances: bases.map(instanceOf),
  },
  chat: { quick_prompts: promptsOf([...registry.agents, ...registry.teams, ...registry.workflows]) },
  ...configSections(),
  agents: registry.agents.map((agent) => summaryOf(agent, models)),
  teams: registry.teams.map((team) => ({ ...summaryOf(team, models), mode: team.mode })),
  workflows: registry.workflows.map(summarizeWorkflow),
  interfaces: [...interfaces],
  queue: { enabled: queueEnabled, durable: queueEnabled, queue_per_session: queuePerSession },
});

const instanceOf = ({ id, name, description }: KnowledgeBase) => ({
  id,
  name,
  ...(description !== undefined && { description }),
  db_id: DB_ID,
  table: KNOWLEDGE_TABLE,
});

function promptsOf(runnables: readonly Pick<Agent, "id" | "quick_prompts">[]): Record<string, string[]> {
  const prompted = runnables.filter(({ quick_prompts }) => quick_prompts.length > 0);
  return Object.fromEntries(prompted.map(({ id, quick_prompts }) => [id, [...quick_prompts]]));
}

function summaryOf(agent: Omit<Agent, "kind">, models: Pick<Models, "describe">) {
  const { id, name, description, metadata } = agent;
  const model = modelViewOf(agent, models);
  return {
    id,
    name,
    ...(description !== undefined && { description }),
    db_id: DB_ID,
    model: { id: model.id, provider: model.provider },
    ...(metadata && { metadata: { ...metadata } }),
  };
}
