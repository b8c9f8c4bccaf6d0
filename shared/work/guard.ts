/** The condition of a write. Attributes are written `#name`, values `:name`. */
export type Guard = {
  readonly condition: string;
  readonly values?: Readonly<Record<string, unknown>>;
};

/** Holds where all of them hold. */
export function allOf(...guards: readonly (Guard | undefined)[]): Guard {
  const given = guards.filter((guard) => guard !== undefined);
  return {
    condition: given
      .map(({ condition }) => (condition.includes(" OR ") ? `(${condition})` : condition))
      .join(" AND "),
    values: Object.assign({}, ...given.map(({ values }) => values)),
  };
}

/** What a write changes: attributes to set (`undefined` removes one), and numbers to add to. */
export type Changes = {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly add?: Readonly<Record<string, number>>;
};

/** A guarded change as the parameters of an update, without table and key. */
export function updateOf({ set = {}, add = {} }: Changes, { condition, values = {} }: Guard) {
  const written = Object.entries(set).filter(([, value]) => value !== undefined);
  const removed = Object.keys(set).filter((name) => set[name] === undefined);
  const added = Object.entries(add);
  const guarded = [...condition.matchAll(/#(\w+)/g)].map(([, name = ""]) => name);
  const names = new Set([...Object.keys(set), ...Object.keys(add), ...guarded]);
  const clauses = [
    ["SET", written.map(([name]) => `#${name} = :new_${name}`)],
    ["ADD", added.map(([name]) => `#${name} :add_${name}`)],
    ["REMOVE", removed.map((name) => `#${name}`)],
  ] as const;
  return {
    UpdateExpression: clauses
      .flatMap(([verb, parts]) => (parts.length > 0 ? [`${verb} ${parts.join(", ")}`] : []))
      .join(" "),
    ConditionExpression: condition,
    ExpressionAttributeNames: Object.fromEntries([...names].map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...values,
      ...Object.fromEntries(written.map(([name, value]) => [`:new_${name}`, value])),
      ...Object.fromEntries(added.map(([name, value]) => [`:add_${name}`, value])),
    },
  };
}
