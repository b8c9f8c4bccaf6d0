/** What a learning is about, as it is sent; missing, null and empty text are the same. */
export type LearningIdentity = {
  readonly learning_type: string;
  readonly namespace?: string | null | undefined;
  readonly user_id?: string | null | undefined;
  readonly session_id?: string | null | undefined;
  readonly entity_id?: string | null | undefined;
  readonly entity_type?: string | null | undefined;
};

type Field = Exclude<keyof LearningIdentity, "learning_type">;

/** The form that the namespace `user` takes within ids. */
const RESERVED = /^user_[0-9a-f]{16}(_|$)/;

/**
 * Validates the members that a learning's type requires.
 *
 * @source docs/interface/learnings.md 2.4
 */
export function identityErrors(identity: LearningIdentity): { field: Field; msg: string }[] {
  const { learning_type, namespace } = identity;
  const missing = requiredFields(identity).filter((field) => !identity[field]);
  const errors = missing.map((field) => ({ field, msg: `${learning_type} needs ${field}` }));
  return learning_type === "entity_memory" && RESERVED.test(namespace ?? "")
    ? [...errors, { field: "namespace", msg: "this form of namespace is reserved" }]
    : errors;
}

function requiredFields({ learning_type, namespace }: LearningIdentity): Field[] {
  switch (learning_type) {
    case "user_profile":
    case "user_memory":
      return ["user_id"];
    case "session_context":
      return ["session_id"];
    case "entity_memory":
      return ["entity_id", "entity_type", ...(namespace === "user" ? (["user_id"] as const) : [])];
    default:
      return [];
  }
}
