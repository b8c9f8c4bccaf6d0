import { useQuery } from "@tanstack/react-query";
import type { TraceDetail } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import type { Run } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { isLive } from "../../api/use-run.ts";

const LIVE_MS = 2_000;
/** A trace is written a moment after its run has ended. */
const TRACE_TRIES = 4;

/** The trace of a run, or null where there is none: tracing may be off, or the trace expired. */
export function useTrace(run: Run | undefined) {
  const may = useMay();
  const ended = run !== undefined && !isLive(run.status);
  return useQuery({
    queryKey: ["trace", run?.run_id, run?.status],
    enabled: ended && may("traces:read"),
    queryFn: () => traceOf(run?.run_id ?? ""),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function traceOf(run_id: string): Promise<TraceDetail | null> {
  for (let attempt = 1; attempt <= TRACE_TRIES; attempt++) {
    const { data } = await platform.listTraces({ query: { run_id, limit: 1 } });
    const [found] = data;
    if (found) {
      const trace = await platform.getTrace({ path: { trace_id: found.trace_id } });
      return "tree" in trace ? trace : null;
    }
    if (attempt < TRACE_TRIES) await new Promise((resolve) => setTimeout(resolve, 500 * attempt));
  }
  return null;
}

/** The job of a run, for admins; null where the run has none or its job is gone. */
export function useJob({ run_id, session_id, status, created_at }: Run) {
  const may = useMay();
  return useQuery({
    queryKey: ["job", run_id, status],
    enabled: may("platform:admin"),
    // By the list: most runs have no job, and asking for one that is not there is an error.
    queryFn: async () => {
      const { data } = await platform.listJobs({
        query: {
          session_id: [session_id],
          created_after: created_at - 1,
          sort_by: "created_at",
          sort_order: "asc",
        },
      });
      return data.find(({ id }) => id === run_id) ?? null;
    },
    refetchInterval: isLive(status) ? LIVE_MS * 2 : false,
  });
}
