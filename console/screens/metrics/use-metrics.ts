import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Operations } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { refreshStatus } from "../../api/queries.ts";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import type { Range } from "./days.ts";

const LIVE_MS = 2_000;

type Status = Operations["getRefreshStatus"]["answer"];

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
    ...refreshStatus,
    refetchInterval: ({ state }) => (state.data?.status === "running" ? LIVE_MS : false),
  });
  // A short computation is over before it was seen running: the time of its end shows it.
  const finished = status.data?.finished_at;
  const seen = useRef<string | null>(undefined);
  useEffect(() => {
    if (finished === undefined) return;
    if (seen.current !== undefined && finished !== null && finished !== seen.current) {
      void client.invalidateQueries({ queryKey: ["metrics", "days"] });
      void client.invalidateQueries({ queryKey: ["metrics", "breakdown"] });
    }
    seen.current = finished;
  }, [finished, client]);
  const refresh = useMutation({
    mutationFn: () => platform.refreshMetrics({ query: { background: true } }),
    onSuccess: () => {
      notify("The days that are not final are computed again.");
      // It is looked at from now on, also where it has not begun yet.
      client.setQueryData<Status>(refreshStatus.queryKey, (old) => old && { ...old, status: "running" });
    },
    onError: notifyFailure,
  });
  return { status: status.data, refresh };
}
