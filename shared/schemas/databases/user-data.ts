import * as v from "valibot";

/** What is stored of a user and removed by one act, by its kind, in the order in which it is removed. */
export const userDataKinds = [
  "apps",
  "service_accounts",
  "schedules",
  "webhook_endpoints",
  "sessions",
  "memories",
  "learnings",
  "contents",
  "evaluations",
  "datasets",
  "views",
] as const;
export type UserDataKind = (typeof userDataKinds)[number];

const count = v.number();
const counts = v.object({
  /** Connected apps, which are disconnected. */
  apps: count,
  /** Accounts that are not revoked yet, with those that they have minted; they are revoked. */
  service_accounts: count,
  schedules: count,
  webhook_endpoints: count,
  /** With their runs, traces, files, approvals, feedback, and the cases of datasets that were made of them. */
  sessions: count,
  memories: count,
  learnings: count,
  /** Contents of knowledge that the user has added for itself. */
  contents: count,
  evaluations: count,
  datasets: count,
  /** Views of the console that the user has saved. */
  views: count,
});
export type UserDataCounts = v.InferOutput<typeof counts>;

/** How the removal of a user's data stands. Instants are epoch seconds. */
export const UserRemoval = v.object({
  /** `removing` until nothing was found any more, and all that was found is purged. */
  status: v.picklist(["removing", "completed"]),
  requested_at: v.number(),
  /** Who asked for it; null for a credential without a subject. */
  requested_by: v.nullable(v.string()),
  updated_at: v.number(),
  completed_at: v.nullable(v.number()),
  /** What was removed so far, by kind. */
  removed: counts,
});
export type UserRemoval = v.InferOutput<typeof UserRemoval>;

export const UserData = v.object({
  user_id: v.string(),
  /** What a removal would remove now. */
  found: counts,
  /** The current or last removal; null where none was requested within 30 days. */
  removal: v.nullable(UserRemoval),
});
export type UserData = v.InferOutput<typeof UserData>;
