import {
  type Agent,
  defineAgent,
  defineTeam,
  defineWorkflow,
  type Registry,
} from "../../../shared/engine/define/index.ts";

/**
 * The components that the peer's system tests name, by their ids, names and models. There some are of other servers; a client
 * cannot see the difference.
 */

/** Requests of these agents are of this plan of the model server. */
export const PLAN = "plan-peer";

const agent = (id: string, name: string, model: string): Agent =>
  defineAgent({ id, name, model, instructions: `Answer in a few words. ${PLAN}` });

const gateway = agent("gateway-agent", "Gateway Agent", "openai:gpt-4o-mini");
const assistant = agent("assistant-agent", "Assistant", "openai:gpt-5-mini");
const researcher = agent("researcher-agent", "Researcher", "openai:gpt-5-mini");
const copies = [
  agent("facts_agent", "facts_agent", "openai:gpt-4o-mini"),
  defineAgent({ ...assistant, id: "assistant-agent-2" }),
  defineAgent({ ...researcher, id: "researcher-agent-2" }),
];

const team = (id: string, name: string, members: Agent[]) =>
  defineTeam({ id, name, model: "openai:gpt-4o-mini", instructions: PLAN, members });

const workflow = (id: string, name: string, executor: Agent) =>
  defineWorkflow({ id, name, steps: [{ name: `${name} Step`, type: "Step", executor }] });

export const registry: Registry = {
  agents: [gateway, assistant, researcher, ...copies],
  teams: [
    team("gateway-team", "Gateway Team", [gateway]),
    team("research-team", "Research Team", [assistant, researcher]),
    team("research-team-2", "Research Team", [assistant, researcher]),
  ],
  workflows: [
    workflow("gateway-workflow", "Gateway Workflow", gateway),
    workflow("qa-workflow", "QA Workflow", assistant),
    workflow("qa-workflow-2", "QA Workflow", assistant),
  ],
};
