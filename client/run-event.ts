import type { AgentRunEvent, Operations, TeamRunEvent, WorkflowRunEvent } from "./operations.ts";
import type { Frame } from "./read-frames.ts";
import type { ComponentAddress } from "./run-address.ts";
import type { UnknownEvent } from "./unknown-event.ts";

/** The name of an event says what its data is. Only the run of a paused workflow does not repeat its name in its data. */
type Named<Data> = Data extends { event: infer Name extends string }
  ? { readonly event: Name; readonly data: Data }
  : { readonly event: "WorkflowRunOutput"; readonly data: Data };

/** Frames of a stream that was resumed: they show where it stands, and are no events. */
type Resumption = { readonly event: "replay" | "catch_up" | "subscribed" | "error" };

/** What an operation streams. Frames of agent-to-agent calls have no names. */
export type StreamedBy<Name extends keyof Operations> = Operations[Name] extends { events: infer Data }
  ? string extends keyof Data
    ? Frame
    : Named<Data> | UnknownEvent
  : never;

type EventIn<Data> = Exclude<Named<Data>, Resumption> | UnknownEvent;

export type AgentEvent = EventIn<AgentRunEvent>;
/** An event of a team's run or of its members'. */
export type TeamEvent = EventIn<TeamRunEvent>;
/** An event of a workflow's run or of the runs within it. */
export type WorkflowEvent = EventIn<WorkflowRunEvent>;

/** The events of a component's runs. */
export type EventOf<C extends ComponentAddress> = C extends { readonly workflow_id: string }
  ? WorkflowEvent
  : C extends { readonly team_id: string }
    ? TeamEvent
    : AgentEvent;

/** An event of a run, with the frames of a stream that was resumed. */
export type RunEvent = StreamedBy<"createAgentRun" | "createTeamRun" | "createWorkflowRun">;
