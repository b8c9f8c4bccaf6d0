import type { Approvers } from "../../shared/auth/may-approve.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";

export type ApprovalsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly approvers: Approvers;
};
