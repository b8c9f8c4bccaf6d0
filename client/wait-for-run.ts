import type { ClientOptions, ReadOptions } from "./client-options.ts";
import type { RunOutput, WorkflowRunOutput } from "./operations.ts";
import { sleep } from "./pauses.ts";
import { PlatformError } from "./platform-error.ts";
import { operationFor, pathOf, type RunAddress } from "./run-address.ts";
import { RunGoesOnError } from "./run-goes-on-error.ts";
import { mayPassSoon, send } from "./send.ts";

export type WaitOptions = ReadOptions & {
  /** Most milliseconds to wait; without it, as long as the run takes. */
  readonly timeoutMs?: number | undefined;
};

const FIRST_MS = 250;
const LONGEST_MS = 3_000;
const GROWTH = 1.5;
/** Polls that may fail one after the other, which is about half a minute. */
const MOST_FAILURES = 10;

const live: ReadonlySet<string> = new Set(["PENDING", "RUNNING"]);

/**
 * Polls a run until it has ended or waits for a person: after 250 ms at first, then at growing intervals of up to 3 s, of
 * which up to half is random.
 *
 * @returns the run, whatever its end
 * @throws RunGoesOnError after `timeoutMs`, or when the platform could not be reached ten times in a row; PlatformError
 *         for a refusal; the signal's reason when it aborts
 */
export async function waitForRun(
  client: ClientOptions,
  run: RunAddress,
  { signal, headers, timeoutMs }: WaitOptions = {},
): Promise<RunOutput | WorkflowRunOutput> {
  const timeout = timeoutAfter(timeoutMs, signal);
  try {
    return await poll(client, run, { headers, signal: timeout.signal });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (!timeout.signal.aborted) throw error;
    throw new RunGoesOnError(`The wait ended after ${timeoutMs} ms`, run, undefined);
  } finally {
    timeout.end();
  }
}

async function poll(
  client: ClientOptions,
  run: RunAddress,
  call: ReadOptions & { readonly signal: AbortSignal },
): Promise<RunOutput | WorkflowRunOutput> {
  const { kind, path } = pathOf(run);
  const { run_id, session_id } = run;
  const input = { path: { ...path, run_id }, query: { session_id } };
  let failures = 0;
  for (let waitMs = FIRST_MS; ; waitMs = Math.min(waitMs * GROWTH, LONGEST_MS)) {
    let retryAfter = 0;
    try {
      const response = await send({ ...client, retries: false }, operationFor("get", kind), input, call);
      const output = (await response.json()) as RunOutput | WorkflowRunOutput; // by the generated types
      if (!live.has(output.status)) return output;
      failures = 0;
    } catch (error) {
      if (call.signal.aborted || !mayPassSoon(error)) throw error;
      failures += 1;
      if (failures >= MOST_FAILURES) {
        throw new RunGoesOnError(
          `The platform could not be reached ${failures} times`,
          run,
          undefined,
          error,
        );
      }
      retryAfter = (error instanceof PlatformError && error.retryAfter) || 0;
    }
    await sleep(Math.max(waitMs * (0.5 + Math.random() / 2), retryAfter * 1000), call.signal);
  }
}

/** A signal that aborts after a time, or with another. */
function timeoutAfter(ms: number | undefined, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timer = ms === undefined ? undefined : setTimeout(abort, ms);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
  };
}
