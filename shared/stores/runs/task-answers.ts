import * as v from "valibot";
import { putItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";

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
const ANSWER = "answer#";

const partition = (task: string): string => `answers#${task}`;

/** Keeps an answer; a second one to the same question replaces it. @param now epoch seconds */
export async function recordTaskAnswer(db: Db, task: string, answer: Answer, now: number): Promise<void> {
  const key = { pk: partition(task), sk: `${ANSWER}${answer.id}` };
  await write(
    db,
    putItem("runs", { ...key, ...answer, shape: TASK_ANSWER_SHAPE, expires_at: now + LIFE_SECONDS }),
  );
}

/** The answers that were given so far. @param now epoch seconds */
export async function readTaskAnswers(db: Db, task: string, now: number): Promise<Answer[]> {
  const pages = queryPages(db, {
    TableName: db.tables.runs,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :answer)",
    ExpressionAttributeValues: { ":pk": partition(task), ":answer": ANSWER },
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
