import * as v from "valibot";
import { deleteItem, putItem, write } from "../../data/index.ts";
import { type Db, queryPages } from "../db.ts";
import { eventsKey } from "./run-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const TASK_ANSWER_SHAPE = 1;

/** The answer to one of several questions that a run waits for, which a client of the MCP server has given before the others. */
export const StoredTaskAnswer = v.object({
  id: v.string(),
  answer: v.optional(v.unknown()),
  refuse: v.boolean(),
  expires_at: v.number(),
});
type Answer = Pick<v.InferOutput<typeof StoredTaskAnswer>, "id" | "answer" | "refuse">;

/** A person may answer the rest on the next day. */
const LIFE_SECONDS = 86_400;

/** In the run's own partition, with which it is removed. */
const answersKey = (runId: string, by: string) => ({ pk: eventsKey(runId), prefix: `answer#${by}#` });

/**
 * Keeps an answer; a second one to the same question replaces it.
 *
 * @param by   says whose answer it is
 * @param now  epoch seconds
 */
export async function recordTaskAnswer(
  db: Db,
  runId: string,
  by: string,
  answer: Answer,
  now: number,
): Promise<void> {
  const { pk, prefix } = answersKey(runId, by);
  const key = { pk, sk: `${prefix}${answer.id}` };
  await write(
    db,
    putItem("runs", { ...key, ...answer, shape: TASK_ANSWER_SHAPE, expires_at: now + LIFE_SECONDS }),
  );
}

/** Forgets an answer, whose question is asked again. @param by says whose answer it is */
export async function removeTaskAnswer(db: Db, runId: string, by: string, id: string): Promise<void> {
  const { pk, prefix } = answersKey(runId, by);
  await write(db, deleteItem("runs", { pk, sk: `${prefix}${id}` }));
}

/** The answers that one caller has given so far. @param now epoch seconds */
export async function readTaskAnswers(db: Db, runId: string, by: string, now: number): Promise<Answer[]> {
  const { pk, prefix } = answersKey(runId, by);
  const pages = queryPages(db, {
    TableName: db.tables.runs,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :answer)",
    ExpressionAttributeValues: { ":pk": pk, ":answer": prefix },
    ConsistentRead: true,
  });
  const answers: Answer[] = [];
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const { id, answer, refuse, expires_at } = v.parse(StoredTaskAnswer, item);
      if (expires_at > now) answers.push({ id, answer, refuse });
    }
  }
  return answers;
}
