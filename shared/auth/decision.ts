import * as v from "valibot";

const PrincipalShape = v.object({
  kind: v.picklist(["user", "service_account", "internal", "anonymous"]),
  user_id: v.nullable(v.string()),
  scopes: v.pipe(v.array(v.string()), v.readonly()),
  admin: v.boolean(),
  app: v.optional(v.string()),
});

const refused = {
  operation: v.nullable(v.string()),
  /** May be read by the caller. */
  detail: v.string(),
};

/**
 * What the authorizer decided about one request. It names the operation, so that the pipeline can refuse a decision
 * that was made for another one. `operation` is null for an unknown path or method.
 * `unavailable`: keys or accounts could not be read. `throttled`: too many requests or failures.
 */
export const Decision = v.variant("outcome", [
  v.object({
    outcome: v.literal("allow"),
    operation: v.nullable(v.string()),
    principal: PrincipalShape,
  }),
  v.object({ ...refused, outcome: v.picklist(["unauthenticated", "unavailable"]) }),
  v.object({ ...refused, outcome: v.literal("forbidden"), user_id: v.optional(v.nullable(v.string())) }),
  v.object({ ...refused, outcome: v.literal("throttled"), retry_after_seconds: v.number() }),
]);
export type Decision = v.InferOutput<typeof Decision>;

/** Reads a decision from the text in which it travels; undefined for anything that is not one. */
export function parseDecision(text: unknown): Decision | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const parsed = v.safeParse(Decision, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
