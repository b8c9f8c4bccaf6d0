import * as v from "valibot";
import {
  booleanText,
  integerText,
  lenientJsonObjectText,
  optionalText,
  requiredText,
} from "../schemas/fields.ts";
import { lenientKnowledgeFilters } from "../schemas/knowledge-filter.ts";
import { AcceptedRun, RunOutput } from "../schemas/run.ts";
import { sessionPolicies } from "../schemas/session-policy.ts";
import type { RouteTable } from "./route.ts";

/**
 * Form of a run. Fields that are not named here are accepted and passed to the run as text.
 *
 * @source contract, runs-and-queue 3.2
 */
export const CreateRunForm = v.objectWithRest(
  {
    message: requiredText(),
    stream: v.optional(booleanText(), "true"),
    background: v.optional(booleanText(), "false"),
    session_id: optionalText(),
    session_policy: v.optional(v.picklist(sessionPolicies), "parallel"),
    user_id: optionalText(),
    version: v.optional(integerText()),
    factory_input: optionalText(),
    session_state: lenientJsonObjectText(),
    dependencies: lenientJsonObjectText(),
    metadata: lenientJsonObjectText(),
    output_schema: lenientJsonObjectText(),
    use_json_schema: optionalText(),
    knowledge_filters: lenientKnowledgeFilters(),
    stream_events: v.optional(booleanText(), "true"),
  },
  v.unknown(),
);
export type CreateRunForm = v.InferOutput<typeof CreateRunForm>;

const AgentParams = v.object({ agent_id: v.string() });
const AgentRunParams = v.object({ agent_id: v.string(), run_id: v.string() });

export const runRoutes = {
  createAgentRun: {
    method: "POST",
    path: "/agents/{agent_id}/runs",
    scopes: ["agents:run"],
    streams: true,
    params: AgentParams,
    body: { form: CreateRunForm },
    response: RunOutput,
    also: { 202: AcceptedRun },
    summary: "Run an agent: wait for the answer, stream it, or queue it",
    description:
      "stream=true (default) answers text/event-stream; stream=false answers the finished run; background=true with stream=false answers 202 and the run goes on durably. session_policy says what becomes of it while other runs of its session are live: parallel (default), queue, reject with 409, or interrupt them.",
  },
  cancelAgentRun: {
    method: "POST",
    path: "/agents/{agent_id}/runs/{run_id}/cancel",
    scopes: ["agents:run"],
    audit: true,
    params: AgentRunParams,
    query: v.object({ session_id: v.optional(v.string()) }),
    response: v.object({}),
    summary: "Stop a run: at once while it waits, at its next checkpoint while it is executed",
  },
  getAgentRun: {
    method: "GET",
    path: "/agents/{agent_id}/runs/{run_id}",
    scopes: ["agents:read", "agents:run"],
    params: AgentRunParams,
    query: v.object({ session_id: v.string() }),
    response: RunOutput,
    summary: "Poll one run",
  },
  listAgentRuns: {
    method: "GET",
    path: "/agents/{agent_id}/runs",
    scopes: ["agents:read", "agents:run"],
    params: AgentParams,
    query: v.object({ session_id: v.string(), status: v.optional(v.string()) }),
    response: v.array(v.record(v.string(), v.unknown())),
    summary: "List the runs of one session",
  },
} as const satisfies RouteTable;
