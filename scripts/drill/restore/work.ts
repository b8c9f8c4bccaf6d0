import { setTimeout as pause } from "node:timers/promises";
import type { Client, Sent } from "../../../test/support/client.ts";

/** What a client knows of a run that it submitted. */
export type Submitted = {
  readonly number: number;
  readonly agent: string;
  readonly message: string;
  readonly session_id: string;
  /** Epoch milliseconds: when it was sent, and when it was accepted. */
  readonly sentAt: number;
  readonly acceptedAt: number;
  readonly run_id: string;
};

const CLIENTS = 12;
const HANGS_AFTER_MS = 120_000;
const STUCK_MS = 300_000;
const TRIES = 5;
/** Beyond what stays in an item, so that it becomes an object. */
const LONG_TEXT = 130_000;
const RUNS_PER_SESSION = 10;

/**
 * A client that asks again where the connection was lost without an answer: a server that is busy closes idle ones late, which
 * resets a request that has just been sent on one.
 */
export function askingAgain(client: Client): Client {
  const call: Client["call"] = async (method: string, path: string, sent?: Sent) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await client.call(method, path, sent);
      } catch (error) {
        if (!(error instanceof TypeError) || attempt === TRIES) throw error;
        await pause(200 * attempt);
      }
    }
  };
  return {
    ...client,
    call,
    get: (path) => call("GET", path),
    post: (path, sent) => call("POST", path, sent),
  };
}

/** Every tenth run waits for a confirmation, some hold a long text of their own session, some sleep; the rest are short. */
function runOf(number: number) {
  const session_id = `session-${Math.floor(number / RUNS_PER_SESSION)}`;
  if (number % 10 === 3) {
    const message = `[[tool:issue_refund {"order_id":"A-${number}","amount":5}]]`;
    return { agent: "refund-desk", message, session_id: `refund-${number}` };
  }
  if (number % 50 === 7) {
    // No two texts are alike, so that none packs into an item.
    const text = Array.from({ length: LONG_TEXT / 20 }, (_, i) => `${Math.sin(number * 1e6 + i)}`).join(" ");
    return { agent: "assistant", message: `long ${number} ${text}`, session_id: `long-${number}` };
  }
  const sleep = number % 10 === 5 ? "[[sleep:1000]]" : "";
  return { agent: "assistant", message: `note ${number} ${sleep}`, session_id };
}

/** Submits background runs with the numbers from `from` up to `to`, in order within a session. @param done  awaited before its client submits the next */
export async function submitRuns(
  client: Client,
  from: number,
  to: number,
  done: (run: Submitted) => Promise<void>,
) {
  let next = from;
  const work = async (): Promise<void> => {
    for (let group = next; group < to; group = next) {
      next += RUNS_PER_SESSION;
      for (let number = group; number < Math.min(group + RUNS_PER_SESSION, to); number += 1)
        await done(await submit(client, number));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
}

async function submit(client: Client, number: number): Promise<Submitted> {
  const run = runOf(number);
  const sentAt = Date.now();
  const form = { message: run.message, session_id: run.session_id, stream: "false", background: "true" };
  const headers = { "idempotency-key": `drill-${number}` };
  const { status, json, text } = await client.post(`/agents/${run.agent}/runs`, { form, headers });
  if (status !== 202) throw new Error(`run ${number} was not accepted: ${status} ${text.slice(0, 200)}`);
  return { ...run, number, sentAt, acceptedAt: Date.now(), run_id: json.run_id };
}

/** Waits until no job is queued or running. @throws Error when none has ended for five minutes */
export async function drained(client: Client): Promise<void> {
  let last = { live: Number.POSITIVE_INFINITY, at: Date.now() };
  for (;;) {
    const { json } = await client.get("/queue/jobs?status=queued&status=running&limit=1");
    const live: number = json?.meta?.total_count ?? last.live;
    if (live === 0) return;
    if (live < last.live) last = { live, at: Date.now() };
    if (Date.now() > last.at + STUCK_MS) throw new Error(`${live} jobs do not end`);
    // Each question reads the whole index, of which a platform that works has little to spare.
    await pause(Math.min(5_000, 200 + live));
  }
}

/** Waits until a job is neither queued nor running, as one of a slot that has just come. @returns false where it does not end */
export async function ends(client: Client, run_id: string): Promise<boolean> {
  for (const until = Date.now() + HANGS_AFTER_MS; Date.now() < until; await pause(100)) {
    const { json } = await client.get(`/queue/jobs/${run_id}`);
    if (json.status !== "queued" && json.status !== "running") return true;
  }
  return false;
}

/** Confirms the tool of a paused run, which goes on in the background. @returns how it ended, or why not */
export async function confirm(client: Client, { agent, run_id, session_id }: Submitted): Promise<string> {
  const path = `/agents/${agent}/runs/${run_id}`;
  const { json } = await client.get(`${path}?session_id=${session_id}`);
  const tools = (json.tools ?? []).map((tool: object) => ({ ...tool, confirmed: true }));
  const form = { tools: JSON.stringify(tools), session_id, stream: "false", background: "true" };
  const { status, text } = await client.post(`${path}/continue`, { form });
  if (status >= 300) return `${status} ${text.slice(0, 200)}`;
  for (const until = Date.now() + HANGS_AFTER_MS; Date.now() < until; await pause(100)) {
    const { json: run } = await client.get(`${path}?session_id=${session_id}`);
    if (run.status !== "PENDING" && run.status !== "RUNNING" && run.status !== "PAUSED") return run.status;
  }
  const { text: last } = await client.get(`/queue/jobs/${run_id}`);
  return `does not end: ${last.slice(0, 600)}`;
}

export type Made = { readonly id: string; readonly name: string };

/** A schedule that fires every minute. */
export async function makeSchedule(client: Client, name: string): Promise<Made> {
  const json = {
    name,
    cron_expr: "* * * * *",
    endpoint: "/agents/assistant/runs",
    method: "POST",
    payload: { message: `scheduled ${name}` },
  };
  const made = await client.post("/schedules", { json });
  if (made.status !== 201) throw new Error(`schedule ${name}: ${made.status} ${made.text}`);
  return { id: made.json.id, name };
}
