import * as v from "valibot";
import { AgentResponse } from "../schemas/components/agent.ts";
import { TeamResponse } from "../schemas/components/team.ts";
import { WorkflowResponse, WorkflowSummary } from "../schemas/components/workflow.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { integerText } from "../schemas/values/fields.ts";
import { idEntry } from "../schemas/values/path-ids.ts";
import type { RouteTable } from "./route.ts";

export const runnableRoutes = {
  listAgents: {
    method: "GET",
    path: "/agents",
    scopes: ["agents:read"],
    response: v.array(AgentResponse),
    summary: "List the agents the caller may read",
  },
  getAgent: {
    method: "GET",
    path: "/agents/{agent_id}",
    scopes: ["agents:read"],
    params: v.object(idEntry("agent")),
    response: AgentResponse,
    summary: "Show one agent",
  },
  listTeams: {
    method: "GET",
    path: "/teams",
    scopes: ["teams:read"],
    response: v.array(TeamResponse),
    summary: "List the teams the caller may read",
  },
  getTeam: {
    method: "GET",
    path: "/teams/{team_id}",
    scopes: ["teams:read"],
    params: v.object(idEntry("team")),
    response: TeamResponse,
    summary: "Show one team with its members",
  },
  listWorkflows: {
    method: "GET",
    path: "/workflows",
    scopes: ["workflows:read"],
    response: v.array(WorkflowSummary),
    summary: "List the workflows the caller may read",
  },
  getWorkflow: {
    method: "GET",
    path: "/workflows/{workflow_id}",
    scopes: ["workflows:read"],
    params: v.object(idEntry("workflow")),
    query: v.object({
      version: meaning(
        v.optional(integerText()),
        "Of a stored workflow; the live version without it. Ignored where code declares the workflow",
      ),
    }),
    response: WorkflowResponse,
    summary: "Show one workflow with its steps",
  },
} as const satisfies RouteTable;
