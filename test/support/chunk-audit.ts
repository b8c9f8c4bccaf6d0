import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Item } from "../../shared/data/item.ts";
import { chunkKeys } from "../../shared/knowledge/chunk-keys.ts";
import type { StoredContent } from "../../shared/schemas/knowledge/knowledge-content.ts";
import type { Db } from "../../shared/stores/db.ts";
import { contentFrom } from "../../shared/stores/knowledge/content-item.ts";
import type { TestStores } from "./stores.ts";

export type ChunkAudit = {
  readonly contents: readonly StoredContent[];
  /** Chunks that some content shows and that are not there. */
  readonly missing: string[];
  /** Chunks that are there and belong to nothing that is found. */
  readonly orphans: string[];
};

/** Compares every chunk in the table with what the records of contents say. For stores where nothing is under way. */
export async function auditChunks(db: Db): Promise<ChunkAudit> {
  const items = await scan(db, db.tables.knowledge);
  const contents = items.filter(({ sk }) => sk === "content").map(contentFrom);
  const wanted = new Set(contents.flatMap(({ id, live }) => (live ? chunkKeys(id, live) : [])));
  const rows = await scan(db, db.tables.chunks);
  const keysOf = (kind: string) =>
    rows.filter(({ sk }) => String(sk).startsWith(`${kind}#`)).map(({ key }) => String(key));
  const [vectors, texts] = [new Set(keysOf("vector")), new Set(keysOf("text"))];
  return {
    contents,
    missing: [...wanted].filter((key) => !vectors.has(key) || !texts.has(key)),
    orphans: [...vectors, ...texts].filter((key) => !wanted.has(key)),
  };
}

/** Objects of the index of words that no row names, generations that never left it, and rows that are not searched. */
export async function auditWords({ db, objects }: TestStores): Promise<string[]> {
  const rows = (await scan(db, db.tables.chunks)).filter(({ pk }) => String(pk).startsWith("words#"));
  const named = new Set(rows.map(({ object }) => object));
  const unnamed = [...objects.held.keys()].filter((key) => key.startsWith("words/") && !named.has(key));
  const unused = rows.filter(({ ready, leftovers }) => ready !== true || (leftovers as string[]).length > 0); // as stored
  return [...unnamed, ...unused.map(({ sk }) => String(sk)).filter((sk) => sk !== "lock")];
}

async function scan(db: Db, table: string): Promise<Item[]> {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page = await db.client.send(
      new ScanCommand({ TableName: table, ...(start && { ExclusiveStartKey: start }) }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}
