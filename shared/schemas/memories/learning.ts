import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { KeyText } from "../values/key-text.ts";
import { maxChars } from "../values/max-chars.ts";
import { storableObject } from "../values/storable-object.ts";
import { identityErrors } from "./learning-identity.ts";

/** The identity of a learning, which never changes. */
const identity = {
  namespace: v.nullable(v.string()),
  user_id: v.nullable(v.string()),
  agent_id: v.nullable(v.string()),
  team_id: v.nullable(v.string()),
  session_id: v.nullable(v.string()),
  entity_id: v.nullable(v.string()),
  entity_type: v.nullable(v.string()),
};

const JsonObject = v.record(v.string(), v.unknown());

/**
 * Something that agents have learned about a user, a session, an entity or a decision.
 *
 * @source docs/interface/learnings.md 1.1
 */
export const Learning = v.object({
  learning_id: v.string(),
  learning_type: v.string(),
  ...identity,
  content: v.nullable(JsonObject),
  metadata: v.nullable(JsonObject),
  /** Epoch seconds. */
  created_at: v.number(),
  updated_at: v.number(),
});
export type Learning = v.InferOutput<typeof Learning>;

export const LearningUser = v.object({
  user_id: v.string(),
  /** Epoch seconds. */
  last_learning_updated_at: v.nullable(v.number()),
});
export type LearningUser = v.InferOutput<typeof LearningUser>;

/** Missing and null are the same. */
const Named = v.nullish(KeyText);

const Members = v.object({
  learning_type: meaning(v.pipe(KeyText, v.minLength(1)), "What kind of learning it is"),
  content: meaning(storableObject(), "What was learned"),
  namespace: meaning(Named, "Who shares it: user, global, or a name"),
  user_id: meaning(Named, "The user that it is about"),
  agent_id: meaning(Named, "The agent that learned it"),
  team_id: meaning(Named, "The team that learned it"),
  session_id: meaning(v.nullish(v.pipe(v.string(), maxChars(255))), "The session that it is about"),
  entity_id: meaning(Named, "The entity that it is about"),
  entity_type: meaning(Named, "What kind of entity that is"),
  metadata: meaning(v.nullish(storableObject()), "Values that are stored with it"),
});

/** @source docs/interface/learnings.md 2.3, 2.4 */
export const CreateLearningBody = v.pipe(
  Members,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    for (const { field, msg } of identityErrors(input)) {
      addIssue({
        message: msg,
        path: [{ type: "object", origin: "value", input, key: field, value: input[field] }],
      });
    }
  }),
);
export type CreateLearningBody = v.InferOutput<typeof CreateLearningBody>;

/** Members that are left out stay as they are. */
export const UpdateLearningBody = v.object({
  content: meaning(v.exactOptional(storableObject()), "What was learned"),
  metadata: meaning(v.exactOptional(v.nullable(storableObject())), "Values that are stored with it"),
});
export type UpdateLearningBody = v.InferOutput<typeof UpdateLearningBody>;
