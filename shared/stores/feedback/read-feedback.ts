import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { FeedbackSummary } from "../../schemas/feedback/feedback.ts";
import { type Db, queryPages } from "../db.ts";
import { subjectPartition } from "../outbox/outbox-keys.ts";
import { removePartition } from "../remove-partition.ts";
import {
  type FeedbackIdentity,
  feedbackFrom,
  feedbackKey,
  runPartition,
  type StoredFeedback,
  SUMMARY,
  summaryFrom,
} from "./feedback-item.ts";
import { feedbackSummaries } from "./feedback-summaries.ts";

export async function getFeedback(db: Db, of: FeedbackIdentity): Promise<StoredFeedback | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.feedback, Key: feedbackKey(of), ConsistentRead: true }),
  );
  return Item && feedbackFrom(Item);
}

export type FeedbackOfRun = {
  /** The oldest first. */
  readonly feedback: StoredFeedback[];
  readonly summary: FeedbackSummary;
};

/** All that was said about a run. */
export async function feedbackOfRun(db: Db, run_id: string): Promise<FeedbackOfRun> {
  const pages = queryPages(db, {
    TableName: db.tables.feedback,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": runPartition(run_id) },
    ConsistentRead: true,
  });
  const feedback: StoredFeedback[] = [];
  let summary: FeedbackSummary = {};
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      if (item.sk === SUMMARY) summary = summaryFrom(item);
      else feedback.push(feedbackFrom(item));
    }
  }
  return { feedback: feedback.sort((a, b) => a.created_at - b.created_at), summary };
}

/** What was said about runs in words, by run. Runs without feedback cost the read of a key. */
export async function commentsOn(
  db: Db,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const judged = await feedbackSummaries(db, runIds);
  const ofRuns = [...judged.keys()].map(async (id) => {
    const { feedback } = await feedbackOfRun(db, id);
    const texts = feedback.flatMap(({ value, comment, correction }) => [value, comment, correction]);
    return [id, texts.filter((text) => text !== undefined)] as const;
  });
  return new Map(await Promise.all(ofRuns));
}

/** Removes all that was said about a run, with its sums and its events. May be called again for the same run. */
export async function removeFeedbackOfRun(db: Db, run_id: string): Promise<void> {
  const { feedback } = await feedbackOfRun(db, run_id);
  // The records last: by them the events are found.
  for (const { feedback_id } of feedback) {
    await removePartition(db, "outbox", subjectPartition({ kind: "feedback", id: feedback_id }));
  }
  await removePartition(db, "feedback", runPartition(run_id));
}
