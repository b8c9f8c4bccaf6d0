import { createHash } from "node:crypto";
import * as v from "valibot";
import type { Content } from "../ports/learning-book.ts";

export const Text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(2000));
export const Name = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200));

/** A line of a list within a content. */
type Entry = Readonly<Record<string, unknown>> & { readonly id: string };

/** One content is one item of a table. */
const MOST_ENTRIES = 300;

/** The same eight digits for the same name. */
export const shortId = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 8);

/** Entries that are made at this moment, each under an id that follows from the occasion and its position. */
export function newEntries<T extends object>(entries: readonly T[], key: string, at: string): (T & Entry)[] {
  return entries.map((entry, i) => ({
    id: shortId(`${key}/${i}`),
    ...entry,
    created_at: at,
    updated_at: at,
  }));
}

/** The list of that name in a content; what is none is nothing. */
export function entriesIn(before: Content | undefined, name: string): readonly Partial<Entry>[] {
  const list = before?.[name];
  return Array.isArray(list) ? list : [];
}

/**
 * A list with further entries. One that is there already, from an earlier try or in other words of the same id, stays.
 *
 * @throws Error in words for the model when there are too many
 */
export function withEntries(
  before: Content | undefined,
  name: string,
  entries: readonly Entry[],
  isSame: (one: Partial<Entry>, other: Entry) => boolean = (one, other) => one.content === other.content,
): readonly Partial<Entry>[] {
  const known = entriesIn(before, name);
  const added = entries.filter((entry) => !known.some((one) => one.id === entry.id || isSame(one, entry)));
  if (known.length + added.length > MOST_ENTRIES) {
    throw new Error(`There is room for ${MOST_ENTRIES} ${name}; say less.`);
  }
  return [...known, ...added];
}
