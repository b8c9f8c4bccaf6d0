import * as v from "valibot";
import { AgentResponse } from "../schemas/agent.ts";
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
    params: v.object({ agent_id: v.string() }),
    response: AgentResponse,
    summary: "Show one agent",
  },
} as const satisfies RouteTable;
