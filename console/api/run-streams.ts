import type {
  AgentRunEvent,
  Operations,
  RunEvent,
  TeamRunEvent,
  WorkflowRunEvent,
} from "../../client/index.ts";
import type { Kind } from "./kinds.ts";
import { platform } from "./platform.ts";

/** An event of a run's stream. The frame of a workflow's whole output, which names no event, is none. */
export type StreamEvent = Extract<AgentRunEvent | TeamRunEvent | WorkflowRunEvent, { event: string }>;

export type CreateBody = Operations["createAgentRun"]["input"]["body"];
export type ContinueBody = NonNullable<Operations["continueAgentRun"]["input"]["body"]>;

const operations = {
  agent: { create: "createAgentRun", continue: "continueAgentRun", resume: "resumeAgentRun" },
  team: { create: "createTeamRun", continue: "continueTeamRun", resume: "resumeTeamRun" },
  workflow: { create: "createWorkflowRun", continue: "continueWorkflowRun", resume: "resumeWorkflowRun" },
} as const;

/**
 * The streams of a component's runs, by the same names for all three kinds. Leaving one leaves the run going on: it is
 * followed again by `resume`, and stopped only by its cancellation.
 */
export function streamsOf(kind: Kind, id: string) {
  const names = operations[kind];
  const own = { [`${kind}_id`]: id };
  // The three kinds differ in the name of one field of the path, which the generated types do not know.
  const stream = (name: (typeof names)[keyof typeof names], input: object, signal: AbortSignal) =>
    events(platform.stream(name, input as never, { signal, onLeave: "go-on" }));
  return {
    create: (body: CreateBody, signal: AbortSignal) => stream(names.create, { path: own, body }, signal),
    continue: (run_id: string, body: ContinueBody, signal: AbortSignal) =>
      stream(names.continue, { path: { ...own, run_id }, body }, signal),
    /** @param last_event_index  undefined sends all events from the first one on */
    resume: (run_id: string, session_id: string, last_event_index: number | undefined, signal: AbortSignal) =>
      stream(
        names.resume,
        {
          path: { ...own, run_id },
          body: { session_id, ...(last_event_index !== undefined && { last_event_index }) },
        },
        signal,
      ),
    /** Continues without a stream: answers when the run is in the queue, or has ended. */
    continueUnseen: (run_id: string, body: ContinueBody): Promise<unknown> => {
      const path = { ...own, run_id };
      const send: (input: never) => Promise<unknown> = platform[names.continue];
      return send({ path, body } as never);
    },
  };
}

async function* events(frames: AsyncGenerator<RunEvent, void>): AsyncGenerator<StreamEvent, void> {
  // What this version does not know it cannot show.
  for await (const frame of frames)
    if (frame.event !== "UnknownEvent" && frame.event !== "WorkflowRunOutput") yield frame.data;
}
