import * as v from "valibot";
import { Checkpoint } from "../schemas/checkpoint.ts";
import {
  booleanText,
  integerText,
  lenientJsonObjectText,
  optionalText,
  requiredText,
} from "../schemas/fields.ts";
import { lenientKnowledgeFilters } from "../schemas/knowledge-filter.ts";
import { filesMetadataText, mediaListText } from "../schemas/media-fields.ts";
import { AcceptedRun, RunOutput } from "../schemas/run.ts";
import { sessionPolicies } from "../schemas/session-policy.ts";
import { uploadedFiles } from "../schemas/uploaded-file.ts";
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
    files: uploadedFiles(),
    files_metadata: filesMetadataText(),
    images: mediaListText(),
    audio: mediaListText(),
    videos: mediaListText(),
    input_files: mediaListText(),
    stream_events: v.optional(booleanText(), "true"),
  },
  v.unknown(),
);
export type CreateRunForm = v.InferOutput<typeof CreateRunForm>;

/**
 * Form of a continuation. What is wrong in the texts that are not typed here answers 400, so they are read later.
 *
 * @source contract, runs-and-queue section 7
 */
export const ContinueRunForm = v.objectWithRest(
  {
    tools: optionalText(),
    session_id: optionalText(),
    user_id: optionalText(),
    stream: v.optional(booleanText(), "true"),
    background: v.optional(booleanText(), "false"),
    stream_events: v.optional(booleanText(), "true"),
    input: optionalText(),
    continue_from: optionalText(),
    fork: v.optional(booleanText(), "false"),
    regenerate: v.optional(booleanText(), "false"),
    replace_original: v.optional(booleanText()),
    additional_instructions: optionalText(),
  },
  v.unknown(),
);
export type ContinueRunForm = v.InferOutput<typeof ContinueRunForm>;

const SessionQuery = v.object({ session_id: v.string() });

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
  continueAgentRun: {
    method: "POST",
    path: "/agents/{agent_id}/runs/{run_id}/continue",
    scopes: ["agents:run"],
    streams: true,
    params: AgentRunParams,
    body: { form: ContinueRunForm },
    response: RunOutput,
    also: { 202: AcceptedRun },
    summary: "Continue a run: answer a paused one, take up a failed one, go on from a completed one",
    description:
      "tools carries the calls of a paused run with their answers. A completed run is continued as a new run (forked_from_run_id); fork=true does so with any run, from continue_from on; regenerate=true answers the last message anew. A run that was queued is continued with background=true.",
  },
  resumeAgentRun: {
    method: "POST",
    path: "/agents/{agent_id}/runs/{run_id}/resume",
    scopes: ["agents:run"],
    streams: true,
    params: AgentRunParams,
    body: {
      form: v.objectWithRest(
        { last_event_index: v.optional(integerText()), session_id: optionalText() },
        v.unknown(),
      ),
    },
    response: { mediaType: "text/event-stream" },
    summary: "Follow a run's events again from where a connection broke off",
  },
  listCheckpoints: {
    method: "GET",
    path: "/agents/{agent_id}/runs/{run_id}/checkpoints",
    scopes: ["agents:read", "agents:run"],
    params: AgentRunParams,
    query: SessionQuery,
    response: v.object({ run_id: v.string(), session_id: v.string(), checkpoints: v.array(Checkpoint) }),
    summary: "List the places where a run may be taken up",
  },
  getCheckpoint: {
    method: "GET",
    path: "/agents/{agent_id}/runs/{run_id}/checkpoints/{message_index}",
    scopes: ["agents:read", "agents:run"],
    params: v.object({ ...AgentRunParams.entries, message_index: v.string() }),
    query: SessionQuery,
    response: v.object({ checkpoint: Checkpoint, snapshot: RunOutput }),
    summary: "Show a run as it was after so many messages",
  },
  forkAgentSession: {
    method: "POST",
    path: "/agents/{agent_id}/sessions/{session_id}/fork",
    scopes: ["agents:run"],
    params: v.object({ agent_id: v.string(), session_id: v.string() }),
    response: v.object({ session_id: v.string(), forked_from_session_id: v.string() }),
    summary: "Copy a session's finished runs into a new session",
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
