/** Merges sorted streams into one sorted stream. Reads one item ahead of each. */
export async function* mergeSorted<T>(
  streams: readonly AsyncIterator<T, undefined>[],
  precedes: (a: T, b: T) => boolean,
): AsyncGenerator<T, undefined> {
  const heads = await Promise.all(streams.map(async (rest) => ({ rest, next: await rest.next() })));
  for (;;) {
    let first: { head: (typeof heads)[number]; value: T } | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      const { value } = head.next;
      if (!first || precedes(value, first.value)) first = { head, value };
    }
    if (!first) return undefined;
    yield first.value;
    first.head.next = await first.head.rest.next();
  }
}
