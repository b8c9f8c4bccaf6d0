import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  ScanCommand,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import type { StoredRow } from "./stored-row.ts";

/** Most keys of one read, and most writes of one request. @source DynamoDB API reference */
const READ_AT_ONCE = 100;
const WRITTEN_AT_ONCE = 25;
/** What a table did not take at once is tried again after this, doubled each time. */
const FIRST_PAUSE_MS = 100;
const MOST_PAUSE_MS = 10_000;

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

/** Parts of a table that are read beside each other. */
const SEGMENTS = 4;

/**
 * Reads a whole table, several parts at a time.
 *
 * A page is given away when the next one of its part has been read: `page` may delete its rows, also the one at which it ended, and
 * an engine that looks that row up to find where to go on would take the part for finished.
 *
 * @param page      called with each page; its part goes on when it has ended
 * @param keysOnly  whether only the keys are read, which costs as much and carries less
 */
export async function scanTable(
  client: DynamoDBClient,
  TableName: string,
  page: (rows: readonly StoredRow[]) => Promise<void>,
  keysOnly = false,
): Promise<void> {
  const read = (Segment: number, from?: Record<string, AttributeValue>) =>
    client.send(
      new ScanCommand({
        TableName,
        Segment,
        TotalSegments: SEGMENTS,
        ConsistentRead: true,
        ...(keysOnly && { ProjectionExpression: "pk, sk" }),
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
  const scanSegment = async (segment: number): Promise<void> => {
    let current = await read(segment);
    while (current.LastEvaluatedKey) {
      const next = await read(segment, current.LastEvaluatedKey);
      await page(current.Items ?? []);
      current = next;
    }
    await page(current.Items ?? []);
  };
  await Promise.all(Array.from({ length: SEGMENTS }, (_, segment) => scanSegment(segment)));
}

/** The items that exist, in any order. @param keys each once */
export async function getRows(
  client: DynamoDBClient,
  table: string,
  keys: readonly Record<string, AttributeValue>[],
  keysOnly = false,
): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  for (const some of inGroups(keys, READ_AT_ONCE)) {
    let wanted: typeof some = some;
    for (let wait = FIRST_PAUSE_MS; wanted.length > 0; wait = Math.min(2 * wait, MOST_PAUSE_MS)) {
      const projection = keysOnly ? { ProjectionExpression: "pk, sk" } : {};
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetItemCommand({
          RequestItems: { [table]: { Keys: [...wanted], ConsistentRead: true, ...projection } },
        }),
      );
      found.push(...(Responses?.[table] ?? []));
      wanted = UnprocessedKeys?.[table]?.Keys ?? [];
      if (wanted.length > 0) await pause(wait);
    }
  }
  return found;
}

/** Puts and deletes items, until the table has taken all of them. */
export async function writeRows(
  client: DynamoDBClient,
  table: string,
  requests: readonly WriteRequest[],
): Promise<void> {
  for (const some of inGroups(requests, WRITTEN_AT_ONCE)) {
    let wanted: typeof some = some;
    for (let wait = FIRST_PAUSE_MS; wanted.length > 0; wait = Math.min(2 * wait, MOST_PAUSE_MS)) {
      const { UnprocessedItems } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: [...wanted] } }),
      );
      wanted = UnprocessedItems?.[table] ?? [];
      if (wanted.length > 0) await pause(wait);
    }
  }
}

function* inGroups<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
