import { useQuery } from "@tanstack/react-query";
import { type RunPlace, runsOf } from "./kinds.ts";

const LIVE_MS = 2_000;

export const isLive = (status: string | undefined): boolean => status === "PENDING" || status === "RUNNING";

/** A run, read again while it runs. A paused one is read again too: another user may continue it. */
export function useRun({ kind, component, session, run }: RunPlace) {
  return useQuery({
    queryKey: ["run", session, run],
    queryFn: () => runsOf(kind, component).get(run, session),
    refetchInterval: ({ state }) => {
      const status = state.data?.status;
      if (isLive(status)) return LIVE_MS;
      return status === "PAUSED" ? LIVE_MS * 2 : false;
    },
  });
}
