import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { LEASE_SECONDS, writeLeased } from "./content-lease.ts";
import type { ProcessingDeps } from "./processing-deps.ts";

/**
 * Renews the lease of a content while something takes its time. A renewal that fails ends the waiting: whoever has the
 * lease then does the work.
 *
 * @throws LeaseLost, Superseded, and what the work throws
 */
export async function keepLease<Result>(
  deps: Pick<ProcessingDeps, "db" | "clock" | "newToken">,
  leased: StoredContent,
  work: () => Promise<Result>,
): Promise<{ readonly content: StoredContent; readonly result: Result }> {
  let content = leased;
  const ended = new AbortController();
  const renew = async () => {
    for (;;) {
      await deps.clock.sleep((LEASE_SECONDS * 1_000) / 3, ended.signal).catch(() => undefined);
      if (ended.signal.aborted) return;
      content = await writeLeased(deps, content);
    }
  };
  const working = work();
  const renewing = renew();
  try {
    const result = await Promise.race([working, renewing.then(() => working)]);
    ended.abort();
    await renewing;
    return { content, result };
  } finally {
    ended.abort();
    // What fails later than the renewal has nobody to be told to.
    working.catch(() => undefined);
    await renewing.catch(() => undefined);
  }
}
