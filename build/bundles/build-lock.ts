import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { exclusiveLock } from "../../local/machine/exclusive-lock.ts";

const askAgainMs = 100;

/**
 * Waits until no other process builds into the folder. What it built is there then, so asking again what is stale saves
 * doing it twice.
 *
 * @returns release
 */
export async function buildLock(dist: string): Promise<() => void> {
  await mkdir(dist, { recursive: true });
  for (;;) {
    const release = exclusiveLock(join(dist, ".lock.db"));
    if (release) return release;
    await pause(askAgainMs);
  }
}
