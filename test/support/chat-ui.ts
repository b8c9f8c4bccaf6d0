import type { RunEvent } from "../../shared/schemas/runs/run-event.ts";
import type { Client, Frame } from "./client.ts";

type Call = { readonly tool_call_id: string; readonly tool_name: string; readonly result?: string | null };
type Medium = { readonly url?: string | undefined; readonly content?: string | undefined };

/** What the screen shows of one message. */
export type Shown = {
  readonly role: "user" | "agent";
  readonly content: string;
  readonly tool_calls: readonly Call[];
  readonly images: readonly Medium[];
};

type Row = {
  readonly run_input?: string;
  readonly content?: unknown;
  readonly tools?: readonly Call[];
  readonly images?: readonly Medium[];
};

const said = (role: Shown["role"], content: string): Shown => ({ role, content, tool_calls: [], images: [] });

/**
 * The peer's open chat UI as far as its requests and what it makes of the answers go: a message is streamed, and at its
 * RunStarted (and when the page is loaded again) the runs of the session are asked for, whose answer replaces the
 * whole conversation on the screen. What is streamed afterwards is added to the last message; the end replaces its text.
 *
 * @param listAgainAfter  events after each of which the list is asked for once more
 */
export function openChatUi(client: Client, listAgainAfter: readonly string[] = []) {
  let messages: Shown[] = [];
  const listings: { readonly status: number; readonly rows: readonly Row[] }[] = [];
  const last = (): Shown => messages.at(-1) ?? said("agent", "");
  const change = (changed: Partial<Shown>) => {
    messages = [...messages.slice(0, -1), { ...last(), ...changed }];
  };

  async function load(session_id: string): Promise<void> {
    const { status, json } = await client.get(`/sessions/${session_id}/runs?type=agent`);
    listings.push({ status, rows: status === 200 ? json : [] });
    if (status !== 200) return; // keeps what is on the screen
    messages = (json as Row[]).flatMap(({ run_input = "", content, tools = [], images = [] }) => [
      said("user", run_input),
      { role: "agent", content: typeof content === "string" ? content : "", tool_calls: tools, images },
    ]);
  }

  const merged = (call: Call): readonly Call[] => {
    const others = last().tool_calls.filter(({ tool_call_id }) => tool_call_id !== call.tool_call_id);
    return [...others, call];
  };

  function take({ event, data }: Frame): void {
    const streamed = data as unknown as RunEvent; // as the stream is described
    if (streamed.event === "RunContent") change({ content: last().content + streamed.content });
    if (streamed.event === "ToolCallStarted" || streamed.event === "ToolCallCompleted") {
      change({ tool_calls: merged(streamed.tool) });
    }
    if (event === "RunCompleted" && streamed.event === "RunCompleted") {
      change({ content: String(streamed.content), images: streamed.images ?? last().images });
    }
  }

  return {
    listings,
    shown: () => messages,
    load,
    /** Sends a message as the UI does. @returns the session */
    async send(path: string, message: string, session_id = ""): Promise<string> {
      messages = [...messages, said("user", message), said("agent", "")];
      const form = new FormData();
      for (const [name, value] of Object.entries({ message, stream: "true", session_id })) {
        form.set(name, value);
      }
      const response = await client.send("POST", path, { form });
      let session = session_id;
      const loading: Promise<void>[] = [];
      for await (const frame of framesIn(response)) {
        take(frame);
        const isStart = frame.event === "RunStarted";
        if (isStart) session = String(frame.data.session_id);
        if (isStart || listAgainAfter.includes(frame.event)) loading.push(load(session));
      }
      await Promise.all(loading);
      return session;
    },
  };
}

/** The frames of an answer as they arrive. */
async function* framesIn(response: Response): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const [head = "", body = ""] = part.split("\n");
      if (head.startsWith("event: ")) yield { event: head.slice(7), data: JSON.parse(body.slice(6)) };
    }
  }
}
