import { Worker } from "node:worker_threads";

/** How often the memory of the process is looked at. What it can allocate meanwhile has room in the function. */
const WATCH_MS = 20;

/**
 * Kills this process when it holds more memory than it may, or has lost the process that started it. A thread looks, because
 * whatever reads a file may compute for minutes without a break.
 *
 * @param megabytes  of everything: heap, bytes outside of it, and Node itself
 */
export function watchMemory(megabytes: number): void {
  const watch = new Worker(
    `const parent = process.ppid;
    setInterval(() => {
      if (process.memoryUsage.rss() > ${megabytes * 1_000_000} || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
    }, ${WATCH_MS});`,
    { eval: true, execArgv: [] },
  );
  watch.unref();
}
