import { dutyOf } from "../../domain/knowledge/content-plans.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import type { ContentAddress } from "../../stores/knowledge/content-item.ts";
import { getContent } from "../../stores/knowledge/get-content.ts";
import { putContent } from "../../stores/knowledge/put-content.ts";
import type { ProcessingDeps } from "./processing-deps.ts";

/** How long a silent worker may still be alive. Each step of its work begins this anew. */
export const LEASE_SECONDS = 120;

/** Somebody else holds the content now; nothing more may be done to it here. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** The content was uploaded again or removed meanwhile: what was being done for it is void. */
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
 * Takes hold of a content that something is owed to. One worker holds it at a time, as long as it renews its hold:
 *
 *   worker A  |-- claim --- renew --- renew --x dead
 *   lease                           |------ 120 s ------|
 *   worker B                                      sweeper ▶ claim, goes on where A's record ends
 *
 * @returns undefined where nothing is owed, or somebody holds it
 */
export async function claimContent(deps: Deps, address: ContentAddress): Promise<StoredContent | undefined> {
  for (;;) {
    const seen = await getContent(deps.db, address);
    const now = epochSeconds(deps.clock);
    if (!seen || (dutyOf(seen) === "nothing" && seen.due_at === undefined)) return undefined;
    if (seen.lease_until !== undefined && seen.lease_until > now) return undefined;
    const starts = dutyOf(seen) === "ingest" ? 1 : 0;
    const claimed = { ...seen, attempt: seen.attempt + starts, lease_token: deps.newToken() };
    const written = await putContent(deps.db, seen, renewed(claimed, now));
    if (written.written) return written.content;
    // Somebody was quicker, or changed something: look again.
  }
}

const renewed = (content: StoredContent, now: number): StoredContent => ({
  ...content,
  lease_until: now + LEASE_SECONDS,
  due_at: now + LEASE_SECONDS,
});

type Plan = (seen: StoredContent, now: number) => StoredContent;

/**
 * Writes a step of the work on a held content, and renews the hold. What others have changed meanwhile, such as its
 * metadata, stays.
 *
 * @throws LeaseLost, Superseded
 */
export const writeLeased = (
  deps: Deps,
  held: StoredContent,
  plan: Plan = (seen) => seen,
): Promise<StoredContent> => writeUnderLease(deps, held, (seen, now) => renewed(plan(seen, now), now));

/** Writes the last step, and lets go. @param due  when somebody should look again; undefined for never */
export const releaseContent = (
  deps: Deps,
  held: StoredContent,
  due: number | undefined,
): Promise<StoredContent> =>
  writeUnderLease(deps, held, (seen) => {
    const { lease_token: _, lease_until: _until, due_at: _due, ...free } = seen;
    const owed = dutyOf(seen) !== "nothing";
    const at = due ?? (owed ? 0 : undefined);
    return at === undefined ? free : { ...free, due_at: at };
  });

async function writeUnderLease({ db, clock }: Deps, held: StoredContent, plan: Plan): Promise<StoredContent> {
  let seen = held;
  for (;;) {
    const written = await putContent(db, seen, plan(seen, epochSeconds(clock)));
    if (written.written) return written.content;
    if (!written.seen || written.seen.lease_token !== held.lease_token) throw new LeaseLost();
    if (written.seen.revision !== held.revision) throw new Superseded(written.seen);
    seen = written.seen;
  }
}
