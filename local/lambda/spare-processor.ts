import { cpus } from "node:os";

const sampleEveryMs = 100;
/** Share of the processors' time that must have been idle for another thread to be of use. */
const enough = 0.2;

type Sample = { readonly at: number; readonly idle: number; readonly total: number };

/**
 * Says whether the machine has processor time to spare, by what all its processors did since the last sample. A
 * thread more only helps where invocations wait for something else than a processor.
 */
export function spareProcessor(now: () => number = Date.now): () => boolean {
  let last = sample(now());
  let hasSpare = true;
  return () => {
    const at = now();
    if (at - last.at < sampleEveryMs) return hasSpare;
    const next = sample(at);
    hasSpare = (next.idle - last.idle) / Math.max(1, next.total - last.total) >= enough;
    last = next;
    return hasSpare;
  };
}

function sample(at: number): Sample {
  let idle = 0;
  let total = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { at, idle, total };
}
