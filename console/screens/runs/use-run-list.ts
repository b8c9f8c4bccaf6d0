import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { Operations } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { queryClient } from "../../api/query-client.ts";

type Query = NonNullable<Operations["listRuns"]["input"]["query"]>;
type Answer = Operations["listRuns"]["answer"];
export type RunEntry = Answer["data"][number];
export type RunFilter = Omit<Query, "limit" | "cursor">;

const PAGE = 50;
/** Runs that are asked for again and again: enough to see what is new, and cheap. */
const HEAD = 20;
const EVERY_MS = 3_000;

/**
 * The runs that a filter lets through, page by page, newest first. What was added since is counted and shown when the
 * reader asks; what changed of those that are shown changes in place.
 */
export function useRunList(filter: RunFilter) {
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
    // The head tells what is new; reading all pages again would make the list jump.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const shown = pages.data;
  const head = useQuery({
    queryKey: ["runs", "head", filter],
    enabled: shown !== undefined,
    refetchInterval: EVERY_MS,
    queryFn: ({ signal }) => platform.listRuns({ query: { ...filter, limit: HEAD } }, { signal }),
  });
  const { rows, fresh } = useMemo(() => merged(shown, head.data), [shown, head.data]);
  const showNew = useCallback(() => {
    queryClient.removeQueries({ queryKey: ["runs", "head", filter] });
    void queryClient.resetQueries({ queryKey: key });
  }, [key, filter]);
  return { pages, rows, fresh, showNew };
}

/** The pages' rows as they are now, and how many runs at the head are on no page. */
function merged(
  shown: InfiniteData<Answer> | undefined,
  head: Answer | undefined,
): { readonly rows: readonly RunEntry[]; readonly fresh: number } {
  const rows = shown?.pages.flatMap(({ data }) => data) ?? [];
  if (!head) return { rows, fresh: 0 };
  const now = new Map(head.data.map((run) => [run.run_id, run]));
  const updated = rows.map((row) => now.get(row.run_id) ?? row);
  const known = new Set(rows.map(({ run_id }) => run_id));
  return { rows: updated, fresh: head.data.filter(({ run_id }) => !known.has(run_id)).length };
}

/** As the button says it: the head may hold no more than it does. */
export const freshText = (fresh: number): string => (fresh >= HEAD ? `${HEAD}+ new` : `${fresh} new`);
