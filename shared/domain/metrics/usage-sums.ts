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

export type Used<Key> = UsageSums & { readonly key: Key };

/** Who used most so far, the most used first, and the others together. */
export type Shares<Key> = {
  readonly shown: readonly Used<Key>[];
  readonly others: { readonly count: number; readonly used: UsageSums };
};

export const noShares = { shown: [], others: { count: 0, used: noUsageSums } } as const;

/** With more of them. No key may be given twice: what one used is summed up before. */
export function withShares<Key>({ shown, others }: Shares<Key>, more: Iterable<Used<Key>>): Shares<Key> {
  const sorted = [...shown, ...more].sort(
    (a, b) =>
      b.total_tokens - a.total_tokens ||
      b.runs - a.runs ||
      (JSON.stringify(a.key) < JSON.stringify(b.key) ? -1 : 1),
  );
  const rest = sorted.slice(MAX_SHARES);
  return {
    shown: sorted.slice(0, MAX_SHARES),
    others: {
      count: others.count + rest.length,
      used: rest.reduce<UsageSums>(addUsageSums, others.used),
    },
  };
}

/**
 * As they are shown: those after the first hundred are one entry together.
 *
 * @param othersKey  the key of that entry
 */
export function shownShares<Key>(
  { shown, others }: Shares<Key>,
  othersKey: Key,
): (Key & ReturnType<typeof inDollars<UsageSums>> & { others?: number })[] {
  const listed = shown.map(({ key, ...used }) => ({ ...key, ...inDollars(used) }));
  if (others.count === 0) return listed;
  return [...listed, { ...othersKey, others: others.count, ...inDollars(others.used) }];
}
