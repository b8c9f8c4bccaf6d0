/** Most levels of a client's JSON. Real data has fewer, and recursion over a value is safe up to this. */
export const MAX_JSON_DEPTH = 200;

export const isTooDeep = (value: unknown, levels = MAX_JSON_DEPTH): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1)));

/**
 * Parses a client's JSON. A lone surrogate, which can be written as an escape but not stored, becomes U+FFFD, like bytes
 * that are not UTF-8.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return SURROGATE_ESCAPE.test(text) ? wellFormed(value) : value;
}

/** The value of a JSON text; undefined if it cannot be parsed. */
export function parsedJson(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** Values that are nested too deep stay as they are: all callers refuse them. */
function wellFormed(value: unknown, levels = MAX_JSON_DEPTH): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (levels === 0) return value;
  if (Array.isArray(value)) return value.map((inner) => wellFormed(inner, levels - 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner, levels - 1)]),
  );
}

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * The value of an object under a name that a client, a model or a configuration chose. Without this, `constructor` or
 * `toString` would find what every object inherits.
 *
 * @returns undefined where the object has no such member of its own
 */
export const ownMember = <Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** JSON text that is the same for values that are equal, in whatever order their members were written. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => (isObject(member) ? sorted(member) : member));
}

const sorted = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
