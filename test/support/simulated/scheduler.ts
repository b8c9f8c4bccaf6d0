import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../../../shared/runtime/clock.ts";
import type { Random } from "./random.ts";

/** One life of one function instance. What it waits for when it is killed never comes. */
export type Process = {
  readonly name: string;
  readonly role: Role;
  alive: boolean;
  /** Milliseconds; until then nothing in it moves, as in a frozen machine. */
  stalledUntil: number;
  /** Milliseconds; when it last stood still, lost a call or waited long for one. */
  troubledAt: number;
};
/** A `front` executes a run whose client waits, and may work on after its answer. */
export type Role = "worker" | "front" | "sweeper" | "client" | "operator" | "dead-letter";

export type Chances = {
  /** That a process dies where it would go on. */
  readonly kill: number;
  /** That a process stands still where it would go on. */
  readonly stall: number;
  /** For how long, in milliseconds. */
  readonly stallMs: () => number;
};

type Event = {
  at: number;
  /** Random: what happens at one instant happens in any order. */
  tie: number;
  readonly process: Process | undefined;
  readonly label: string;
  readonly act: () => void;
  dropped: boolean;
};

/** Everything goes on. */
export const calmly: Chances = { kill: 0, stall: 0, stallMs: () => 0 };

const TIE_VALUES = 1_000_000;

/**
 * Owns time and order. Nothing happens but by an event; between two events every process runs until it waits again.
 *
 * @param startMs  epoch milliseconds
 */
export function createScheduler(random: Random, startMs: number, logLine: (line: string) => void) {
  let now = startMs;
  let chances: Chances = calmly;
  let events: Event[] = [];
  let halted = false;
  const running = new AsyncLocalStorage<Process>();
  const deathWatch = new Map<Process, () => void>();

  const plan = (process: Process | undefined, delayMs: number, label: string, act: () => void): Event => {
    const tie = random.between(0, TIE_VALUES);
    const event = { at: now + Math.max(0, Math.round(delayMs)), tie, process, label, act, dropped: false };
    events.push(event);
    return event;
  };
  const takeNext = (untilMs: number): Event | undefined => {
    let next: Event | undefined;
    for (const event of events) {
      if (!next || event.at < next.at || (event.at === next.at && event.tie < next.tie)) next = event;
    }
    if (!next || next.at > untilMs) return undefined;
    events = events.filter((event) => event !== next && !event.dropped);
    return next.dropped ? takeNext(untilMs) : next;
  };
  const kill = (process: Process) => {
    process.alive = false;
    logLine(`${process.name} dies`);
    deathWatch.get(process)?.();
  };
  /** Whether a process comes to its next event at all, and now. */
  const survives = (process: Process, event: Event): boolean => {
    if (!process.alive) return false;
    if (random.chance(chances.kill)) {
      kill(process);
      return false;
    }
    if (process.stalledUntil <= now && random.chance(chances.stall)) {
      process.stalledUntil = now + chances.stallMs();
      logLine(`${process.name} stands still for ${process.stalledUntil - now} ms`);
    }
    if (process.stalledUntil <= now) return true;
    process.troubledAt = process.stalledUntil;
    // The same event, which can still be dropped.
    event.at = process.stalledUntil + random.between(0, 5);
    event.tie = random.between(0, TIE_VALUES);
    events.push(event);
    return false;
  };
  const happen = (event: Event) => {
    now = Math.max(now, event.at);
    const { process } = event;
    if (!process) return event.act();
    if (survives(process, event)) running.run(process, event.act);
  };

  return {
    now: () => now,
    current: () => running.getStore(),
    setChances: (next: Chances) => {
      chances = next;
    },
    after: (delayMs: number, label: string, act: () => void) => plan(undefined, delayMs, label, act),
    /** An event inside a process: it does not come when the process is dead, and late when it stands still. */
    within: plan,
    /** Starts a process. `ended` is called once: how it ended, or that it died. */
    start(
      name: string,
      role: Role,
      work: (process: Process) => Promise<unknown>,
      ended: (how: "done" | "failed" | "died") => void,
    ): Process {
      const process = { name, role, alive: true, stalledUntil: 0, troubledAt: 0 };
      const finish = (how: "done" | "failed" | "died", why?: unknown) => {
        if (deathWatch.delete(process)) ended(how);
        process.alive = false;
        if (how === "failed") logLine(`${name} fails: ${String(why)}`);
      };
      deathWatch.set(process, () => finish("died"));
      plan(process, 0, "starts", () => {
        logLine(`${name} starts`);
        work(process).then(
          () => finish("done"),
          (error: unknown) => finish("failed", error),
        );
      });
      return process;
    },
    /** Ends the world where it is. */
    halt: () => {
      halted = true;
    },
    /** Lets everything happen that comes before an instant, and moves time there; nothing once the world has ended. */
    async runUntil(untilMs: number): Promise<void> {
      for (let event = takeNext(untilMs); event && !halted; event = takeNext(untilMs)) {
        happen(event);
        await settled();
      }
      now = Math.max(now, untilMs);
    },
    clockOf: (process: Process): Clock => ({
      now: () => now,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason);
          const stop = () => {
            event.dropped = true;
            reject(signal?.reason);
          };
          const event = plan(process, ms, "wakes", () => {
            signal?.removeEventListener("abort", stop);
            resolve();
          });
          signal?.addEventListener("abort", stop, { once: true });
        }),
    }),
  };
}
export type Scheduler = ReturnType<typeof createScheduler>;

/** Every promise that can go on has gone on: nothing here waits for the real world. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
