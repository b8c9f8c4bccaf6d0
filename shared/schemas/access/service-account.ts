import * as v from "valibot";
import { meaning, nullFor } from "../values/described-as.ts";
import { fault } from "../values/fields.ts";
import { maxChars } from "../values/max-chars.ts";

/** A parsed scope, as lists show it. @source docs/interface/service-accounts.md 1.2 */
export const ScopeRead = v.object({
  id: nullFor({ type: "string" }),
  raw: v.string(),
  namespace: v.string(),
  sub_namespace: v.nullable(v.string()),
  permission: v.string(),
  value: v.literal("allow"),
});
export type ScopeRead = v.InferOutput<typeof ScopeRead>;

/** A service account on the wire. */
export const ServiceAccount = v.object({
  id: v.string(),
  name: v.string(),
  /** The principal of requests with its token: `sa:` and the name. */
  principal: v.string(),
  /** Who minted it; null for one without an owner. */
  user_id: v.nullable(v.string()),
  token_prefix: v.string(),
  scopes: v.array(ScopeRead),
  created_at: v.number(),
  expires_at: v.nullable(v.number()),
  last_used_at: v.nullable(v.number()),
  revoked_at: v.nullable(v.number()),
  created_by: v.nullable(v.string()),
  /** Shown where it has limits of its own: tokens and dollars that its runs may spend in a day. */
  daily_tokens: v.optional(v.number()),
  daily_cost: v.optional(v.number()),
});
export type ServiceAccount = v.InferOutput<typeof ServiceAccount>;

/** The one answer that shows the token. */
export const MintedServiceAccount = v.object({ ...ServiceAccount.entries, token: v.string() });
export type MintedServiceAccount = v.InferOutput<typeof MintedServiceAccount>;

/** Scopes of a token if the request names none. */
const defaultScopes = ["agents:run", "teams:run", "workflows:run", "sessions:read", "config:read"] as const;

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** `resource:action`, or with an id between. */
const SCOPE = "^[^\\s:]+(:[^\\s:]+){1,2}$";

const ScopeGrant = v.object({
  scope: meaning(
    v.pipe(
      v.string(),
      maxChars(256),
      // What is none is refused with all others of its kind, in one answer.
      v.metadata({ jsonSchema: (converted: object) => ({ ...converted, pattern: SCOPE }) }),
    ),
    "resource:action, or resource:id:action for one agent, team or workflow",
  ),
  effect: meaning(v.optional(v.literal("allow"), "allow"), "What it does; there is nothing but allow"),
});

/** Unknown fields are ignored. */
export const MintServiceAccountBody = v.object({
  name: meaning(
    v.pipe(
      v.string(),
      v.check(
        (name) => NAME.test(name),
        fault("string_pattern_mismatch", `String should match pattern '${NAME.source}'`),
      ),
      v.metadata({ jsonSchema: { type: "string", pattern: NAME.source } }),
    ),
    "What it is called; its requests are made by sa: and this name",
  ),
  scopes: meaning(
    v.optional(
      v.pipe(v.array(ScopeGrant), v.maxLength(100)),
      defaultScopes.map((scope) => ({ scope, effect: "allow" as const })),
    ),
    "What its token may do; to run and to read sessions and the configuration unless they are given",
  ),
  expires_in_days: meaning(
    v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3650))), null),
    "Days until its token expires",
  ),
  never_expires: meaning(v.optional(v.boolean(), false), "Whether its token has no end"),
  /** What its runs may spend in a day, in tokens and in dollars. They spend from the owner's budget in any case. */
  daily_tokens: meaning(
    v.optional(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER))),
    ),
    "Tokens that its runs may spend in a day",
  ),
  /** Dollars. Smaller numbers buy nothing, and the smallest of all cannot be stored. */
  daily_cost: meaning(
    v.optional(v.nullable(v.pipe(v.number(), v.minValue(0.000001), v.maxValue(1_000_000_000)))),
    "Dollars that its runs may spend in a day",
  ),
  allow_privileged_scopes: meaning(
    v.optional(v.boolean(), false),
    "Confirms scopes with which it may mint, revoke or do everything",
  ),
});
export type MintServiceAccountBody = v.InferOutput<typeof MintServiceAccountBody>;

export const serviceAccountSortFields = ["created_at", "name", "last_used_at", "expires_at"] as const;
export type ServiceAccountSortField = (typeof serviceAccountSortFields)[number];

/** The answer where an account was revoked that had minted others: those, at every level. */
export const AlsoRevoked = v.object({
  also_revoked: v.array(v.object({ id: v.string(), name: v.string() })),
});
