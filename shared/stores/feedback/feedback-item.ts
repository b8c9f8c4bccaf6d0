import { createHash } from "node:crypto";
import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { Feedback, type FeedbackSummary } from "../../schemas/feedback/feedback.ts";
import { indexKeys, shardedPartition, shardedPartitions } from "../index-keys.ts";
import type { Indexed } from "../listing/listing.ts";

/** Versions of the stored shapes; raised with every change of them. */
export const FEEDBACK_SHAPE = 1;
export const FEEDBACK_SUMMARY_SHAPE = 1;

const { component: _, ...shown } = Feedback.entries;
/** Feedback as it is stored: the component's fields are attributes of the item, so that an index has them. */
export const StoredFeedback = v.object({
  ...shown,
  component_type: v.picklist(["agent", "team", "workflow"]),
  component_id: v.string(),
  component_version: v.optional(v.number()),
  /** How often it was changed by a link. */
  link_changes: v.optional(v.number()),
  /** Raised by every change. */
  revision: v.number(),
});
export type StoredFeedback = v.InferOutput<typeof StoredFeedback>;

/** What makes feedback one and the same. */
export type FeedbackIdentity = Pick<StoredFeedback, "run_id" | "message_id" | "key" | "author">;

const ID_DIGITS = 20;
const digest = (of: unknown): string =>
  createHash("sha256").update(JSON.stringify(of)).digest("hex").slice(0, ID_DIGITS);

export const feedbackIdOf = ({ run_id, message_id, key, author }: FeedbackIdentity): string =>
  `fb_${digest([run_id, message_id ?? null, key, author])}`;

export const runPartition = (run_id: string): string => `run#${run_id}`;
/** No key has a `#`, so the summary has none either. */
export const SUMMARY = "summary";

export const feedbackKey = ({ run_id, message_id = "", key, author }: FeedbackIdentity) => ({
  pk: runPartition(run_id),
  sk: `${key}#${encodeURIComponent(message_id)}#${digest(author)}`,
});
export const summaryKey = (run_id: string) => ({ pk: runPartition(run_id), sk: SUMMARY });

/** What an index carries: what lists filter by. */
export const listedFeedback = [
  "feedback_id",
  "run_id",
  "user_id",
  "component_type",
  "component_id",
  "component_version",
  "key",
  "score",
  "role",
  "source",
  "review_status",
  "created_at",
] as const;
export type FeedbackRow = Pick<StoredFeedback, (typeof listedFeedback)[number]> & {
  readonly opened: string;
  readonly pk: string;
  readonly sk: string;
};

export const indexedFeedback: Indexed<FeedbackRow> = { table: "feedback", plural: "feedback" };

type OfComponent = Pick<StoredFeedback, "component_type" | "component_id">;
const componentPrefix = ({ component_type, component_id }: OfComponent) =>
  `component#${component_type}#${encodeURIComponent(component_id)}` as const;

export const feedbackPartitions = (component: OfComponent) => shardedPartitions(componentPrefix(component));

export const feedbackItem = (feedback: StoredFeedback): Item => ({
  ...feedbackKey(feedback),
  ...feedback,
  ...indexKeys({ ...feedback, id: feedback.feedback_id }),
  component_key: shardedPartition(componentPrefix(feedback), feedback.feedback_id),
  shape: FEEDBACK_SHAPE,
});

/** @throws when the item is not feedback of a shape that this code reads */
export const feedbackFrom = (item: Item): StoredFeedback => v.parse(StoredFeedback, item);

/** Feedback as clients see it. */
export function wireFeedback(stored: StoredFeedback): Feedback {
  const { component_type, component_id, component_version, revision, link_changes, ...feedback } = stored;
  const version = component_version !== undefined && { version: component_version };
  return { ...feedback, component: { type: component_type, id: component_id, ...version } };
}

/** Attributes of a summary: `n#<key>` counts, `s#<key>` sums scores, `c#<key>#<score>` counts those of a score. */
export const FeedbackSums = v.record(v.string(), v.number());

/** The attribute that counts feedback of a key, or that of one score. */
export const countOf = (key: string, score?: number): string =>
  score === undefined ? `n#${key}` : `c#${key}#${score}`;

/** What one more, or one less, adds to its run's summary. @param by  +1 or -1 */
export function summed({ key, score }: Pick<StoredFeedback, "key" | "score">, by: 1 | -1) {
  const scored = score !== undefined && { [`s#${key}`]: by * score, [countOf(key, score)]: by };
  return { [countOf(key)]: by, ...scored };
}

/** The sums of two changes together; what cancels out is left out. */
export function together(...all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [name, by] of all.flatMap(Object.entries)) sums.set(name, (sums.get(name) ?? 0) + by);
  return Object.fromEntries([...sums].filter(([, by]) => by !== 0));
}

/** A summary by key. Keys that are no longer used are left out. */
export function summaryFrom(item: Item | undefined): FeedbackSummary {
  const summary: FeedbackSummary = {};
  for (const [name, count] of Object.entries(item ?? {})) {
    const [kind, key] = name.split("#");
    if (kind !== "n" || key === undefined || typeof count !== "number" || count <= 0) continue;
    const prefix = `c#${key}#`;
    const scores = Object.entries(item ?? {}).filter(([at, of]) => at.startsWith(prefix) && Number(of) > 0);
    summary[key] = {
      count,
      sum: Number(item?.[`s#${key}`] ?? 0),
      scores: Object.fromEntries(scores.map(([at, of]) => [at.slice(prefix.length), Number(of)])),
    };
  }
  return summary;
}
