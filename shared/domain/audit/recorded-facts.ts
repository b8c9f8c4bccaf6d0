import { isStorable } from "../../schemas/values/storable.ts";
import { canonicalDigest } from "./canonical-digest.ts";

/** Longest value that is recorded itself, in characters of JSON. */
const MAX_CHARS = 500;

/**
 * What an audit record keeps of a state: short texts, numbers and lists of them as they are, of everything else its digest.
 * Prompts, payloads, metadata and configs stay out of it: what was said in them goes with its session.
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
  const isFact = Array.isArray(value) ? value.every(isPlain) : isPlain(value);
  return isFact && chars <= MAX_CHARS ? value : { sha256: canonicalDigest(value), chars };
}

const isPlain = (value: unknown): boolean =>
  value === null || (typeof value !== "object" && isStorable(value));

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
