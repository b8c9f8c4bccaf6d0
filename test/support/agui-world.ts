import { HttpAgent, type RunAgentParameters } from "@ag-ui/client";
import type { EventType, Message, RunAgentInput } from "@ag-ui/core";
import type { RunningPlatform } from "./platform.ts";

const everyScope = ["agents", "teams", "workflows"].flatMap((kind) => [`${kind}:read`, `${kind}:run`]);

// biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
export type SeenEvent = { readonly type: EventType } & Record<string, any>;

/** A front end: the official client, which refuses a stream that breaks the rules of the protocol. */
export function frontEnd(
  platform: RunningPlatform,
  path: string,
  sub: string,
  scopes: readonly string[] = everyScope,
) {
  const agent = new HttpAgent({
    url: `${platform.url}${path}`,
    threadId: `thread-${crypto.randomUUID()}`,
    headers: { authorization: `Bearer ${platform.token(sub, scopes)}` },
  });
  const events: SeenEvent[] = [];
  const collect = { onEvent: ({ event }: { event: unknown }) => void events.push(event as SeenEvent) };
  const run = async (parameters: RunAgentParameters = {}) => {
    events.length = 0;
    const result = await agent.runAgent(parameters, collect);
    return { result, events: [...events] };
  };
  return {
    agent,
    events,
    run,
    /** Says something and runs. */
    say: (text: string, parameters: RunAgentParameters = {}) => {
      agent.addMessage({ id: crypto.randomUUID(), role: "user", content: text });
      return run(parameters);
    },
    add: (message: Message) => agent.addMessage(message),
  };
}

export const typesOf = (events: readonly SeenEvent[]): string[] =>
  events.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);

export const theOne = (events: readonly SeenEvent[], type: EventType | `${EventType}`): SeenEvent => {
  const found = events.filter((event) => event.type === type);
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} events of type ${type}`);
  return found[0];
};

/** The text of a thread's messages of the assistant. */
export const said = (messages: readonly Message[]): string =>
  messages.flatMap(({ role, content }) => (role === "assistant" && content ? [content] : [])).join("\n");

/** A request as it is on the wire. */
export const inputOf = (text: string, more: Partial<RunAgentInput> = {}): RunAgentInput => ({
  threadId: `thread-${crypto.randomUUID()}`,
  runId: crypto.randomUUID(),
  messages: text === "" ? [] : [{ id: "m1", role: "user", content: text }],
  tools: [],
  context: [],
  ...more,
});
