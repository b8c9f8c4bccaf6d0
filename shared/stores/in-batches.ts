/** Processes a list in batches, a few batches in parallel. */
export async function inBatches<T>(
  all: readonly T[],
  size: number,
  work: (batch: T[]) => Promise<void>,
  atATime = 4,
): Promise<void> {
  for (let from = 0; from < all.length; from += size * atATime) {
    const wave: Promise<void>[] = [];
    for (let at = from; at < Math.min(from + size * atATime, all.length); at += size) {
      wave.push(work(all.slice(at, at + size)));
    }
    await Promise.all(wave);
  }
}
