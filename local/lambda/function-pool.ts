import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import type { FunctionError } from "./messages.ts";
import type { FunctionThread, Outcome, StartPhase, StreamSink } from "./start-thread.ts";

export type Invocation = {
  /**
   * Makes the event, as JSON text, at the moment a thread is free, so that a batch can grow while it waits.
   * Undefined when there is nothing left to do.
   */
  readonly event: () => string | undefined;
  readonly sink?: StreamSink;
};

export type FunctionPool = {
  /** @returns undefined when the invocation had nothing left to do */
  readonly invoke: (invocation: Invocation) => Promise<Outcome | undefined>;
  /**
   * Replaces the threads by such as `fresh` starts: idle ones at once, others when they have answered. A pool that is in
   * use loads the first of them before.
   *
   * @returns what keeps the new code from loading; then the old goes on
   */
  readonly replace: (fresh: StartThread) => Promise<FunctionError | undefined>;
  /** Ends threads that have been idle for long. */
  readonly endIdle: () => void;
  readonly size: () => number;
  readonly end: () => Promise<void>;
};

/** @param unblocked  to be called when a thread that was blocked goes on */
export type StartThread = (unblocked: () => void, phase: StartPhase) => FunctionThread;

export type PoolOptions = {
  /** Threads of the function at any time; invocations beyond wait. */
  readonly mostThreads: number;
  /** Invocations that one thread serves at a time. */
  readonly perThread: number;
  /** How long an idle thread is kept: the last one of the function, and the others. */
  readonly keptMs: { readonly last: number; readonly others: number };
  readonly gate: StartGate;
  /** Takes what kept a thread from starting, or an invocation from giving a result, while the pool is open. */
  readonly failed: (message: string, error: FunctionError, requestId?: string) => void;
};

type Waiting = Invocation & {
  /** Made already, when a thread that was blocked gave it back. */
  made?: string;
  readonly since: number;
  readonly settle: (outcome: Outcome | undefined) => void;
};

/** A thread, and what the pool knows of it. */
type Member = {
  readonly thread: FunctionThread;
  inFlight: number;
  idleSince: number;
  /** It is to end, and gets nothing more. */
  outdated: boolean;
  /** It was blocked and has not gone on yet. */
  blocked: boolean;
};

const stopping: FunctionError = { errorType: "Runtime.ExitError", errorMessage: "the platform stops" };
/** How long invocations wait for a thread before another one is started. */
type GrowTimes = {
  /** Where the machine has processor time to spare. */
  readonly spareMs: number;
  /** Where it has none, and no invocation ends. */
  readonly stuckMs: number;
};
const oneAtATime: GrowTimes = { spareMs: 25, stuckMs: 250 };
/** Where a thread serves many at a time, it is short of places only when none of them ends. */
const manyAtATime: GrowTimes = { spareMs: 250, stuckMs: 1000 };
const lookEveryMs = 25;
/**
 * A thread that has begun nothing new for so long is blocked: what waits for it is given to another. Loading what a
 * function needs for its first invocation takes a busy machine half as long.
 */
const blockedAfterMs = 1000;

/** What the pools of all functions share. */
export type StartGate = {
  /** How many threads are starting: starting takes a processor for about 100 ms. */
  starting: number;
  /** Whether the machine has processor time to spare. */
  readonly hasSpare: () => boolean;
};

function leastBusy(ready: ReadonlySet<Member>, perThread: number): Member | undefined {
  let least: Member | undefined;
  for (const member of ready) {
    if (member.blocked || member.inFlight >= perThread) continue;
    if (!least || member.inFlight < least.inFlight) least = member;
  }
  return least;
}

/**
 * The instances of one function. An invocation goes to the thread with the fewest, or waits while all are full or blocked.
 * When one has waited for some time and the machine has processor time to spare, another thread is started: the threads
 * there are wait for something else. Where the processors are what is short, more threads would only make that worse.
 */
