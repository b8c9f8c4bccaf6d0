import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { platform } from "../../api/platform.ts";
import { tell, tellFailure } from "../../parts/messages.tsx";
import type { Range } from "./days.ts";

const LIVE_MS = 2_000;

/** @param user  whose figures an admin wants; empty for everybody's, or one's own */
export function useMetrics({ from, to }: Range, user: string) {
  return useQuery({
    queryKey: ["metrics", "days", from, to, user],
    queryFn: () =>
      platform.getMetrics({
        query: { starting_date: from, ending_date: to, ...(user !== "" && { user_id: user }) },
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** How the last computation stands, and a way to begin another. The figures are read again when it has ended. */
export function useRefresh() {
  const client = useQueryClient();
  const status = useQuery({
    queryKey: ["metrics", "status"],
    queryFn: () => platform.getRefreshStatus(),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? LIVE_MS : false),
  });
  const before = useRef<string>(undefined);
  const now = status.data?.status;
  useEffect(() => {
    if (before.current === "running" && now === "completed") {
      void client.invalidateQueries({ queryKey: ["metrics", "days"] });
    }
    before.current = now;
  }, [now, client]);
  const refresh = useMutation({
    mutationFn: () => platform.refreshMetrics({ query: { background: true } }),
    onSuccess: () => {
      tell("The days that are not final are computed again.");
      before.current = "running";
      void client.invalidateQueries({ queryKey: ["metrics", "status"] });
    },
    onError: tellFailure,
  });
  return { status: status.data, refresh };
}
