import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { FeedbackSummary } from "../../schemas/feedback/feedback.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import {
  type FeedbackIdentity,
  feedbackFrom,
  feedbackKey,
  runPartition,
  type StoredFeedback,
  SUMMARY,
  summaryFrom,
} from "./feedback-item.ts";

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
