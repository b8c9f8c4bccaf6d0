import { isCounted, pendingTaskOf } from "../../domain/knowledge/content-plans.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { type ContentAddress, contentWork, getContent } from "../../stores/knowledge/content-item.ts";
import { putContent } from "../../stores/knowledge/put-content.ts";
import { LeaseLost } from "../../work/heartbeat.ts";
import type { ProcessingDeps } from "./processing-deps.ts";

export { LeaseLost };

/** The content was uploaded again or removed in the meantime; the work on the older revision is void. */
export class Superseded extends Error {
  override readonly name = "Superseded";
  readonly content: StoredContent;

  constructor(content: StoredContent) {
    super("the content has a newer revision");
    this.content = content;
  }
}

type Deps = Pick<ProcessingDeps, "db" | "clock" | "newToken">;

/**
 * Claims a content that has pending work. The steps of its worker renew the lease; see `contentWork`.
 *
 * @returns undefined where no work is pending, or another worker has the lease
 */
export async function claimContent(deps: Deps, address: ContentAddress): Promise<StoredContent | undefined> {
  for (;;) {
    const seen = await getContent(deps.db, address);
    const now = epochSeconds(deps.clock);
    if (!seen || (pendingTaskOf(seen) === "nothing" && seen.due_at === undefined)) return undefined;
    if (seen.lease_until !== undefined && seen.lease_until >= now) return undefined;
    const claimed = await contentWork.claim(deps.db, address, deps.newToken(), now, {
      guard: { version: seen.version },
      change: { add: { version: 1 } },
      uncounted: !isCounted(pendingTaskOf(seen)),
    });
    if (claimed) return claimed;
    // A lost race: read again.
  }
}

function renewed(content: StoredContent, now: number): StoredContent {
  const { until, due } = contentWork.leaseEnd(now);
  return { ...content, lease_until: until, due_at: due };
}

type Plan = (seen: StoredContent, now: number) => StoredContent;

/**
 * Writes a step of the work on a leased content, and renews the lease. What other requests have changed since, such as
 * its metadata, stays.
 *
 * @throws LeaseLost, Superseded
 */
export const writeLeased = (
  deps: Deps,
  leased: StoredContent,
  plan: Plan = (seen) => seen,
): Promise<StoredContent> => writeUnderLease(deps, leased, (seen, now) => renewed(plan(seen, now), now));

/**
 * Writes the last step and releases the lease.
 *
 * @param due    when it must be processed again; undefined for never
 * @param claim  whether the claim that ends here stays counted as an attempt
 */
export const releaseContent = (
  deps: Deps,
  leased: StoredContent,
  due: number | undefined,
  claim = { counts: true },
): Promise<StoredContent> =>
  writeUnderLease(deps, leased, (seen) => {
    const { lease_token: _, lease_until: _until, due_at: _due, ...rest } = seen;
    const released = claim.counts ? rest : { ...rest, attempt: Math.max(0, rest.attempt - 1) };
    const isPending = pendingTaskOf(seen) !== "nothing";
    const at = due ?? (isPending ? 0 : undefined);
    return at === undefined ? released : { ...released, due_at: at };
  });

async function writeUnderLease(
  { db, clock }: Deps,
  leased: StoredContent,
  plan: Plan,
): Promise<StoredContent> {
  let seen = leased;
  for (;;) {
    const written = await putContent(db, seen, plan(seen, epochSeconds(clock)));
    if (written.written) return written.content;
    if (!written.seen || written.seen.lease_token !== leased.lease_token)
      throw new LeaseLost("another worker has claimed the content");
    if (written.seen.revision !== leased.revision) throw new Superseded(written.seen);
    seen = written.seen;
  }
}
