import * as v from "valibot";
import { type Agent, defineAgent } from "../../../shared/engine/define/agent.ts";
import { executeAgentRun } from "../../../shared/engine/loop/execute-agent-run.ts";
import { createModels } from "../../../shared/engine/model/create-models.ts";
import type { Models } from "../../../shared/engine/model/models.ts";
import type { EnginePorts } from "../../../shared/engine/ports/engine-ports.ts";
import type { RunOutcome } from "../../../shared/engine/run/run-outcome.ts";
import type { RunRequest } from "../../../shared/engine/run/run-request.ts";
import { defineTool, type Tool } from "../../../shared/engine/tool/tool.ts";
import { type Clock, systemClock } from "../../../shared/runtime/clock.ts";
import type { RunEvent } from "../../../shared/schemas/runs/run-event.ts";

/** Epoch seconds of the first instant of every test run. */
export const START_SECONDS = 1_790_000_000;

/** A clock that moves on by ten milliseconds whenever it is read; it sleeps for real. */
export function tickingClock(): Clock {
  let nowMs = START_SECONDS * 1000 - 10;
  return {
    now: () => {
      nowMs += 10;
      return nowMs;
    },
    sleep: systemClock.sleep,
  };
}

export const scripted = (): Models => createModels({ MODEL: "scripted" });

export const aRequest = (input: string, parts: Partial<RunRequest> = {}): RunRequest => ({
  run_id: "run-1",
  session_id: "session-1",
  user_id: "maria",
  input,
  history: [],
  session_state: {},
  created_at: START_SECONDS,
  ...parts,
});

/** Its model calls are not retried unless a test says so. */
export const anAgent = (parts: Partial<Agent> = {}): Agent => ({
  ...defineAgent({ id: "helper", name: "Helper", retries: 0 }),
  ...parts,
});

/** A tool that takes `{ a, b }` and answers their sum; what it was given and by whom is kept. */
export function aTool(parts: Partial<Tool> = {}) {
  const seen: unknown[] = [];
  const adding = defineTool({
    name: "add",
    description: "Add two numbers.",
    parameters: v.object({ a: v.number(), b: v.number() }),
    effect: "safe",
    execute: (args, given) => {
      const { signal: _, updateSessionState: _u, readChatHistory: _r, remember: _m, ...rest } = given;
      const { searchKnowledge: _k, log: _l, ...context } = rest;
      seen.push({ args, context });
      return args.a + args.b;
    },
  });
  return { tool: { ...adding, ...parts }, seen };
}

export type TestRun = {
  readonly outcome: RunOutcome;
  readonly events: readonly RunEvent[];
  /** Event types in their order, runs of the same one written once. */
  readonly order: readonly string[];
};

export type How = {
  agent?: Agent;
  request?: RunRequest;
  onEvent?: (event: RunEvent) => void;
} & Partial<EnginePorts>;

/** Executes a run of the scripted model, unless another is given, and keeps its events. */
export function runAgent(input: string, how: How = {}): Promise<TestRun> {
  const { agent = anAgent(), request = aRequest(input) } = how;
  return withPorts(how, (ports) => executeAgentRun(agent, request, ports));
}

/** Executes something with ports that keep its events. */
export async function withPorts(
  { agent: _agent, request: _request, onEvent, ...ports }: How,
  execute: (ports: EnginePorts) => Promise<RunOutcome>,
): Promise<TestRun> {
  const events: RunEvent[] = [];
  let ids = 0;
  const outcome = await execute({
    models: scripted(),
    clock: tickingClock(),
    newId: () => `id-${++ids}`,
    signal: new AbortController().signal,
    ...ports,
    emit: (event) => {
      events.push(structuredClone(event));
      onEvent?.(event);
    },
  });
  return { outcome, events, order: orderOf(events) };
}

const orderOf = (events: readonly RunEvent[]): string[] =>
  events.map(({ event }) => event).filter((event, i, all) => event !== all[i - 1]);

export const eventsOf = <E extends RunEvent["event"]>(run: TestRun, name: E) =>
  run.events.filter((event): event is Extract<RunEvent, { event: E }> => event.event === name);
