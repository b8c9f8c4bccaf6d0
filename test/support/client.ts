import type { AcceptedRun, RunOutput } from "../../shared/schemas/runs/run.ts";
import { HANGS_AFTER_MS } from "./hangs-after.ts";

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is none. Tests look into it freely. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
  readonly json: any;
};

export type Sent = {
  readonly form?: Readonly<Record<string, string>> | FormData;
  readonly json?: unknown;
  /** As it is, in place of a form or JSON. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Requests with one credential, as a client of the platform sends them. */
export function clientOf(url: string, token?: string) {
  const send = (method: string, path: string, { form, json, body, headers }: Sent = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(form && { body: form instanceof FormData ? form : new URLSearchParams(form) }),
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(body !== undefined && { body }),
    });
  const call = async (method: string, path: string, sent?: Sent): Promise<Answer> => {
    const response = await send(method, path, sent);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  };
  const run = (message: string, form: Record<string, string> = {}, headers?: Record<string, string>) =>
    call("POST", "/agents/assistant/runs", {
      form: { message, stream: "false", ...form },
      ...(headers && { headers }),
    });
  const poll = ({ run_id, session_id }: Pick<AcceptedRun, "run_id" | "session_id">) =>
    call("GET", `/agents/assistant/runs/${run_id}?session_id=${session_id}`);
  return {
    send,
    call,
    get: (path: string) => call("GET", path),
    post: (path: string, sent?: Sent) => call("POST", path, sent),
    run,
    poll,
    /** Submits a background run. */
    submit: async (message: string, form: Record<string, string> = {}): Promise<AcceptedRun> =>
      (await run(message, { background: "true", ...form })).json,
    /** Polls until the run rests. */
    async settled(
      run: Pick<AcceptedRun, "run_id" | "session_id">,
      withinMs = HANGS_AFTER_MS,
    ): Promise<RunOutput> {
      for (const from = Date.now(); ; await pause(untilNextPoll(Date.now() - from))) {
        const { status, json } = await poll(run);
        if (status === 200 && json.status !== "PENDING" && json.status !== "RUNNING") return json;
        if (Date.now() > from + withinMs)
          throw new Error(`run ${run.run_id} does not end: ${status} ${json?.status}`);
      }
    },
  };
}

/** A poll takes milliseconds of the processor that the run needs too: the longer it has taken, the less often it is asked for. */
const untilNextPoll = (waitedMs: number): number => Math.min(250, Math.max(20, waitedMs / 5));

export type Client = ReturnType<typeof clientOf>;

export type Frame = { readonly event: string; readonly data: Record<string, unknown> };

/** The frames of an event stream; refuses what this wire's clients could not read. */
export function framesOf(text: string): Frame[] {
  return text
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.startsWith(":"))
    .map((frame) => {
      const [head = "", body = "", ...more] = frame.split("\n");
      if (more.length > 0 || !head.startsWith("event: ") || !body.startsWith("data: ")) {
        throw new Error(`not a frame of this wire: ${frame}`);
      }
      return { event: head.slice(7), data: JSON.parse(body.slice(6)) };
    });
}

/** The event names in order, repeated ones once. */
export const orderOf = (frames: readonly Frame[]): string[] =>
  frames.map(({ event }) => event).filter((event, i, all) => event !== all[i - 1]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
