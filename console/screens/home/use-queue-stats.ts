import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../access/use-me.ts";
import { queueStats } from "../../api/queries.ts";

const EVERY_MS = 10_000;

/** What the queue holds, for admins. */
export function useQueueStats() {
  const may = useMay();
  return useQuery({
    ...queueStats,
    enabled: may("platform:admin"),
    refetchInterval: EVERY_MS,
  });
}
