import { setTimeout as pause } from "node:timers/promises";

/*
 * Lambda freezes an instance between its invocations: what it left undone stands still until the next one. A thread freezes
 * itself, by waiting for a number in memory that both sides see:
 *
 *   host    posts 0, given 1                    posts 1, given 2
 *   thread           begins 0 … ends, waits while given is 1     goes on, begins 1
 */

/** How many invocations a thread was given, as both sides see it. */
export const newGiven = (): Int32Array => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** On the host, after an invocation was posted: the thread goes on. */
export function thaw(given: Int32Array | undefined): void {
  if (!given) return;
  Atomics.add(given, 0, 1);
  Atomics.notify(given, 0);
}

type Freezer = {
  /** Called when an invocation has come. */
  readonly begin: () => void;
  /** Settles when what was left undone, and is due by now, has gone on. */
  readonly thawed: () => Promise<void>;
  readonly end: () => void;
};

/** In the thread: freezes it whenever none of its invocations is under way. */
export function freezer(given: Int32Array): Freezer {
  let begun = 0;
  let underWay = 0;
  const freeze = async (): Promise<void> => {
    // What an invocation wrote is shown with it.
    while (process.stdout.writableLength + process.stderr.writableLength > 0) await pause(1);
    if (underWay === 0) Atomics.wait(given, 0, begun);
  };
  return {
    begin: () => {
      begun++;
      underWay++;
    },
    // Timers that are due come first: they were set before this one.
    thawed: () => pause(0),
    end: () => {
      underWay--;
      if (underWay === 0) void freeze();
    },
  };
}
