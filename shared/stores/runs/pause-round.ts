import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { putItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";

/** Version of the stored shape; raised with every change of it. */
export const PAUSE_ROUND_SHAPE = 1;

/** That a client of the MCP server was asked for what a run waits for. Its key says who was asked, in which call. */
export const StoredPauseRound = v.object({ expires_at: v.number() });

/** A person may answer on the next day. */
const LIFE_SECONDS = 86_400;

const roundKey = (id: string) => ({ pk: `asked#${id}`, sk: "round" });

/** @param now epoch seconds */
export async function recordPauseRound(db: Db, id: string, now: number): Promise<void> {
  const item = { ...roundKey(id), shape: PAUSE_ROUND_SHAPE, expires_at: now + LIFE_SECONDS };
  await write(db, putItem("runs", item));
}

/** Whether this was asked, and may be answered still. @param now epoch seconds */
export async function isPauseRoundOpen(db: Db, id: string, now: number): Promise<boolean> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.runs, Key: roundKey(id), ConsistentRead: true }),
  );
  return Item !== undefined && v.parse(StoredPauseRound, Item).expires_at > now;
}
