import { sessionStats } from "../../shared/domain/traces/session-stats.ts";
import type { SessionStats } from "../../shared/schemas/traces/trace.ts";
import { type Page, pageMeta } from "../../shared/schemas/values/page.ts";
import { matchingTraces, type TracesQuery } from "../../shared/stores/traces/index.ts";
import type { TracesDeps } from "./traces-deps.ts";

/** One page of sessions with their traces' sums. @param page counted from 1 */
export async function pageOfStats(
  { db, clock }: Pick<TracesDeps, "db" | "clock">,
  criteria: TracesQuery,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<Page<SessionStats>> {
  const startedAt = clock.now();
  const stats = sessionStats(await matchingTraces(db, criteria));
  const data = stats.slice((page - 1) * limit, page * limit);
  return { data, meta: pageMeta(page, limit, stats.length, clock.now() - startedAt) };
}
