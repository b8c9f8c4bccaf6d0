import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { Operations } from "../../../client/index.ts";
import { type GrowingRows, useGrowingRows } from "../../api/growing-rows.ts";
import { platform } from "../../api/platform.ts";
import { queryClient } from "../../api/query-client.ts";
import { readingOf } from "../../api/reading-of.ts";
import { isLive } from "../../api/use-run.ts";
import { countOf } from "../../parts/amounts.ts";
import { newText } from "../../parts/changes.tsx";
import type { LoadedList } from "../../parts/list/list-view.tsx";
import { exactText } from "../../parts/time.tsx";

type Query = NonNullable<Operations["listRuns"]["input"]["query"]>;
type Answer = Operations["listRuns"]["answer"];
export type RunEntry = Answer["data"][number];
const idOf = ({ run_id }: RunEntry): string => run_id;
export type RunFilter = Omit<Query, "limit" | "cursor">;

const PAGE = 100;
/** Runs that are asked for again and again: enough to see what is new, and cheap. */
const HEAD = 20;
const LIVE_MS = 3_000;
/** Without a live run among the newest nothing changes but by a new one. */
const CALM_MS = 10_000;

/**
 * The runs that a filter lets through, page by page, newest first. What was added since is counted and shown when the
 * reader asks; what changed of those that are shown changes in place.
 */
export function useRunList(filter: RunFilter): LoadedList<RunEntry> & { readonly refresh: () => void } {
  const key = useMemo(() => ["runs", "list", filter] as const, [filter]);
  const pages = useInfiniteQuery({
    queryKey: key,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      platform.listRuns(
        { query: { ...filter, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) } },
        { signal },
      ),
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    // Comparing every page with itself whenever one is added would take longer than showing it.
    structuralSharing: false,
    // The head shows what is new; reading all pages again would make the list jump.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const shown = pages.data;
  const head = useQuery({
    queryKey: ["runs", "head", filter],
    enabled: shown !== undefined,
    queryFn: ({ signal }) => platform.listRuns({ query: { ...filter, limit: HEAD } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => isLive(status)) ? LIVE_MS : CALM_MS,
  });
  const read = useGrowingRows(shown?.pages, idOf);
  const latest = head.data?.data;
  const rows = useMemo(() => updated(read, latest ?? []), [read, latest]);
  const fresh = latest?.filter(({ run_id }) => read.placeOf(run_id) === undefined).length ?? 0;
  const showNew = useCallback(() => {
    queryClient.removeQueries({ queryKey: ["runs", "head", filter] });
    void queryClient.resetQueries({ queryKey: key });
  }, [key, filter]);
  const reading = readingOf(pages);
  const isSearch = isInside(filter);
  return {
    rows,
    reading,
    changes: newText(fresh, HEAD),
    refresh: showNew,
    lookedAt: isSearch && shown ? lookedAtText(shown.pages, reading.hasMore) : undefined,
    asksToGoOn:
      isSearch && reading.hasMore && shown !== undefined && shown.pages.length % PAGES_AT_ONCE === 0,
  };
}

/** Pages of a search that are read before the reader is asked; each looks through 500 runs. */
const PAGES_AT_ONCE = 10;

/** Whether only the runs themselves show what is asked for. */
const isInside = ({ q, tool, error_contains, version, cost_min, duration_min }: RunFilter): boolean =>
  [q, tool, error_contains, version, cost_min, duration_min].some((one) => one !== undefined);

function lookedAtText(pages: readonly Answer[], hasMore: boolean): string {
  const count = pages.reduce((sum, { meta }) => sum + meta.looked_at.runs, 0);
  const back = pages.findLast(({ meta }) => meta.looked_at.back_to !== null)?.meta.looked_at.back_to;
  const runs = countOf(count, "run");
  if (!hasMore || !back) return `Looked through all ${runs} that may match.`;
  return `Looked through ${runs}, back to ${exactText(back)}.`;
}

/** The rows that were read, with those of the head as they are now; the same array where none has changed. */
function updated({ rows, placeOf }: GrowingRows<RunEntry>, latest: readonly RunEntry[]): readonly RunEntry[] {
  const changed = latest.filter((run) => {
    const row = rows[placeOf(run.run_id) ?? -1];
    return row !== undefined && (row.status !== run.status || row.updated_at !== run.updated_at);
  });
  if (changed.length === 0) return rows;
  const next = [...rows];
  for (const run of changed) next[placeOf(run.run_id) ?? next.length] = run;
  return next;
}
