import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

const STOPPED_WITHIN_MS = 10_000;

/** Asks all processes of the group of a detached process to end, and ends those that do not. */
export async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return;
  signalGroup(pid, "SIGTERM");
  for (const until = Date.now() + STOPPED_WITHIN_MS; Date.now() < until; await pause(50)) {
    if (!signalGroup(pid, 0)) return;
  }
  signalGroup(pid, "SIGKILL");
}

/** Ends a group at once, as when this process is about to end itself. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) signalGroup(pid, "SIGKILL");
}

/** @returns whether the group still has a process */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}
