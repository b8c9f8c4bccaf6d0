import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type AgentRunRow,
  PlatformError,
  type TeamRunRow,
  type WorkflowRunRow,
} from "../../../client/index.ts";
import { currentToken } from "../../access/credential.ts";
import { send } from "../../api/platform.ts";
import { isLive } from "../../api/use-run.ts";

export type RunRow = AgentRunRow | TeamRunRow | WorkflowRunRow;

type RunsPage = {
  readonly runs: readonly RunRow[];
  /** The oldest run, where there are runs before it. */
  readonly before?: string;
};

const LIVE_MS = 3_000;
const PAGE_RUNS = 50;

/**
 * The runs of a session in their order. One answer has the newest; those before them are asked for by its oldest run. Read
 * again while a run is in progress, and while there is none: the first one is about to begin.
 */
export function useSessionRuns(session_id: string) {
  const query = useInfiniteQuery({
    queryKey: ["sessions", "runs", session_id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => readRuns(session_id, pageParam),
    getNextPageParam: ({ before }) => before,
    refetchInterval: ({ state }) => {
      const newest = state.data?.pages[0]?.runs;
      return newest && (newest.length === 0 || newest.some(({ status }) => isLive(status))) ? LIVE_MS : false;
    },
  });
  const runs = useMemo(() => {
    const pages = query.data?.pages ?? [];
    // A page that is read again while a run is added begins later: the page before it has some of its runs too.
    return [
      ...new Map(pages.toReversed().flatMap((page) => page.runs.map((run) => [run.run_id, run]))).values(),
    ];
  }, [query.data]);
  return { query, runs };
}

/** All of them: a run that has said nothing yet is listed only where its status is asked for. */
const STATUSES = Object.keys({
  PENDING: true,
  RUNNING: true,
  COMPLETED: true,
  PAUSED: true,
  CANCELLED: true,
  ERROR: true,
  REGENERATED: true,
} satisfies Record<RunRow["status"], true>);

/** By hand, because a header of the answer says whether there are runs before. */
async function readRuns(session_id: string, before: string | undefined): Promise<RunsPage> {
  const query = new URLSearchParams([
    ["limit", String(PAGE_RUNS)],
    ...STATUSES.map((status) => ["status", status]),
    ...(before === undefined ? [] : [["before_run_id", before]]),
  ]);
  const response = await send(`/sessions/${encodeURIComponent(session_id)}/runs?${query}`, {
    headers: { authorization: `Bearer ${await currentToken()}` },
  });
  if (!response.ok) throw await PlatformError.of(response);
  const runs = (await response.json()) as readonly RunRow[];
  const earlier = response.headers.get("x-before-run-id");
  return { runs, ...(earlier !== null && { before: earlier }) };
}
