import type { CallOptions, ClientOptions } from "./client-options.ts";
import { type Call, cancelRun, type ForegroundRun, foregroundRunOf } from "./leave-run.ts";
import { newId } from "./new-id.ts";
import type { AcceptedRun } from "./operations.ts";
import {
  type Fields,
  type Input,
  isInBackground,
  type OperationName,
  startOf,
  withStream,
} from "./request.ts";
import { componentIn } from "./run-address.ts";
import { send } from "./send.ts";
import { waitForRun } from "./wait-for-run.ts";

/**
 * Calls an operation and reads its answer. A run that is waited for is polled where the platform answers that it goes on
 * in the background: the platform keeps no client waiting for longer than 50 s, or 25 s behind the HTTP API alone.
 */
export async function callOperation(
  client: ClientOptions,
  name: OperationName,
  input: Input,
  call: CallOptions,
): Promise<unknown> {
  call.signal?.throwIfAborted();
  const { run, sent } = waitedFor(name, withStream(name, input, false), call);
  let leaving = run;
  try {
    const answer = await readAnswer(await send(client, name, sent, call));
    if (!answer.isAccepted || !startOf(name) || isInBackground(sent)) return answer.body;
    const { run_id, session_id } = answer.body as AcceptedRun;
    leaving &&= { ...leaving, run_id, session_id };
    return await waitForRun(client, { ...componentIn(sent), run_id, session_id }, call);
  } catch (error) {
    if (leaving && call.signal?.aborted) leave(client, leaving);
    throw error;
  }
}

async function readAnswer(response: Response): Promise<{ body: unknown; isAccepted: boolean }> {
  const isAccepted = response.status === 202;
  if (response.status === 204) return { body: undefined, isAccepted };
  const type = response.headers.get("content-type") ?? "";
  // Lines of JSON are a text.
  const isLines = type.includes("ndjson");
  if (type.includes("json") && !isLines) return { body: await response.json(), isAccepted };
  const isText = isLines || type.startsWith("text/");
  return { body: await (isText ? response.text() : response.blob()), isAccepted };
}

/**
 * A run that is waited for shows its id only in its answer. So that it can be found when its caller leaves, it gets a
 * session of its own if the caller names none.
 */
function waitedFor(
  name: OperationName,
  input: Input,
  { signal, onLeave }: CallOptions,
): { readonly run?: ForegroundRun; readonly sent: Input } {
  const run = signal && onLeave !== "go-on" ? foregroundRunOf(name, input) : undefined;
  return run ? inOwnSession(run, input) : { sent: input };
}

/** Puts a run into a session of its own, in which it can be found, unless it is known already where it is. */
export function inOwnSession(
  run: ForegroundRun,
  input: Input,
): { readonly run: ForegroundRun; readonly sent: Input } {
  if (run.run_id !== undefined || run.session_id !== undefined) return { run, sent: input };
  const session_id = newId();
  const body = { ...(input.body as Fields), session_id };
  return { run: { ...run, session_id, isAlone: true }, sent: { ...input, body } };
}

/** Cancels a run without keeping its caller waiting; `keepalive` lets the request outlive a page that is closed. */
export function leave(client: ClientOptions, run: ForegroundRun): void {
  cancelRun(run, callOf(client, {}, { keepalive: true })).catch(() => undefined);
}

/** Calls operations of which the client reads the JSON itself. */
export const callOf =
  (client: ClientOptions, call: CallOptions, more?: RequestInit): Call =>
  async (name, input) =>
    (await send(client, name, input, call, more)).json();
