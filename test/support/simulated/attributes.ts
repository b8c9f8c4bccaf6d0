/** A value as the service carries it: `{ S: "text" }`, `{ N: "1" }`, … */
export type Attribute = Readonly<Record<string, unknown>>;
/** An item as the service carries it. Never changed in place: a write replaces the whole item. */
export type StoredItem = Readonly<Record<string, Attribute>>;

export const textOf = (attribute: Attribute | undefined): string | undefined =>
  typeof attribute?.S === "string" ? attribute.S : undefined;

export const numberOf = (attribute: Attribute | undefined): number | undefined =>
  attribute?.N === undefined ? undefined : Number(attribute.N);

export const sameValue = (a: Attribute | undefined, b: Attribute | undefined): boolean => {
  if (!a || !b) return false;
  const [x, y] = [numberOf(a), numberOf(b)];
  return x !== undefined && y !== undefined ? x === y : JSON.stringify(a) === JSON.stringify(b);
};

/**
 * Order of two values of one type; undefined for values that have no order or no common type, which every
 * comparison refuses.
 */
export function compareValues(a: Attribute | undefined, b: Attribute | undefined): number | undefined {
  const [m, n] = [numberOf(a), numberOf(b)];
  if (m !== undefined && n !== undefined) return m - n;
  const [s, t] = [textOf(a), textOf(b)];
  // Keys here are ASCII, for which code units order as bytes do.
  return s === undefined || t === undefined ? undefined : s < t ? -1 : s > t ? 1 : 0;
}
