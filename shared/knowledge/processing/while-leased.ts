import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { contentWork } from "../../stores/knowledge/content-item.ts";
import { startHeartbeat } from "../../work/heartbeat.ts";
import { LeaseLost, Superseded, writeLeased } from "./content-lease.ts";
import type { ProcessingDeps } from "./processing-deps.ts";

/**
 * Keeps the lease of a content while something takes its time. A lease that is lost ends the waiting: whoever has it then
 * does the work.
 *
 * @throws LeaseLost, Superseded, and what the work throws
 */
export async function whileLeased<Result>(
  deps: Pick<ProcessingDeps, "db" | "clock" | "log" | "newToken">,
  leased: StoredContent,
  work: () => Promise<Result>,
): Promise<{ readonly content: StoredContent; readonly result: Result }> {
  let content = leased;
  let refusal: unknown;
  const renew = async () => {
    try {
      content = await writeLeased(deps, content);
      return true;
    } catch (error) {
      if (!(error instanceof LeaseLost || error instanceof Superseded)) throw error;
      refusal = error;
      return false;
    }
  };
  const { kind } = contentWork;
  const reason = () => refusal ?? new LeaseLost(`${kind}: the lease could not be renewed`);
  const lease = startHeartbeat(deps, { kind, ...contentWork.lease, renew }, { reason });
  const working = work();
  try {
    const result = await Promise.race([working, aborted(lease.signal)]);
    await lease.end();
    lease.signal.throwIfAborted();
    return { content, result };
  } finally {
    await lease.end();
    // What fails later than the lease has no caller any more.
    working.catch(() => undefined);
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
