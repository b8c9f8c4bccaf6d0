import * as v from "valibot";
import type { Item } from "../data/index.ts";
import type { Change, Migration } from "./migration.ts";

/**
 * A content that searches by words do not find yet. A migration must not depend on code that changes later: it defines
 * itself what it reads and writes.
 */
const WithoutWords = v.object({
  sk: v.literal("content"),
  id: v.string(),
  status: v.literal("completed"),
  removed: v.literal(false),
  live: v.object({ words: v.optional(v.undefined()) }),
  tagged_version: v.pipe(v.number(), v.minValue(0)),
  due_at: v.optional(v.undefined()),
});

const SHARDS = 4;
/** Has the chunks of a content written again, whatever their metadata is. */
const UNTAGGED = -1;

/** The sweeper finds the content in the index of due contents, and a worker writes its chunks again with their words. */
function makeDue(record: Item): Change | undefined {
  const parsed = v.safeParse(WithoutWords, record);
  if (!parsed.success) return undefined;
  const { id } = parsed.output;
  const shard = (Number.parseInt(id.slice(-4), 16) || 0) % SHARDS;
  const set = {
    tagged_version: UNTAGGED,
    due_at: 0,
    due_key: `due#${shard}`,
    due: `${"0".repeat(12)}#${id}`,
  };
  return { set, from: ["live", "tagged_version", "due_at", "status", "removed"] };
}

/** From version 4 on searches by words find every content; until then those that were processed since. */
export const wordsOfContents: Migration = {
  version: 4,
  name: "index-words",
  steps: [{ table: "knowledge", up: makeDue, down: () => undefined }],
};
