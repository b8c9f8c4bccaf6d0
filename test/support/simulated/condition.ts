import { type Attribute, compareValues, type StoredItem, sameValue, textOf } from "./attributes.ts";

/** What an expression's placeholders stand for. */
export type Placeholders = {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, Attribute>>;
};

type Operand = (item: StoredItem | undefined, given: Placeholders) => Attribute | undefined;
export type Condition = (item: StoredItem | undefined, given: Placeholders) => boolean;

const TOKEN = /\s*(<>|<=|>=|[=<>(),]|[#:]?\w+(?:\.#\w+)?)/y;
const compiled = new Map<string, Condition>();

/**
 * Compiles a condition, filter or key condition. Knows the grammar that the stores use and nothing else.
 *
 * @throws on anything it does not know, so that a store cannot rely on what is not simulated
 */
export function conditionOf(text: string): Condition {
  const known = compiled.get(text);
  if (known) return known;
  const parser = parserOf(text);
  const condition = parser.either();
  parser.end();
  compiled.set(text, condition);
  return condition;
}

export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const [, token] = TOKEN.exec(text) ?? [];
    if (token === undefined) throw new Error(`not simulated, at ${at}: ${text}`);
    tokens.push(token);
  }
  return tokens;
}

const compares: Readonly<Record<string, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

function parserOf(text: string) {
  const tokens = tokensOf(text);
  let at = 0;
  const take = () => tokens[at++] ?? "";
  const taken = (token: string) => tokens[at] === token && ++at > 0;
  const expect = (token: string) => {
    if (!taken(token)) throw new Error(`not simulated, expected ${token} before token ${at}: ${text}`);
  };
  const operand = (): Operand => operandOf(take(), text);

  const either = (): Condition => {
    const parts = [both()];
    while (taken("OR")) parts.push(both());
    return (item, given) => parts.some((part) => part(item, given));
  };
  const both = (): Condition => {
    const parts = [negated()];
    while (taken("AND")) parts.push(negated());
    return (item, given) => parts.every((part) => part(item, given));
  };
  const negated = (): Condition => {
    if (!taken("NOT")) return single();
    const part = negated();
    return (item, given) => !part(item, given);
  };
  const single = (): Condition => {
    if (taken("(")) {
      const inner = either();
      expect(")");
      return inner;
    }
    return tokens[at + 1] === "(" ? call() : comparison();
  };
  const call = (): Condition => {
    const name = take();
    expect("(");
    const subject = operand();
    const start = name === "begins_with" && taken(",") ? operand() : undefined;
    expect(")");
    if (name === "attribute_exists") return (item, given) => subject(item, given) !== undefined;
    if (name === "attribute_not_exists") return (item, given) => subject(item, given) === undefined;
    if (!start) throw new Error(`not simulated: ${name} in ${text}`);
    return (item, given) =>
      textOf(subject(item, given))?.startsWith(textOf(start(item, given)) ?? "\uffff") === true;
  };
  const comparison = (): Condition => {
    const left = operand();
    const operator = take();
    if (operator === "IN") return among(left);
    if (operator === "BETWEEN") return between(left);
    const right = operand();
    if (operator === "=") return (item, given) => sameValue(left(item, given), right(item, given));
    if (operator === "<>") return (item, given) => !sameValue(left(item, given), right(item, given));
    const holds = compares[operator];
    if (!holds) throw new Error(`not simulated: ${operator} in ${text}`);
    return (item, given) => {
      const order = compareValues(left(item, given), right(item, given));
      return order !== undefined && holds(order);
    };
  };
  const among = (left: Operand): Condition => {
    expect("(");
    const choices = [operand()];
    while (taken(",")) choices.push(operand());
    expect(")");
    return (item, given) => choices.some((choice) => sameValue(left(item, given), choice(item, given)));
  };
  const between = (left: Operand): Condition => {
    const low = operand();
    expect("AND");
    const high = operand();
    return (item, given) => {
      const value = left(item, given);
      const [fromLow, fromHigh] = [
        compareValues(value, low(item, given)),
        compareValues(value, high(item, given)),
      ];
      return fromLow !== undefined && fromHigh !== undefined && fromLow >= 0 && fromHigh <= 0;
    };
  };
  return {
    either,
    end() {
      if (at < tokens.length) throw new Error(`not simulated, from token ${at} on: ${text}`);
    },
  };
}

/** What a name or a value placeholder stands for. */
export function operandOf(token: string, text: string): Operand {
  const [, map, member] = /^(#?\w+)\.(#\w+)$/.exec(token) ?? [];
  if (map && member) {
    return (item, placeholders) => {
      const members = item?.[nameOf(map, placeholders)]?.M as StoredItem | undefined; // a map's value is shaped like an item
      return members?.[nameOf(member, placeholders)];
    };
  }
  if (!/^[#:]?\w+$/.test(token)) throw new Error(`not simulated: operand ${token} in ${text}`);
  if (token.startsWith(":")) return (_item, { values }) => given(values[token], token);
  return (item, placeholders) => item?.[nameOf(token, placeholders)];
}

export const nameOf = (token: string, { names }: Placeholders): string =>
  token.startsWith("#") ? given(names[token], token) : token;

export function given<T>(value: T | undefined, token: string): T {
  if (value === undefined) throw new Error(`${token} is used but was not given`);
  return value;
}
