import { expectTypeOf, test } from "vitest";
import {
  type Accepted,
  type AgentEvent,
  type CallOptions,
  type Client,
  type ClientOptions,
  type Content,
  isAccepted,
  type RunOutput,
  type UnknownEvent,
  type WorkflowRunOutput,
} from "../../client/index.ts";

/** Compiled by `npm run check`, and never executed: each function says what a caller's code may rely on. */
type Scene = (client: Client) => unknown;
const compiles = (_: Scene): void => {};

const agent = { agent_id: "assistant" };
const workflow = { workflow_id: "report" };
const waiting = { message: "hi" };
const background = { message: "hi", background: true } as const;

test("a run is answered by what was asked for", () => {
  compiles(async (client) => {
    expectTypeOf(await client.createAgentRun({ path: agent, body: waiting })).toEqualTypeOf<RunOutput>();
    expectTypeOf(
      await client.createAgentRun({ path: agent, body: { message: "hi", background: false } }),
    ).toEqualTypeOf<RunOutput>();
    expectTypeOf(
      await client.createAgentRun({ path: agent, body: { message: "hi", background: true } }),
    ).toEqualTypeOf<Accepted>();
    expectTypeOf(
      await client.createWorkflowRun({ path: workflow, body: waiting }),
    ).toEqualTypeOf<WorkflowRunOutput>();
    expectTypeOf(
      await client.createWorkflowRun({ path: workflow, body: background }),
    ).toEqualTypeOf<Accepted>();
  });
});

test("where only a value says it, both answers are possible, and distinguished", () => {
  compiles(async (client) => {
    const chosen: boolean = Math.random() > 0.5;
    const answer = await client.createAgentRun({ path: agent, body: { message: "hi", background: chosen } });
    expectTypeOf(answer).toEqualTypeOf<RunOutput | Accepted>();
    if (isAccepted(answer)) expectTypeOf(answer).toEqualTypeOf<Accepted>();
    else expectTypeOf(answer).toEqualTypeOf<RunOutput>();
  });
});

test("a continued run is answered whole, unless it may be in the queue", () => {
  compiles(async (client) => {
    const path = { ...agent, run_id: "r" };
    expectTypeOf(
      await client.continueAgentRun({ path, body: { session_id: "s" } }),
    ).toEqualTypeOf<RunOutput>();
    expectTypeOf(
      await client.continueAgentRun({ path, body: { session_id: "s", background: true } }),
    ).toEqualTypeOf<RunOutput | Accepted>();
  });
});

test("an input is checked field by field", () => {
  compiles((client) => [
    // @ts-expect-error a message is missing
    client.createAgentRun({ path: agent, body: {} }),
    // @ts-expect-error there is no such field
    client.createAgentRun({ path: agent, body: { message: "hi", sesion_id: "s" } }),
    // @ts-expect-error the path names a team
    client.createTeamRun({ path: agent, body: waiting }),
    // @ts-expect-error it does not stream
    client.stream("listAgents", {}),
    // @ts-expect-error the client needs every event
    client.runs.stream(agent, { message: "hi", stream_events: false }),
    // @ts-expect-error a run is found by its session too
    client.runs.wait({ ...agent, run_id: "r" }),
  ]);
});

test("a run that is waited for is that of its component", () => {
  compiles(async (client) => {
    const accepted = await client.createAgentRun({ path: agent, body: background });
    expectTypeOf(await client.runs.wait({ ...agent, ...accepted })).toEqualTypeOf<RunOutput>();
    expectTypeOf(await client.runs.wait({ ...workflow, ...accepted })).toEqualTypeOf<WorkflowRunOutput>();
  });
});

test("the name of an event says what its data is", () => {
  compiles(async (client) => {
    for await (const e of client.stream("createAgentRun", { path: agent, body: waiting })) {
      if (e.event === "RunContent") expectTypeOf(e.data.content).toEqualTypeOf<string>();
      if (e.event === "RunPaused")
        expectTypeOf(e.data.tools[0]?.tool_name).toEqualTypeOf<string | undefined>();
      if (e.event === "replay") expectTypeOf(e.data.total_events).toEqualTypeOf<number>();
      // @ts-expect-error an agent's run has no such event
      if (e.event === "TeamRunContent") return;
    }
    for await (const { event, data } of client.runs.stream(agent, waiting)) {
      if (event === "RunContent") expectTypeOf(data.content).toEqualTypeOf<string>();
      if (event === "RunStarted") expectTypeOf(data.model).toEqualTypeOf<string>();
      // @ts-expect-error runs.stream keeps frames to itself that are no events
      if (event === "subscribed") return;
    }
    for await (const e of client.runs.stream({ team_id: "desk" }, waiting)) {
      if (e.event === "TeamRunContent") expectTypeOf(e.data.team_id).toEqualTypeOf<string>();
      if (e.event === "RunContent") expectTypeOf(e.data.agent_id).toEqualTypeOf<string>();
    }
    for await (const e of client.runs.follow({ ...workflow, run_id: "r", session_id: "s" })) {
      if (e.event === "StepCompleted") expectTypeOf(e.data.step_name).toEqualTypeOf<string>();
    }
    const paused = { ...workflow, run_id: "r", session_id: "s" };
    for await (const e of client.runs.continue(paused, { step_requirements: [] })) {
      if (e.event === "StepCompleted") expectTypeOf(e.data.step_name).toEqualTypeOf<string>();
    }
    // @ts-expect-error a fork is another run
    client.runs.continue(paused, { fork: true });
  });
});

test("events that this version does not know can be read", () => {
  compiles(async (client) => {
    for await (const e of client.runs.stream(agent, waiting)) {
      if (e.event !== "UnknownEvent") continue;
      expectTypeOf(e).toEqualTypeOf<UnknownEvent>();
      expectTypeOf(e.name).toEqualTypeOf<string>();
      expectTypeOf(e.data.anything).toEqualTypeOf<unknown>();
    }
  });
  expectTypeOf<UnknownEvent>().toExtend<AgentEvent>();
});

test("frames of agent-to-agent calls have no names", () => {
  compiles(async (client) => {
    for await (const e of client.stream("followAgentTask", { path: { ...agent, task_id: "t" } })) {
      expectTypeOf(e.data).toEqualTypeOf<Readonly<Record<string, unknown>>>();
    }
  });
});

test("an option may be undefined, such as a variable of the environment that is not set", () => {
  expectTypeOf<{ baseUrl: string; token: string | undefined }>().toExtend<ClientOptions>();
  expectTypeOf<{ signal: AbortSignal | undefined }>().toExtend<CallOptions>();
});

test("an upload answers the content", () => {
  compiles(async (client) => {
    const options = { knowledge_id: "k", name: "manual", metadata: { line: "pumps" } };
    expectTypeOf(await client.knowledge.upload(new Blob([]), options)).toEqualTypeOf<Content>();
    // @ts-expect-error the file is given already
    await client.knowledge.upload(new Blob([]), { text_content: "no" });
  });
});
