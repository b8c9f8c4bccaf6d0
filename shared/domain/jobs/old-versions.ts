const DAY_SECONDS = 86_400;
/** What a version executes when it is replaced ends within this; a function lives 15 minutes. */
const LAST_INVOCATION_SECONDS = 3_600;

type Version = { readonly version: string; readonly published_at: number };

/**
 * Versions of the code to which no run is pinned any more: replaced for longer than runs stay pinned.
 *
 *   v1 published ──────▶ v2 published ─────── keepDays ───────▶ v1 is old
 *                        runs of v1 go on with v1
 *
 * @param live      the version that takes new runs; it is never old, and neither is what was published after it
 * @param keepDays  how long a version is kept after the next one was published
 * @param now       epoch seconds
 */
export function oldVersions(
  versions: readonly Version[],
  live: string,
  keepDays: number,
  now: number,
): string[] {
  const kept = Math.max(keepDays * DAY_SECONDS, LAST_INVOCATION_SECONDS);
  const inOrder = versions.toSorted((a, b) => a.published_at - b.published_at);
  const liveAt = inOrder.findIndex(({ version }) => version === live);
  return inOrder.slice(0, Math.max(0, liveAt)).flatMap(({ version }, position) => {
    const replacedAt = inOrder[position + 1]?.published_at ?? now;
    return replacedAt + kept <= now ? [version] : [];
  });
}
