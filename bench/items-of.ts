/** Items that a query or a batch read looked at; a single read is one. */
export function itemsOf(output: object): number {
  const seen = output as {
    readonly ScannedCount?: number;
    readonly Responses?: Readonly<Record<string, readonly unknown[]>>;
  };
  if (seen.ScannedCount !== undefined) return seen.ScannedCount;
  const batched = Object.values(seen.Responses ?? {}).reduce((sum, items) => sum + items.length, 0);
  return seen.Responses ? batched : 1;
}
