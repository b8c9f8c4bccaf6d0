/** Floating-point sums of dollars depend on their order; sums of whole billionths do not. */
const NANOS = 1_000_000_000;

/** What some runs used. */
export type UsageSums = {
  readonly runs: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  /** Billionths of a dollar; undefined if no model had a price. */
  readonly nanos: number | undefined;
};

export const noUsageSums: UsageSums = {
  runs: 0,
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  nanos: undefined,
};

/** @param cost  dollars */
export const nanosOf = (cost: number | undefined): number | undefined =>
  cost === undefined ? undefined : Math.round(cost * NANOS);

export const addNanos = (a: number | undefined, b: number | undefined): number | undefined =>
  b === undefined ? a : (a ?? 0) + b;

export const addUsageSums = (a: UsageSums, b: UsageSums): UsageSums => ({
  runs: a.runs + b.runs,
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  total_tokens: a.total_tokens + b.total_tokens,
  nanos: addNanos(a.nanos, b.nanos),
});

/** With the cost in dollars, where there is one. */
export const inDollars = <S extends { readonly nanos: number | undefined }>({ nanos, ...sums }: S) => ({
  ...sums,
  ...(nanos !== undefined && { cost: nanos / NANOS }),
});

/** Entries of a list; a day is one item, which must not outgrow its table's limit. */
const MAX_SHARES = 100;

/**
 * Who used what, the most used first; those after the first hundred are one entry together.
 *
 * @param othersKey  the key of that entry
 */
export function shares<Key>(
  sums: ReadonlyMap<string, UsageSums & { readonly key: Key }>,
  othersKey: Key,
): (Key & ReturnType<typeof inDollars<UsageSums>> & { others?: number })[] {
  const sorted = [...sums].sort(
    ([idA, a], [idB, b]) => b.total_tokens - a.total_tokens || b.runs - a.runs || (idA < idB ? -1 : 1),
  );
  const shown = sorted.slice(0, MAX_SHARES).map(([, { key, ...used }]) => ({ ...key, ...inDollars(used) }));
  const rest = sorted.slice(MAX_SHARES).map(([, { key: _, ...used }]) => used);
  if (rest.length === 0) return shown;
  const together = rest.reduce<UsageSums>(addUsageSums, noUsageSums);
  return [...shown, { ...othersKey, others: rest.length, ...inDollars(together) }];
}
