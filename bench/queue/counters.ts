import { setTimeout as pause } from "node:timers/promises";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Item } from "../../shared/data/item.ts";
import { transact } from "../../shared/data/write.ts";
import { putItem } from "../../shared/data/writes.ts";
import type { Db } from "../../shared/stores/db.ts";
import { countEnded, countJobs } from "../../shared/stores/jobs/counters.ts";
import type { Row } from "../figures.ts";

const PER_SECOND = 1_000;
const SECONDS = 20;
const LATENCY_MS = 25;
const EXPIRES = 2_000_000_000;

/**
 * Ends jobs at a steady rate against a table that answers late and refuses a transaction on an item that another one
 * holds, as DynamoDB does, with the product's own transactions: how many endings are lost, and whether the totals are
 * exact.
 */
export async function measureCounters(): Promise<Row[]> {
  const table = slowTable();
  const db = { client: { send: table.send }, tables: { jobs: "jobs" }, jobIndexShards: 4 } as unknown as Db; // all that counting uses
  const endings: Promise<boolean>[] = [];
  const startedAt = performance.now();
  for (let ended = 0; ended < PER_SECOND * SECONDS; ) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * PER_SECOND);
    for (; ended < due; ended += 1) endings.push(end(db, `job-${ended.toString(16).padStart(6, "0")}`));
    await pause(1);
  }
  const written = (await Promise.all(endings)).filter(Boolean).length;
  const { completed } = await countJobs(db, ["completed"], 0);
  return [
    {
      what: `endings lost of ${endings.length}, ${PER_SECOND}/s at ${LATENCY_MS} ms`,
      figure: `${endings.length - written}`,
      goal: "0",
    },
    { what: "counted as completed", figure: `${completed}`, goal: `${written}` },
    { what: "transactions for each ending", figure: (table.transactions() / endings.length).toFixed(2) },
    { what: "changes left for the sweeper", figure: `${table.count("uncounted")}` },
  ];
}

async function end(db: Db, id: string): Promise<boolean> {
  const job = putItem("jobs", { pk: `job#${id}`, sk: "job" });
  try {
    const { written } = await transact(db, (tryNumber) => ({
      job,
      counter: countEnded({ db, id, tryNumber }, "completed", EXPIRES),
    }));
    return written;
  } catch {
    return false;
  }
}

/** An entry of a transaction, as it is sent. */
type Entry = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** As much of DynamoDB as counting uses: items, transactions that hold their items, and their latency. */
function slowTable() {
  const items = new Map<string, Item>();
  const held = new Set<string>();
  let transactions = 0;
  const transactWrite = async (writes: readonly Entry[]) => {
    transactions += 1;
    const keys = writes.map(keyOf);
    const conflicts = keys.map((key) => held.has(key));
    if (conflicts.includes(true)) {
      await pause(LATENCY_MS);
      throw new TransactionCanceledException({
        message: "conflict",
        $metadata: {},
        CancellationReasons: conflicts.map((conflict) => ({
          Code: conflict ? "TransactionConflict" : "None",
        })),
      });
    }
    for (const key of keys) held.add(key);
    await pause(LATENCY_MS);
    for (const write of writes) apply(write);
    for (const key of keys) held.delete(key);
    return {};
  };
  const apply = (write: Entry) => {
    const key = keyOf(write);
    if (write.Put) return items.set(key, write.Put.Item ?? {});
    const { Key, ExpressionAttributeValues: values = {} } = write.Update ?? {};
    const before = items.get(key) ?? {};
    const completed = Number(before.completed ?? 0) + Number(values[":completed"] ?? 0);
    return items.set(key, { ...Key, ...before, completed, expires_at: values[":expires_at"] });
  };
  const partition = (pk: string): Item[] => [...items.values()].filter((item) => item.pk === pk);
  return {
    send: async ({ input }: { input: { TransactItems?: Entry[]; ExpressionAttributeValues?: Item } }) =>
      input.TransactItems
        ? transactWrite(input.TransactItems)
        : { Items: partition(String(input.ExpressionAttributeValues?.[":pk"])) },
    transactions: () => transactions,
    count: (pk: string) => partition(pk).length,
  };
}

const keyOf = ({ Put, Update }: Entry): string => {
  const { pk, sk } = Put?.Item ?? Update?.Key ?? {};
  return `${pk} ${sk}`;
};
