import { pendingTaskOf } from "../../domain/knowledge/content-plans.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { type ContentAddress, contentWork, getContent } from "../../stores/knowledge/content-item.ts";
import { putContent } from "../../stores/knowledge/put-content.ts";
import { type Leased, LeaseLost } from "../../work/index.ts";
import type { ProcessingDeps } from "./processing-deps.ts";

/** The content was uploaded again or removed in the meantime; the work on the older revision is void. */
export class Superseded extends Error {
  override readonly name = "Superseded";
  readonly content: StoredContent;

  constructor(content: StoredContent) {
    super("the content has a newer revision");
    this.content = content;
  }
}

/** What a step needs: its worker has leased the content. */
export type LeasedDeps = ProcessingDeps & { readonly lease: Leased<StoredContent> };

/** The content, where there is something to do for it and no worker has leased it. */
export async function openContent(
  { db, clock }: Pick<ProcessingDeps, "db" | "clock">,
  address: ContentAddress,
): Promise<StoredContent | undefined> {
  const seen = await getContent(db, address);
  if (!seen || (pendingTaskOf(seen) === "nothing" && seen.due_at === undefined)) return undefined;
  return seen.lease_until !== undefined && seen.lease_until >= epochSeconds(clock) ? undefined : seen;
}

/**
 * Writes a step of the work on a leased content. What other requests have changed since, such as its metadata, stays.
 *
 * @throws LeaseLost, Superseded
 */
export async function writeLeased(
  { db, clock, lease: { worker } }: Pick<LeasedDeps, "db" | "clock" | "lease">,
  leased: StoredContent,
  plan: (seen: StoredContent, now: number) => StoredContent,
): Promise<StoredContent> {
  for (let seen = leased; ; ) {
    const planned = plan(seen, epochSeconds(clock));
    const written = await putContent(db, seen, planned, contentWork.held(worker));
    if (written.written) return written.content;
    if (written.seen?.lease_token !== worker) throw new LeaseLost("another worker has claimed the content");
    if (written.seen.revision !== leased.revision) throw new Superseded(written.seen);
    seen = written.seen;
  }
}

/**
 * Writes the last step and releases the lease.
 *
 * @param due    when it must be processed again; undefined for never
 * @param claim  whether the claim that ends here stays counted as an attempt
 */
export const releaseContent = (
  deps: LeasedDeps,
  leased: StoredContent,
  due: number | undefined,
  claim = { counts: true },
): Promise<StoredContent> =>
  writeLeased(deps, leased, (seen) => {
    const { lease_token: _, lease_until: _until, due_at: _due, ...rest } = seen;
    const released = claim.counts ? rest : { ...rest, attempt: Math.max(0, rest.attempt - 1) };
    const isPending = pendingTaskOf(seen) !== "nothing";
    const at = due ?? (isPending ? 0 : undefined);
    return at === undefined ? released : { ...released, due_at: at };
  });

/**
 * Waits for something long, unless the lease is lost: whoever has it then does the work.
 *
 * @throws LeaseLost, and what the work throws
 */
export async function whileLeased<Result>(
  { lease: { signal } }: Pick<LeasedDeps, "lease">,
  work: Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const lose = () => reject(signal.reason);
  signal.addEventListener("abort", lose);
  try {
    return await Promise.race([work, lost]);
  } finally {
    signal.removeEventListener("abort", lose);
    // What fails later than the lease has no caller any more.
    work.catch(() => undefined);
  }
}
