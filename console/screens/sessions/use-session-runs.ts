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
  /** Epoch seconds; the runs up to then are on the page before. */
  readonly before?: number;
};

const LIVE_MS = 3_000;

/** The runs of a session in their order. One answer has the newest; those before them are asked for by their time. */
export function useSessionRuns(session_id: string) {
  const query = useInfiniteQuery({
    queryKey: ["sessions", "runs", session_id],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam }) => readRuns(session_id, pageParam),
    getNextPageParam: ({ before }) => before,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.runs.some(isLive) ? LIVE_MS : false),
  });
  const runs = useMemo(() => {
    const pages = query.data?.pages ?? [];
    // The bound is inclusive: a run at it is on both pages.
    return [
      ...new Map(pages.toReversed().flatMap((page) => page.runs.map((run) => [run.run_id, run]))).values(),
    ];
  }, [query.data]);
  return { query, runs };
}

const isLive = ({ status }: RunRow): boolean => status === "PENDING" || status === "RUNNING";

/** By hand, because a header of the answer says whether there are runs before. */
async function readRuns(session_id: string, before: number | undefined): Promise<RunsPage> {
  const bound = before === undefined ? "" : `?created_before=${before}`;
  const response = await send(`/sessions/${encodeURIComponent(session_id)}/runs${bound}`, {
    headers: { authorization: `Bearer ${await currentToken()}` },
  });
  // A session whose first run has said nothing yet has no runs to show.
  if (response.status === 404) return { runs: [] };
  if (!response.ok) throw await PlatformError.of(response);
  const runs = (await response.json()) as readonly RunRow[];
  const earlier = Number(response.headers.get("x-created-before"));
  const isFurther = earlier > 0 && (before === undefined || earlier < before);
  return { runs, ...(isFurther && { before: earlier }) };
}
