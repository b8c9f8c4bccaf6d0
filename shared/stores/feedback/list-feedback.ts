import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { allPartitions, ownerPartition, type Partition } from "../index-keys.ts";
import { mergedRows } from "../listing/listed-rows.ts";
import { type OpenedBounds, openedRange } from "../listing/opened-range.ts";
import {
  type FeedbackRow,
  feedbackFrom,
  feedbackPartitions,
  indexedFeedback,
  type StoredFeedback,
} from "./feedback-item.ts";

export type FeedbackQuery = OpenedBounds & {
  /** On whose runs; undefined for everybody's. */
  readonly owner: string | undefined;
  readonly component_type?: StoredFeedback["component_type"] | undefined;
  readonly component_id?: string | undefined;
  readonly component_version?: number | undefined;
  readonly key?: string | undefined;
  readonly score_min?: number | undefined;
  readonly score_max?: number | undefined;
  readonly role?: string | undefined;
  readonly source?: string | undefined;
  readonly review_status?: string | undefined;
  readonly limit: number;
};

export type FeedbackPage = {
  /** The newest first. */
  readonly feedback: StoredFeedback[];
  /** After which the next page begins; undefined when there is no more. */
  readonly next_place: string | undefined;
};

/** Most index rows that one page looks at: it may have less feedback than was asked for. */
const PAGE_DEPTH = 2_000;
const ROWS_PER_QUERY = 250;

/** One page of the feedback on all runs. */
export async function listFeedback(db: Db, query: FeedbackQuery): Promise<FeedbackPage> {
  const range = openedRange(query);
  if (!range) return { feedback: [], next_place: undefined };
  const rows: FeedbackRow[] = [];
  let next_place: string | undefined;
  let last: string | undefined;
  let seen = 0;
  const perQuery = Math.min(query.limit + 1, ROWS_PER_QUERY);
  const all = mergedRows(db, indexedFeedback, partitionsOf(query), { ...range, perQuery, forward: false });
  for await (const row of all) {
    // The range includes the place where the page before ended.
    if (row.opened === query.after_place) continue;
    if (rows.length >= query.limit || seen >= PAGE_DEPTH) {
      next_place = last;
      break;
    }
    seen += 1;
    last = row.opened;
    if (passes(row, query)) rows.push(row);
  }
  return { feedback: await read(db, rows), next_place };
}

async function read(db: Db, rows: readonly FeedbackRow[]): Promise<StoredFeedback[]> {
  const keys = rows.map(({ pk, sk }) => ({ pk, sk }));
  const items = await batchGet(db, db.tables.feedback, keys);
  const byId = new Map(items.map((item) => [String(item.feedback_id), feedbackFrom(item)]));
  // What was removed since then is in the index for a moment more.
  return rows.flatMap(({ feedback_id }) => byId.get(feedback_id) ?? []);
}

const kinds = ["agent", "team", "workflow"] as const;

function partitionsOf({ owner, component_id, component_type }: FeedbackQuery): Partition[] {
  if (owner !== undefined) return [ownerPartition(owner)];
  if (component_id === undefined) return allPartitions();
  const types = component_type === undefined ? kinds : [component_type];
  return types.flatMap((type) => feedbackPartitions({ component_type: type, component_id }));
}

const compared = [
  "component_type",
  "component_id",
  "component_version",
  "key",
  "role",
  "source",
  "review_status",
] as const;

function passes(row: FeedbackRow, query: FeedbackQuery): boolean {
  const { score_min, score_max } = query;
  if (!compared.every((name) => query[name] === undefined || query[name] === row[name])) return false;
  if (score_min === undefined && score_max === undefined) return true;
  const { score } = row;
  return score !== undefined && score >= (score_min ?? score) && score <= (score_max ?? score);
}
