import * as v from "valibot";
import { Learning } from "../../schemas/memories/learning.ts";
import type { OwnedKind, OwnedRow } from "../owned/owned.ts";

/** Version of the stored shape; raised with every change of it. */
export const LEARNING_SHAPE = 1;

/** A learning as it is stored. */
export const StoredLearning = v.object({
  ...v.omit(Learning, ["updated_at"]).entries,
  changed_at_ms: v.number(),
});
export type StoredLearning = v.InferOutput<typeof StoredLearning>;

/** What an index carries of a learning: all fields that lists filter and sort by. */
export type LearningRow = OwnedRow & Omit<StoredLearning, "content" | "metadata">;

export const learningKind: OwnedKind<StoredLearning, LearningRow> = {
  listing: { table: "learnings", plural: "learnings", sorted_by: "updated_at" },
  idOf: ({ learning_id }) => learning_id,
  read: (item) => v.parse(StoredLearning, item),
  shape: LEARNING_SHAPE,
};
