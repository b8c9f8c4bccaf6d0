import { isDeepStrictEqual } from "node:util";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import type { Db } from "../db.ts";
import { transact, type Write } from "../transact.ts";
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
 */
export async function putContent(
  db: Db,
  before: StoredContent | undefined,
  after: StoredContent,
): Promise<ContentWritten> {
  const content = { ...after, version: (before?.version ?? 0) + 1 };
  const tally = tallyOf(db, before, content);
  const written = await transact(db, () => [updateOf(db, before, content), ...tally]);
  if (written.written) return { written: true, content };
  return { written: false, seen: written.seen && contentFrom(written.seen) };
}

function updateOf(db: Db, before: StoredContent | undefined, content: StoredContent): Write {
  const was = before ? contentAttributes(before) : {};
  const is = contentAttributes(content);
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = names.filter((name) => !isDeepStrictEqual(was[name], is[name]));
  const set = changed.filter((name) => is[name] !== undefined);
  const gone = changed.filter((name) => is[name] === undefined);
  return {
    Update: {
      TableName: db.tables.knowledge,
      Key: contentKey(content),
      UpdateExpression: [
        `SET ${set.map((name) => `#${name} = :${name}`).join(", ")}`,
        ...(gone.length > 0 ? [`REMOVE ${gone.map((name) => `#${name}`).join(", ")}`] : []),
      ].join(" "),
      ConditionExpression: before ? "#version = :before" : "attribute_not_exists(pk)",
      ExpressionAttributeNames: Object.fromEntries([...changed, "version"].map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(set.map((name) => [`:${name}`, is[name]])),
        ...(before && { ":before": before.version }),
      },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}

/** What a content adds to the counters: itself, and each key of its metadata. */
function counted(content: StoredContent | undefined): ReadonlyMap<string, number> {
  if (!content || content.removed) return new Map();
  return new Map([
    ["contents", 1],
    ...Object.keys(content.metadata ?? {}).map((key) => [`key#${key}`, 1] as const),
  ]);
}

/** The entries that update the counters, if they change: of its owner's contents, and of all in the base. */
function tallyOf(db: Db, before: StoredContent | undefined, after: StoredContent): Write[] {
  const [was, is] = [counted(before), counted(after)];
  const moved: [string, number][] = [...new Set([...was.keys(), ...is.keys()])]
    .map((name): [string, number] => [name, (is.get(name) ?? 0) - (was.get(name) ?? 0)])
    .filter(([, by]) => by !== 0);
  if (moved.length === 0) return [];
  const { knowledge_id, owner, id } = after;
  return [ownerKey(knowledge_id, owner), `${knowledge_id}#${ALL_OWNERS}`].map((whose) => ({
    Update: {
      TableName: db.tables.knowledge,
      Key: tallyKey(whose, id),
      UpdateExpression: `ADD ${moved.map((_, i) => `#n${i} :n${i}`).join(", ")}`,
      ExpressionAttributeNames: Object.fromEntries(moved.map(([name], i) => [`#n${i}`, name])),
      ExpressionAttributeValues: Object.fromEntries(moved.map(([, by], i) => [`:n${i}`, by])),
    },
  }));
}
