import { createHash } from "node:crypto";
import * as v from "valibot";
import { Learning } from "../../schemas/memories/learning.ts";
import type { LearningIdentity } from "../../schemas/memories/learning-identity.ts";
import type { OwnedKind, OwnedRow } from "./owned.ts";

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

/** A learning as clients see it. */
export const wireLearning = ({ changed_at_ms, ...learning }: StoredLearning): Learning => ({
  ...learning,
  updated_at: Math.floor(changed_at_ms / 1000),
});

export const GLOBAL_NAMESPACE = "global";

/**
 * The id of a learning of a type that has one record per subject, so that the interface and the agents use the same
 * record.
 *
 * @param identity  valid, see `identityErrors`
 * @returns         undefined for a type with many records
 * @source          docs/interface/learnings.md 2.4
 */
export function learningIdOf(identity: LearningIdentity): string | undefined {
  const { learning_type, user_id, session_id, entity_id, entity_type } = identity;
  switch (learning_type) {
    case "user_profile":
      return `user_profile_${user_id}`;
    case "user_memory":
      return `memories_${user_id}`;
    case "session_context":
      return `session_context_${session_id}`;
    case "entity_memory":
      return `entity_${namespaceInId(identity)}_${entity_type}_${entity_id}`;
    default:
      return undefined;
  }
}

/** The namespace `user` is a different one for each user. */
function namespaceInId({ namespace, user_id }: LearningIdentity): string {
  if (namespace !== "user") return namespace || GLOBAL_NAMESPACE;
  const digest = createHash("sha256")
    .update(user_id ?? "")
    .digest("hex");
  return `user_${digest.slice(0, 16)}`;
}
