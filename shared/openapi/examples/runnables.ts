import type { runnableRoutes } from "../../routes/runnables.ts";
import type { AgentResponse } from "../../schemas/components/agent.ts";
import type { TeamResponse } from "../../schemas/components/team.ts";
import type { ExamplesOf } from "./example.ts";

const agent: AgentResponse = {
  id: "assistant",
  name: "Assistant",
  description: "Answers questions.",
  is_factory: false,
  model: { name: "demo", model: "demo", provider: "scripted" },
  tools: {
    tools: [
      {
        name: "get_time",
        description: "Returns the time.",
        parameters: { type: "object", properties: { zone: { type: "string" } } },
      },
    ],
  },
  is_component: false,
};

const team: TeamResponse = {
  id: "support-team",
  name: "Support team",
  is_factory: false,
  is_component: false,
  mode: "coordinate",
  members: [{ id: "librarian", name: "Librarian", is_factory: false, is_component: false }],
};

const workflow = {
  id: "publish-report",
  name: "Publish report",
  description: "Outlines, writes and publishes a report.",
  is_factory: false,
  is_component: false,
};

export const runnableExamples: ExamplesOf<typeof runnableRoutes> = {
  listAgents: { answer: [agent] },
  getAgent: { answer: agent },
  listTeams: { answer: [team] },
  getTeam: { answer: team },
  listWorkflows: { answer: [workflow] },
  getWorkflow: {
    answer: {
      ...workflow,
      workflow_agent: false,
      steps: [{ name: "outline", type: "Function" }],
    },
  },
};
