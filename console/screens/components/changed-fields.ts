type Fields = Readonly<Record<string, unknown>>;

export type ChangedField = {
  /** Names from the outside in, with dots. */
  readonly path: string;
  /** Undefined where the field is new. */
  readonly before: unknown;
  /** Undefined where the field is gone. */
  readonly after: unknown;
};

/** What differs between two configs, field by field. Lists are compared as a whole. */
export function changedFields(before: Fields, after: Fields, within = ""): readonly ChangedField[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const path = within === "" ? name : `${within}.${name}`;
    const [old, now] = [before[name], after[name]];
    if (isFields(old) && isFields(now)) return changedFields(old, now, path);
    return JSON.stringify(sorted(old)) === JSON.stringify(sorted(now))
      ? []
      : [{ path, before: old, after: now }];
  });
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Fields have no order of their own; the same value with another order is the same. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}