export function functionPool(first: StartThread, options: PoolOptions): FunctionPool {
  const { mostThreads, perThread, keptMs, gate, failed } = options;
  const { spareMs, stuckMs } = perThread === 1 ? oneAtATime : manyAtATime;
  let start = first;
  const waiting: Waiting[] = [];
  const members = new Set<Member>();
  let starting = 0;
  let lastEndedAt = 0;
  let growTimer: NodeJS.Timeout | undefined;
  let blockTimer: NodeJS.Timeout | undefined;
  let ended = false;

  const startOne = (how: StartThread, phase: StartPhase = "init"): Member => {
    const thread = how(() => {
      member.blocked = false;
      pump();
    }, phase);
    const member: Member = { thread, inFlight: 0, idleSince: Date.now(), outdated: false, blocked: false };
    return member;
  };

  const ready = new Set<Member>();
  const pump = (): void => {
    while (waiting.length > 0) {
      const member = leastBusy(ready, perThread);
      if (!member) break;
      if (member.thread.serves()) void serve(member);
      else leave(member);
    }
    if (waiting.length > starting * perThread && !ended) considerGrowing();
  };

  const considerGrowing = (): void => {
    if (members.size < mostThreads && isOverdue() && gate.starting < availableParallelism()) void grow();
    if (waiting.length > starting * perThread && members.size < mostThreads) {
      growTimer ??= setTimeout(() => {
        growTimer = undefined;
        pump();
      }, lookEveryMs);
    }
  };

  const isOverdue = (): boolean => {
    const next = waiting[starting * perThread];
    if (!next) return false;
    if (ready.size === 0) return true;
    const waitedMs = Date.now() - next.since;
    if (waitedMs < spareMs) return false;
    const quietMs = Date.now() - lastEndedAt;
    if (gate.hasSpare() && (perThread === 1 || quietMs >= spareMs)) return true;
    return waitedMs >= stuckMs && quietMs >= stuckMs;
  };

  const grow = async (phase: StartPhase = "init"): Promise<void> => {
    const member = startOne(start, phase);
    members.add(member);
    starting++;
    gate.starting++;
    const fault = await member.thread.loaded;
    starting--;
    gate.starting--;
    if (fault === undefined) return join(member);
    members.delete(member);
    if (!ended) failed("the function did not start", fault);
    if (phase === "init" && waiting.length > 0) return grow("invoke");
    failAll(fault);
  };

  /** The bundle cannot be loaded; waiting longer would not help anybody. */
  const failAll = (error: FunctionError): void => {
    for (const { settle } of waiting.splice(0)) settle({ ok: false, error });
  };

  const join = (member: Member): void => {
    if (member.outdated) dismiss(member);
    else ready.add(member);
    pump();
  };

  /** Gives it nothing more. It is counted until it has ended. */
  const leave = (member: Member): void => {
    ready.delete(member);
    if (!member.thread.alive()) members.delete(member);
  };

  const dismiss = (member: Member): void => {
    ready.delete(member);
    members.delete(member);
    void member.thread.end();
  };

  const replace = async (fresh: StartThread): Promise<FunctionError | undefined> => {
    const candidate = members.size > 0 && !ended ? startOne(fresh) : undefined;
    const fault = await candidate?.thread.loaded;
    if (fault !== undefined) return fault;
    start = fresh;
    for (const member of members) {
      member.outdated = true;
      if (!ready.delete(member)) continue;
      if (member.inFlight === 0) dismiss(member);
    }
    if (candidate && ended) await candidate.thread.end();
    else if (candidate) {
      members.add(candidate);
      join(candidate);
    }
    return undefined;
  };

  const serve = async (member: Member): Promise<void> => {
    const next = waiting.shift();
    if (!next) return;
    const event = next.made ?? next.event();
    if (event === undefined) return next.settle(undefined);
    const { sink } = next;
    member.inFlight++;
    watchForBlocks();
    const requestId = randomUUID();
    const outcome = await member.thread.invoke({ requestId, event, sink });
    member.inFlight--;
    if (outcome !== "not begun" && !outcome.ok && !ended)
      failed("the invocation failed", outcome.error, requestId);
    if (outcome === "not begun") putBack(next, event);
    else {
      next.settle(outcome);
      lastEndedAt = Date.now();
    }
    if (!member.thread.serves()) leave(member);
    else if (member.inFlight === 0) {
      member.idleSince = Date.now();
      if (member.outdated) dismiss(member);
    }
    pump();
  };

  const putBack = (invocation: Waiting, made: string): void => {
    if (ended) {
      invocation.settle({ ok: false, error: stopping });
      return;
    }
    const later = waiting.findIndex(({ since }) => since > invocation.since);
    waiting.splice(later < 0 ? waiting.length : later, 0, { ...invocation, made });
  };

  const watchForBlocks = (): void => {
    blockTimer ??= setTimeout(() => {
      blockTimer = undefined;
      for (const member of ready) {
        // The rest follows in `serve`, to which the invocations come back.
        if (member.thread.takeBack(blockedAfterMs)) member.blocked = true;
      }
      if ([...ready].some(({ inFlight }) => inFlight > 0)) watchForBlocks();
    }, blockedAfterMs / 4);
    blockTimer.unref();
  };

  return {
    invoke: (invocation) =>
      new Promise((settle) => {
        waiting.push({ ...invocation, since: Date.now(), settle });
        if (ended) failAll(stopping);
        else pump();
      }),
    replace,
    endIdle: () => {
      for (const member of ready) {
        const keptFor = members.size > 1 ? keptMs.others : keptMs.last;
        if (member.inFlight === 0 && Date.now() - member.idleSince >= keptFor) dismiss(member);
      }
    },
    size: () => members.size,
    end: async () => {
      ended = true;
      clearTimeout(growTimer);
      clearTimeout(blockTimer);
      failAll(stopping);
      await Promise.all([...members].map(({ thread }) => thread.end()));
    },
  };
}
