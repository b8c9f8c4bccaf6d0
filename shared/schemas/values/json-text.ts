import { isObject } from "./is-object.ts";

/** Levels of a client's JSON. More is nobody's data, and what walks a value by recursion has room for these. */
export const MAX_JSON_DEPTH = 200;

export const isTooDeep = (value: unknown, levels = MAX_JSON_DEPTH): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1)));

/**
 * Reads a client's JSON. Half a surrogate pair, which can be written as an escape and be kept nowhere, becomes U+FFFD,
 * as bytes do that are no UTF-8.
 *
 * @throws SyntaxError where it is none
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return HALF_PAIR.test(text) ? wellFormed(value) : value;
}

/** What a text says as JSON; undefined where that cannot be read. */
export function parsedJson(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

const HALF_PAIR = /\\u[dD][89a-fA-F]/;

/** What is nested too deep stays as it is: everybody refuses it. */
function wellFormed(value: unknown, levels = MAX_JSON_DEPTH): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (levels === 0) return value;
  if (Array.isArray(value)) return value.map((inner) => wellFormed(inner, levels - 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner, levels - 1)]),
  );
}
