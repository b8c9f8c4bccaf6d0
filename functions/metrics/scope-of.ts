import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { METRICS_TABLE, requireDatabase } from "../../shared/domain/databases/database.ts";
import type { MetricsScope } from "../../shared/stores/metrics/index.ts";

type ScopeQuery = {
  readonly user_id?: string | undefined;
  readonly db_id?: string | undefined;
  readonly table?: string | undefined;
};

/**
 * Whose figures a request is about: the caller's own whatever it names, or for an admin those of the user it names, or
 * everybody's.
 *
 * @throws ServiceError NOT_FOUND or BAD_REQUEST for another database
 */
export function scopeOf(principal: Principal, query: ScopeQuery): MetricsScope {
  requireDatabase(query, METRICS_TABLE);
  const caller = callerOf(principal);
  return { user_id: caller.seesAll ? query.user_id : caller.user_id };
}
