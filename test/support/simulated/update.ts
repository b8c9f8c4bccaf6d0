import { isObject } from "../../../shared/schemas/values/json-values.ts";
import { type Attribute, numberOf, type StoredItem } from "./attributes.ts";
import { given, nameOf, operandOf, type Placeholders } from "./condition.ts";

type Change = (before: StoredItem, after: Record<string, Attribute>, placeholders: Placeholders) => void;
type Verb = "SET" | "REMOVE" | "ADD";

const compiled = new Map<string, readonly Change[]>();

/** Applies an update expression. @throws on grammar that the stores do not use */
export function updated(item: StoredItem, text: string, placeholders: Placeholders): StoredItem {
  const changes = compiled.get(text) ?? compile(text);
  compiled.set(text, changes);
  const after: Record<string, Attribute> = { ...item };
  for (const change of changes) change(item, after, placeholders);
  return after;
}

function compile(text: string): Change[] {
  const [nothing, ...clauses] = text.split(/\b(SET|REMOVE|ADD)\b/);
  if (nothing?.trim() !== "" || clauses.length === 0) throw new Error(`not simulated: ${text}`);
  const changes: Change[] = [];
  for (let i = 0; i < clauses.length; i += 2) {
    const verb = clauses[i] as Verb; // split by exactly these words
    // A comma between brackets belongs to a function.
    for (const part of (clauses[i + 1] ?? "").split(/,(?![^(]*\))/))
      changes.push(makers[verb](part.trim(), text));
  }
  return changes;
}

const makers: Readonly<Record<Verb, (part: string, text: string) => Change>> = {
  SET(part, text) {
    const [, kept, fallback = ""] = /^(#?\w+) = if_not_exists\(\1, (:\w+)\)$/.exec(part) ?? [];
    if (kept) return keptOr(kept, operandOf(fallback, text));
    const [, map, member, value] = /^(#?\w+)\.(#\w+) = (:\w+)$/.exec(part) ?? [];
    if (map && member && value) return memberSet(map, member, operandOf(value, text));
    const [, target, left, right] = /^(#?\w+) = (\S+)(?: \+ (\S+))?$/.exec(part) ?? [];
    if (!target || !left) throw new Error(`not simulated: SET ${part}`);
    const [base, added] = [operandOf(left, text), right === undefined ? undefined : operandOf(right, text)];
    return (before, after, placeholders) => {
      const value = given(base(before, placeholders), left);
      after[nameOf(target, placeholders)] = added ? sum(value, added(before, placeholders)) : value;
    };
  },
  REMOVE(part) {
    if (!/^#?\w+$/.test(part)) throw new Error(`not simulated: REMOVE ${part}`);
    return (_before, after, placeholders) => {
      delete after[nameOf(part, placeholders)];
    };
  },
  ADD(part, text) {
    const [, target, value] = /^(#?\w+) (:\w+)$/.exec(part) ?? [];
    if (!target || !value) throw new Error(`not simulated: ADD ${part}`);
    const added = operandOf(value, text);
    return (before, after, placeholders) => {
      const name = nameOf(target, placeholders);
      const more = added(before, placeholders);
      after[name] = more?.SS ? union(before[name], more) : sum(before[name] ?? { N: "0" }, more);
    };
  },
};

/** A member of a map; several of one map may be set together. */
function memberSet(map: string, member: string, value: ReturnType<typeof operandOf>): Change {
  return (before, after, placeholders) => {
    const name = nameOf(map, placeholders);
    const key = nameOf(member, placeholders);
    const members = after[name]?.M;
    if (!isObject(members)) throw new Error(`${name} is no map`);
    after[name] = { M: { ...members, [key]: given(value(before, placeholders), key) } };
  };
}

/** An attribute that is written only where there is none. */
function keptOr(target: string, fallback: ReturnType<typeof operandOf>): Change {
  return (before, after, placeholders) => {
    const name = nameOf(target, placeholders);
    after[name] = before[name] ?? given(fallback(before, placeholders), name);
  };
}

function sum(a: Attribute, b: Attribute | undefined): Attribute {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x === undefined || y === undefined) throw new Error("only numbers can be added");
  return { N: String(x + y) };
}

/** Texts of a set, in one order, so that equal sets are the same value. */
const union = (a: Attribute | undefined, b: Attribute): Attribute => ({
  SS: [...new Set([...textsOf(a), ...textsOf(b)])].sort(),
});

const textsOf = (set: Attribute | undefined): string[] => (Array.isArray(set?.SS) ? set.SS.map(String) : []);
