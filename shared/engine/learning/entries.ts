import { createHash } from "node:crypto";
import * as v from "valibot";
import { maxChars } from "../../schemas/values/max-chars.ts";
import type { Content } from "../ports/learning-book.ts";

export const Text = v.pipe(v.string(), v.nonEmpty(), maxChars(2000));
export const Name = v.pipe(v.string(), v.nonEmpty(), maxChars(200));

/** An entry of a list within a content. */
type Entry = Readonly<Record<string, unknown>> & { readonly id: string };

/** A content is one item of a table, so its size is limited. */
const MAX_ENTRIES = 300;

/** Eight hex digits, the same for the same name. */
export const shortId = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 8);

/** New entries, each with an id derived from the key and its position. */
export function newEntries<T extends object>(entries: readonly T[], key: string, at: string): (T & Entry)[] {
  return entries.map((entry, i) => ({
    id: shortId(`${key}/${i}`),
    ...entry,
    created_at: at,
    updated_at: at,
  }));
}

/** The list of that name in a content; empty when it is not a list. */
export function entriesIn(before: Content | undefined, name: string): readonly Partial<Entry>[] {
  const list = before?.[name];
  return Array.isArray(list) ? list : [];
}

/**
 * A list with further entries. One that is there already, by its id or by `isSame`, stays as it is.
 *
 * @throws Error with a text for the model when there are too many
 */
export function withEntries(
  before: Content | undefined,
  name: string,
  entries: readonly Entry[],
  isSame: (one: Partial<Entry>, other: Entry) => boolean = (one, other) => one.content === other.content,
): readonly Partial<Entry>[] {
  const known = entriesIn(before, name);
  const added = entries.filter((entry) => !known.some((one) => one.id === entry.id || isSame(one, entry)));
  if (known.length + added.length > MAX_ENTRIES) {
    throw new Error(`There is room for ${MAX_ENTRIES} ${name}; say less.`);
  }
  return [...known, ...added];
}
