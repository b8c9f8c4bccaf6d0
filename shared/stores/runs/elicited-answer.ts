import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { putItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";

/** Version of the stored shape; raised with every change of it. */
export const ELICITED_ANSWER_SHAPE = 1;

/** What a person has answered to a client of the MCP server that asked for us. */
export const StoredElicitedAnswer = v.object({ yes: v.boolean(), expires_at: v.number() });

/** Longer than anyone waits for it. */
const LIFE_SECONDS = 900;

const answerKey = (id: string) => ({ pk: `elicited#${id}`, sk: "answer" });

/**
 * Records an answer, which another process waits for; a second answer to the same question replaces it.
 *
 * @param id   says whose answer to which question it is
 * @param now  epoch seconds
 */
export async function recordElicitedAnswer(db: Db, id: string, yes: boolean, now: number): Promise<void> {
  const item = { ...answerKey(id), yes, shape: ELICITED_ANSWER_SHAPE, expires_at: now + LIFE_SECONDS };
  await write(db, putItem("runs", item));
}

/** The answer; undefined where there is none, or where it has expired. @param now epoch seconds */
export async function readElicitedAnswer(db: Db, id: string, now: number): Promise<boolean | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.runs, Key: answerKey(id), ConsistentRead: true }),
  );
  const answer = Item && v.parse(StoredElicitedAnswer, Item);
  return answer && answer.expires_at > now ? answer.yes : undefined;
}
