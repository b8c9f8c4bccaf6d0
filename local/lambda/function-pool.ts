import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import type { FunctionError } from "./messages.ts";
import type { FunctionThread, Outcome, StreamSink } from "./start-thread.ts";

export type Invocation = {
  /**
   * Makes the event, as JSON text, at the moment a thread is free, so that a batch can grow while it waits.
   * Undefined when there is nothing left to do.
   */
  readonly event: () => string | undefined;
  readonly sink?: StreamSink;
  readonly signal?: AbortSignal;
};

export type FunctionPool = {
  /** @returns undefined when the invocation had nothing left to do */
  readonly invoke: (invocation: Invocation) => Promise<Outcome | undefined>;
  /** Starts the first thread, so that the first request finds it loaded. */
  readonly prewarm: () => Promise<void>;
  /**
   * Replaces the threads by such as `fresh` starts: idle ones at once, others when they have answered. A pool that is in
   * use loads the first of them before.
   *
   * @returns what keeps the new code from loading; then the old goes on
   */
  readonly replace: (fresh: () => FunctionThread) => Promise<FunctionError | undefined>;
  readonly size: () => number;
  readonly end: () => Promise<void>;
};

type Waiting = Invocation & { since: number; settle: (outcome: Outcome | undefined) => void };

const stopping: FunctionError = { errorType: "Runtime.ExitError", errorMessage: "the platform stops" };
const growAfterMs = 25;
/** Where the processors are what is short, only invocations that do not end make room for another thread. */
const stuckAfterMs = 250;
const idleForMs = 60_000;

/** What the pools of all functions share. */
export type StartGate = {
  /** How many threads are starting: starting takes a processor for about 100 ms. */
  starting: number;
  /** Whether the machine has processor time to spare. */
  readonly hasSpare: () => boolean;
};

/**
 * The instances of one function. An invocation takes an idle thread, or waits for one. When one has waited 25 ms and
 * the machine has processor time to spare, another thread is started: the threads there are wait for something else.
 * Where the processors are what is short, more threads would only make that worse.
 *
 * @param most  threads of this function at any time; invocations beyond wait
 */
export function functionPool(first: () => FunctionThread, most: number, gate: StartGate): FunctionPool {
  let start = first;
  const outdated = new WeakSet<FunctionThread>();
  const idle: { thread: FunctionThread; since: number }[] = [];
  const waiting: Waiting[] = [];
  const threads = new Set<FunctionThread>();
  let starting = 0;
  let lastEndedAt = 0;
  let growTimer: NodeJS.Timeout | undefined;
  let ended = false;

  const pump = (): void => {
    while (waiting.length > 0) {
      const thread = idle.pop()?.thread;
      if (!thread) break;
      if (thread.alive()) void serve(thread);
      else threads.delete(thread);
    }
    if (waiting.length > starting && !ended) considerGrowing();
  };

  const considerGrowing = (): void => {
    if (threads.size < most && isOverdue() && gate.starting < availableParallelism()) void grow();
    if (waiting.length > starting && threads.size < most) {
      growTimer ??= setTimeout(() => {
        growTimer = undefined;
        pump();
      }, growAfterMs);
    }
  };

  const isOverdue = (): boolean => {
    const next = waiting[starting];
    if (!next) return false;
    if (threads.size === 0) return true;
    const waitedMs = Date.now() - next.since;
    if (waitedMs < growAfterMs) return false;
    if (gate.hasSpare()) return true;
    return waitedMs >= stuckAfterMs && Date.now() - lastEndedAt >= stuckAfterMs;
  };

  const grow = async (): Promise<void> => {
    const thread = start();
    threads.add(thread);
    starting++;
    gate.starting++;
    const fault = await thread.loaded;
    starting--;
    gate.starting--;
    if (fault === undefined) return rest(thread);
    threads.delete(thread);
    failAll(fault);
  };

  /** The bundle cannot be loaded; waiting longer would not help anybody. */
  const failAll = (error: FunctionError): void => {
    for (const { settle } of waiting.splice(0)) settle({ ok: false, error });
  };

  const rest = (thread: FunctionThread): void => {
    if (outdated.has(thread)) dismiss(thread);
    else idle.push({ thread, since: Date.now() });
    pump();
  };

  const dismiss = (thread: FunctionThread): void => {
    threads.delete(thread);
    void thread.end();
  };

  const replace = async (fresh: () => FunctionThread): Promise<FunctionError | undefined> => {
    const candidate = threads.size > 0 && !ended ? fresh() : undefined;
    const fault = await candidate?.loaded;
    if (fault !== undefined) return fault;
    start = fresh;
    for (const thread of threads) outdated.add(thread);
    for (const { thread } of idle.splice(0)) dismiss(thread);
    if (candidate && ended) await candidate.end();
    else if (candidate) {
      threads.add(candidate);
      rest(candidate);
    }
    return undefined;
  };

  const serve = async (thread: FunctionThread): Promise<void> => {
    const next = waiting.shift();
    if (!next) return rest(thread);
    const event = next.event();
    if (event === undefined) next.settle(undefined);
    else {
      const { sink, signal } = next;
      next.settle(await thread.invoke({ requestId: randomUUID(), event, sink, signal }));
      lastEndedAt = Date.now();
    }
    if (thread.alive()) return rest(thread);
    threads.delete(thread);
    pump();
  };

  const reaper = setInterval(() => {
    const [oldest] = idle;
    if (!oldest || threads.size < 2 || Date.now() - oldest.since < idleForMs) return;
    idle.shift();
    dismiss(oldest.thread);
  }, 1000);
  reaper.unref();

  return {
    invoke: (invocation) =>
      new Promise((settle) => {
        waiting.push({ ...invocation, since: Date.now(), settle });
        if (ended) failAll(stopping);
        else pump();
      }),
    prewarm: async () => {
      if (threads.size === 0 && !ended) await grow();
    },
    replace,
    size: () => threads.size,
    end: async () => {
      ended = true;
      clearInterval(reaper);
      clearTimeout(growTimer);
      failAll(stopping);
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}
