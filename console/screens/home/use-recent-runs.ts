import { useQuery } from "@tanstack/react-query";
import type { Operations } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { queryClient } from "../../api/query-client.ts";
import { spans } from "../../api/use-filters.ts";

export type RunEntry = Operations["listRuns"]["answer"]["data"][number];
export type Span = "1h" | "24h";

export type Recent = {
  /** The newest first. */
  readonly runs: readonly RunEntry[];
  /** Whether these are all of the span; else there are older ones that were not read. */
  readonly isWhole: boolean;
};

const PAGE = 100;
/** More would make opening the page costly; what is left out is said. */
const MOST_PAGES = 5;
/** Runs that are asked for again and again. */
const HEAD = 20;
const HEAD_MS = 10_000;
/** After this all are read again: a run that is no longer at the head may have ended. */
const WHOLE_MS = 300_000;

const keyOf = (span: Span) => ["runs", "recent", span] as const;
const startOf = (span: Span): number => Math.floor(Date.now() / 1000) - (spans[span] ?? 0);

/** The runs of the last hour or day that the reader may see, kept up to date by asking for the newest. */
export function useRecentRuns(span: Span, enabled: boolean) {
  const whole = useQuery({
    queryKey: keyOf(span),
    enabled,
    queryFn: ({ signal }) => readRecent(span, signal),
    staleTime: WHOLE_MS,
    refetchInterval: WHOLE_MS,
  });
  useQuery({
    queryKey: ["runs", "recent-head", span],
    enabled: enabled && whole.data !== undefined,
    refetchInterval: HEAD_MS,
    queryFn: ({ signal }) => readHead(span, signal),
  });
  return whole;
}

async function readRecent(span: Span, signal: AbortSignal): Promise<Recent> {
  const created_after = startOf(span);
  const runs: RunEntry[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = { created_after, limit: PAGE, ...(cursor !== null && { cursor }) };
    const { data, meta } = await platform.listRuns({ query }, { signal });
    runs.push(...data);
    cursor = meta.next_cursor;
    if (cursor === null) return { runs, isWhole: true };
  }
  return { runs, isWhole: false };
}

async function readHead(span: Span, signal: AbortSignal): Promise<number> {
  const { data } = await platform.listRuns(
    { query: { created_after: startOf(span), limit: HEAD } },
    { signal },
  );
  const before = queryClient.getQueryData<Recent>(keyOf(span));
  const known = new Set(before?.runs.map(({ run_id }) => run_id));
  // More than the head shows may be new then.
  if (data.length === HEAD && !data.some(({ run_id }) => known.has(run_id))) {
    void queryClient.invalidateQueries({ queryKey: keyOf(span) });
  } else {
    const head = new Set(data.map(({ run_id }) => run_id));
    queryClient.setQueryData<Recent>(
      keyOf(span),
      (kept) => kept && { ...kept, runs: [...data, ...kept.runs.filter(({ run_id }) => !head.has(run_id))] },
      // Only a whole read makes it new again.
      { updatedAt: queryClient.getQueryState(keyOf(span))?.dataUpdatedAt ?? 0 },
    );
  }
  return data.length;
}
