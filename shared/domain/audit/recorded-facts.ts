import { canonicalDigest } from "./canonical-digest.ts";

/** Longest value that is recorded itself, in characters of JSON. */
const MAX_CHARS = 500;

/**
 * What an audit record keeps of a state: short values as they are, of long ones their digest. Prompts, payloads and
 * configs stay out of it, and a record fits into an item.
 */
export function recordedFacts(state: object | undefined): Record<string, unknown> | null {
  if (!state) return null;
  return Object.fromEntries(
    Object.entries(state)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, shortened(value)]),
  );
}

function shortened(value: unknown): unknown {
  const chars = JSON.stringify(value).length;
  return chars <= MAX_CHARS ? value : { sha256: canonicalDigest(value), chars };
}

/** Of two states the members that differ. */
export function differingFacts(
  before: object,
  after: object,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const [old, next] = [recordedFacts(before) ?? {}, recordedFacts(after) ?? {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])];
  const changed = names.filter(
    (name) => canonicalDigest(old[name] ?? null) !== canonicalDigest(next[name] ?? null),
  );
  const only = (of: Record<string, unknown>) =>
    Object.fromEntries(changed.flatMap((name) => (name in of ? [[name, of[name]]] : [])));
  return { before: only(old), after: only(next) };
}
