/**
 * The live runs of a session that a run which continues after a pause waits for: all but those that wait for it, directly or through
 * others. So runs that take turns count on from one another over pauses, and no two wait for each other.
 *
 * @param runId  of the run that continues
 * @param live   ids of the session's live runs, the newest first
 * @param waits  what the queued ones of them wait for
 */
export function turnAfter(
  runId: string,
  live: readonly string[],
  waits: ReadonlyMap<string, readonly string[]>,
): string[] {
  const known = new Map<string, boolean>();
  const isBehind = (id: string): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, false);
    const found = (waits.get(id) ?? []).some((other) => other === runId || isBehind(other));
    known.set(id, found);
    return found;
  };
  return live.filter((id) => id !== runId && !isBehind(id));
}
