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

export type RunRow = AgentRunRow | TeamRunRow | WorkflowRunRow;

type RunsPage = {
  readonly runs: readonly RunRow[];
  /** The oldest run, where there are runs before it. */
  readonly before?: string;
};

const LIVE_MS = 3_000;
const PAGE_RUNS = 50;

/** The runs of a session in their order. One answer has the newest; those before them are asked for by its oldest run. */
export function useSessionRuns(session_id: string) {
  const query = useInfiniteQuery({
    queryKey: ["sessions", "runs", session_id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => readRuns(session_id, pageParam),
    getNextPageParam: ({ before }) => before,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.runs.some(isLive) ? LIVE_MS : false),
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

const isLive = ({ status }: RunRow): boolean => status === "PENDING" || status === "RUNNING";

/** By hand, because a header of the answer says whether there are runs before. */
async function readRuns(session_id: string, before: string | undefined): Promise<RunsPage> {
  const bound = before === undefined ? "" : `&before_run_id=${encodeURIComponent(before)}`;
  const response = await send(`/sessions/${encodeURIComponent(session_id)}/runs?limit=${PAGE_RUNS}${bound}`, {
    headers: { authorization: `Bearer ${await currentToken()}` },
  });
  // A session whose first run has said nothing yet has no runs to show.
  if (response.status === 404) return { runs: [] };
  if (!response.ok) throw await PlatformError.of(response);
  const runs = (await response.json()) as readonly RunRow[];
  const earlier = response.headers.get("x-before-run-id");
  return { runs, ...(earlier !== null && { before: earlier }) };
}
