import { isDeepStrictEqual } from "node:util";
import { type Guard, isNew } from "../../data/guard.ts";
import { transact } from "../../data/transact.ts";
import { updateItem, type Write } from "../../data/writes.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import type { Db } from "../db.ts";
import { contentAttributes, contentFrom, contentKey, ownerKey, tallyKey } from "./content-item.ts";
import { ALL_OWNERS } from "./tally.ts";

/** A lost race is a result: it carries the content that was seen instead. */
export type ContentWritten =
  | { readonly written: true; readonly content: StoredContent }
  | { readonly written: false; readonly seen: StoredContent | undefined };

/**
 * Writes what differs between two states of a content, unless it was written since the first was read. Counters of
 * contents and of their metadata's keys are updated in the same transaction.
 *
 * @param before  undefined for a new content
 * @param guard   further conditions
 */
export async function putContent(
  db: Db,
  before: StoredContent | undefined,
  after: StoredContent,
  guard: Guard = [],
): Promise<ContentWritten> {
  const content = { ...after, version: (before?.version ?? 0) + 1 };
  const result = await transact(db, {
    content: updateOf(before, content, guard),
    tallies: talliesOf(before, content),
  });
  if (result.written) return { written: true, content };
  return { written: false, seen: result.seen && contentFrom(result.seen) };
}

function updateOf(before: StoredContent | undefined, content: StoredContent, guard: Guard): Write {
  const was = before ? contentAttributes(before) : {};
  const is = contentAttributes(content);
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = names.filter((name) => !isDeepStrictEqual(was[name], is[name]));
  return updateItem("knowledge", contentKey(content), {
    set: Object.fromEntries(changed.map((name) => [name, is[name]])),
    guard: [before ? { version: before.version } : isNew, guard],
  });
}

/** What a content adds to the counters: itself, and each key of its metadata. */
function counted(content: StoredContent | undefined): ReadonlyMap<string, number> {
  if (!content || content.removed) return new Map();
  return new Map([
    ["contents", 1],
    ...Object.keys(content.metadata ?? {}).map((key) => [`key#${key}`, 1] as const),
  ]);
}

/** The writes that update the counters, if they change: of its owner's contents, and of all in the base. */
function talliesOf(before: StoredContent | undefined, after: StoredContent): Write[] {
  const [was, is] = [counted(before), counted(after)];
  const moved: [string, number][] = [...new Set([...was.keys(), ...is.keys()])]
    .map((name): [string, number] => [name, (is.get(name) ?? 0) - (was.get(name) ?? 0)])
    .filter(([, by]) => by !== 0);
  if (moved.length === 0) return [];
  const { knowledge_id, owner, id } = after;
  return [ownerKey(knowledge_id, owner), `${knowledge_id}#${ALL_OWNERS}`].map((whose) =>
    updateItem("knowledge", tallyKey(whose, id), { add: Object.fromEntries(moved) }),
  );
}
