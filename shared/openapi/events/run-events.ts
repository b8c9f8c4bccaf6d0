import * as v from "valibot";
import { RunStatus } from "../../schemas/runs/run.ts";
import { WorkflowRunOutput } from "../../schemas/runs/workflow-run.ts";
import { agentEvents } from "./agent-events.ts";
import { eventsOf } from "./event-table.ts";
import { teamEvents, unprefixedEvents } from "./team-events.ts";
import { workflowEvents } from "./workflow-events.ts";

const text = v.string();

/** Fields of every event of an agent's or a team's run. */
const runBase = {
  /** Epoch seconds. */
  created_at: v.number(),
  run_id: text,
  session_id: text,
  parent_run_id: v.exactOptional(text),
  workflow_id: v.exactOptional(text),
  workflow_run_id: v.exactOptional(text),
  step_id: v.exactOptional(text),
  step_name: v.exactOptional(text),
  step_index: v.exactOptional(v.number()),
  nested_depth: v.number(),
  /** 0-based, rising by one over the life of the run that is followed. */
  event_index: v.exactOptional(v.number()),
};

const agentBase = { ...runBase, agent_id: text, agent_name: text };
const teamBase = { ...runBase, team_id: text, team_name: text };

const workflowBase = {
  created_at: v.number(),
  workflow_id: text,
  workflow_name: text,
  run_id: text,
  session_id: text,
  step_id: v.exactOptional(text),
  parent_step_id: v.exactOptional(text),
  nested_depth: v.number(),
  event_index: v.exactOptional(v.number()),
};

const about = { run_id: v.string(), status: RunStatus, message: v.string() };

/** Further frames for a client that resumes a stream. @source docs/interface/runs.md 9.1 */
const resumption = [
  v.object({
    event: v.literal("replay"),
    ...about,
    total_events: v.number(),
    last_event_index_requested: v.optional(v.number()),
  }),
  v.object({
    event: v.literal("catch_up"),
    ...about,
    missed_events: v.number(),
    current_event_count: v.number(),
  }),
  v.object({ event: v.literal("subscribed"), ...about, current_event_count: v.number() }),
  v.object({ event: v.literal("error"), error: v.string() }),
];

/** Data of a frame of an agent's run. */
export const AgentRunEvent = v.union([...eventsOf(agentEvents, agentBase), ...resumption]);

/** Data of a frame of a team's run: its own events and those of its members. */
export const TeamRunEvent = v.union([
  ...eventsOf(teamEvents, teamBase, "Team"),
  ...eventsOf(unprefixedEvents, teamBase),
  AgentRunEvent,
]);

/** The paused run as a whole, for old clients; it does not repeat its type. */
const pausedRun = v.object({ ...WorkflowRunOutput.entries, ...workflowBase });

/** Data of a frame of a workflow's run: its own events and those of the runs within it. */
export const WorkflowRunEvent = v.union([
  ...eventsOf(workflowEvents, workflowBase),
  pausedRun,
  AgentRunEvent,
  TeamRunEvent,
]);

/** Data of a frame of the agent-to-agent protocol; which members there are depends on its version, see docs/a2a.md. */
export const TaskEvent = v.record(v.string(), v.unknown());

/** A chunk of OpenAI's chat completions; an error has `error` instead, and the last frame is `[DONE]`. */
export const ChatCompletionChunk = v.looseObject({ id: v.optional(v.string()) });
/** An event of OpenAI's responses; which members it has depends on its type. */
export const ResponseStreamEvent = v.looseObject({ type: v.string() });
/** Data of a frame of AG-UI; its members depend on its type, see docs/guide/ag-ui.md. */
export const AguiEvent = v.looseObject({ type: v.string() });
/** A chunk of the AI SDK's UI message stream; its members depend on its type, see docs/guide/use-chat.md. */
export const UiMessageChunk = v.looseObject({ type: v.string() });
