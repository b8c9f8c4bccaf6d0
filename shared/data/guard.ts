/**
 * The condition of a write. An object holds when all of its attributes pass their tests; a list, when all of its guards
 * hold.
 *
 *   { status: "running", removed_at: absent, lease_until: absentOr(below(now)) }
 */
export type Guard = Tests | AnyOf | readonly Guard[];

/** A test for each attribute; a plain value is what the attribute must equal. Of other values, see `asSeen`. */
export type Tests = { readonly [attribute: string]: Test | Plain };

type Plain = string | number | boolean | null | ReadonlySet<string>;

/** What one attribute must be. */
export class Test {
  /** Writes the test of an attribute as a condition. @param name placeholder of the attribute's name */
  readonly write: (name: string, value: (of: unknown) => string, member: Placeholders["member"]) => string;

  constructor(write: Test["write"]) {
    this.write = write;
  }
}

/** Holds when one of several guards does. */
class AnyOf {
  readonly guards: readonly Guard[];

  constructor(guards: readonly Guard[]) {
    this.guards = guards;
  }
}

export const anyOf = (...guards: readonly [Guard, ...Guard[]]): Guard => new AnyOf(guards);

export const absent = new Test((name) => `attribute_not_exists(${name})`);
export const present = new Test((name) => `attribute_exists(${name})`);

const equal = (to: unknown): Test => new Test((name, value) => `${name} = ${value(to)}`);
/** These four hold for no item without the attribute. */
export const below = (limit: number | string): Test => new Test((name, value) => `${name} < ${value(limit)}`);
export const atMost = (limit: number | string): Test =>
  new Test((name, value) => `${name} <= ${value(limit)}`);
export const above = (limit: number | string): Test => new Test((name, value) => `${name} > ${value(limit)}`);
export const atLeast = (limit: number | string): Test =>
  new Test((name, value) => `${name} >= ${value(limit)}`);

/** Holds for an item without the attribute too. */
export const isNot = (other: unknown): Test => new Test((name, value) => `${name} <> ${value(other)}`);

export const oneOf = (choices: readonly unknown[]): Test =>
  new Test((name, value) => among(name, choices, value));

/** Holds for an item without the attribute too. */
export const noneOf = (choices: readonly unknown[]): Test =>
  new Test((name, value) => `NOT ${among(name, choices, value)}`);

function among(name: string, choices: readonly unknown[], value: (of: unknown) => string): string {
  if (choices.length === 0) throw new Error(`${name} has no choices`);
  return `${name} IN (${choices.map((choice) => value(choice)).join(", ")})`;
}

/** Whether the attribute is a text. */
export const isText = new Test((name, value) => `attribute_type(${name}, ${value("S")})`);
/** Holds for an item without the attribute too. */
export const isNoText = new Test((name, value) => `NOT attribute_type(${name}, ${value("S")})`);

export const absentOr = (test: Test | Plain): Test =>
  new Test(
    (name, value, member) => `(attribute_not_exists(${name}) OR ${testOf(test).write(name, value, member)})`,
  );

/** The attribute is as it was read; undefined says that there was none. */
export const asSeen = (value: unknown): Test => (value === undefined ? absent : equal(value));

/** Members of a map are as they were read; of others nothing is said. */
export const membersAsSeen = (seen: Readonly<Record<string, unknown>>): Test =>
  new Test((name, value, member) =>
    Object.entries(seen)
      .map(([key, one]) => asSeen(one).write(`${name}.${member(key)}`, value, member))
      .join(" AND "),
  );

/** There is no item with this key. */
export const isNew: Guard = { pk: absent };
/** There is an item with this key. */
export const exists: Guard = { pk: present };

const testOf = (test: unknown): Test => (test instanceof Test ? test : equal(test));

/** Writes a guard as a condition; undefined for one that always holds. */
export function conditionOf(guard: Guard, placeholders: Placeholders): string | undefined {
  if (guard instanceof AnyOf) return eitherOf(guard, placeholders);
  if (isList(guard)) return allOf(guard.map((part) => conditionOf(part, placeholders)));
  return allOf(
    Object.entries(guard).map(([attribute, test]) =>
      testOf(test).write(
        placeholders.name(attribute),
        (of) => placeholders.value(`if_${attribute}`, of),
        placeholders.member,
      ),
    ),
  );
}

const allOf = (parts: readonly (string | undefined)[]): string | undefined =>
  parts.filter((part) => part !== undefined).join(" AND ") || undefined;

/** A part that always holds makes the whole hold. */
function eitherOf({ guards }: AnyOf, placeholders: Placeholders): string | undefined {
  const parts = guards.map((part) => conditionOf(part, placeholders));
  if (parts.includes(undefined)) return undefined;
  return parts.length === 1 ? parts[0] : `(${parts.join(" OR ")})`;
}

const isList = (guard: Tests | readonly Guard[]): guard is readonly Guard[] => Array.isArray(guard);

/** The names and values that the expressions of one write refer to. */
export type Placeholders = {
  /** `#status` for the attribute `status`. */
  readonly name: (attribute: string) => string;
  /** The same for a member of a map. A map may have many: theirs are short, for an expression has 4 KB. */
  readonly member: (name: string) => string;
  /** `:status` for a value. @param hint what the placeholder is called, as far as it is free; "" for a short one */
  readonly value: (hint: string, value: unknown) => string;
  /** The parameters of the request: absent where nothing is referred to, as the service demands. */
  readonly parameters: () => {
    readonly ExpressionAttributeNames?: Record<string, string>;
    readonly ExpressionAttributeValues?: Record<string, unknown>;
  };
};

/** What a placeholder may be called, and not too long. */
const SPEAKING = /^[A-Za-z]\w{0,39}$/;

/** Placeholders that are called what they stand for, where that can be; a value never takes the place of another. */
export function placeholders(): Placeholders {
  const names = new Map<string, string>();
  const values = new Map<string, unknown>();
  const named = (name: string, isSpeaking: boolean) => {
    const placeholder = names.get(name) ?? (isSpeaking ? `#${name}` : `#${names.size}`);
    names.set(name, placeholder);
    return placeholder;
  };
  return {
    name: (attribute) => named(attribute, SPEAKING.test(attribute)),
    member: (name) => named(name, false),
    value(hint, value) {
      if (value === undefined) throw new Error(`${hint} has no value`);
      const wanted = SPEAKING.test(hint) ? `:${hint}` : `:${values.size}`;
      let placeholder = wanted;
      for (let n = 2; values.has(placeholder); n += 1) placeholder = `${wanted}_${n}`;
      values.set(placeholder, value);
      return placeholder;
    },
    parameters: () => ({
      ...(names.size > 0 && {
        ExpressionAttributeNames: Object.fromEntries(
          [...names].map(([name, placeholder]) => [placeholder, name]),
        ),
      }),
      ...(values.size > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
    }),
  };
}
