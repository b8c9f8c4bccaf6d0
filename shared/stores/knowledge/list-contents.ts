import type { Item } from "../../data/index.ts";
import { ServiceError } from "../../errors.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { type Db, queryPages } from "../db.ts";
import { baseKeys, getContents, ownerKey, type Visibility } from "./content-item.ts";
import { countContents } from "./put-content.ts";

const contentSortFields = [
  "created_at",
  "updated_at",
  "name",
  "type",
  "size",
  "status",
  "description",
] as const;
type SortField = (typeof contentSortFields)[number];

export type ContentsQuery = Visibility & {
  readonly page: number;
  readonly limit: number;
  readonly sort_by: string;
  readonly sort_order: "asc" | "desc";
};

/** Most rows that are read to sort by a field that no index sorts by. */
const MAX_SORTED = 10_000;

type Partition = { readonly index: "by_base" | "by_owner"; readonly name: string; readonly value: string };

/** The partitions of an index with a user's contents. @param owner undefined for everybody's */
export function partitionsOf({ knowledge_id, owner }: Visibility): Partition[] {
  if (owner === undefined) {
    return baseKeys(knowledge_id).map((value) => ({ index: "by_base", name: "base_key", value }));
  }
  const owners = owner === null ? [null] : [owner, null];
  return owners.map((one) => ({ index: "by_owner", name: "owner_key", value: ownerKey(knowledge_id, one) }));
}

/**
 * One page of contents and the exact number of all. In the order of creation it reads the index rows up to the page;
 * any other order reads all rows.
 *
 * @throws ServiceError BAD_REQUEST when that would be more than 10,000
 */
export async function listContents(
  db: Db,
  query: ContentsQuery,
): Promise<{ readonly contents: StoredContent[]; readonly total: number }> {
  const sortBy = contentSortFields.find((field) => field === query.sort_by) ?? "created_at";
  const total = await countContents(db, query);
  const end = query.page * query.limit;
  const most = sortBy === "created_at" ? end : MAX_SORTED;
  if (sortBy !== "created_at" && total > MAX_SORTED) {
    throw new ServiceError(
      "BAD_REQUEST",
      `more than ${MAX_SORTED} contents can only be sorted by created_at`,
    );
  }
  const forward = query.sort_order === "asc";
  const read = partitionsOf(query).map((partition) => rowsOf(db, partition, most, forward));
  const rows = (await Promise.all(read)).flat().sort(inOrder(sortBy, forward));
  const ids = rows.slice(end - query.limit, end).map(({ id }) => String(id));
  const found = await getContents(db, query.knowledge_id, ids);
  // The index may lag behind a record that was removed.
  return { contents: ids.flatMap((id) => shown(found.get(id))), total };
}

const shown = (content: StoredContent | undefined): StoredContent[] =>
  content && !content.removed ? [content] : [];

function inOrder(field: SortField, forward: boolean): (a: Item, b: Item) => number {
  const column = field === "created_at" ? "opened" : field;
  const sign = forward ? 1 : -1;
  return (a, b) => sign * (compared(a[column], b[column]) || compared(a.opened, b.opened));
}

const compared = (a: unknown, b: unknown): number => {
  const [x, y] = [a ?? "", b ?? ""];
  return x < y ? -1 : Number(x > y);
};

async function rowsOf(db: Db, partition: Partition, most: number, forward: boolean): Promise<Item[]> {
  const rows: Item[] = [];
  for await (const page of contentRows(db, partition, most, forward)) {
    rows.push(...page);
    if (rows.length >= most) break;
  }
  return rows.slice(0, most);
}

/** Index rows of a partition, page by page, by their creation. */
export async function* contentRows(
  db: Db,
  { index, name, value }: Partition,
  limit: number,
  forward = true,
): AsyncGenerator<Item[], undefined> {
  const pages = queryPages(db, {
    TableName: db.tables.knowledge,
    IndexName: index,
    KeyConditionExpression: "#partition = :partition",
    ExpressionAttributeNames: { "#partition": name },
    ExpressionAttributeValues: { ":partition": value },
    ScanIndexForward: forward,
    Limit: Math.min(limit, 1000),
  });
  for await (const { Items = [] } of pages) yield Items;
  return undefined;
}
