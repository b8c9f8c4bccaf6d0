import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";

const EVERY_MS = 10_000;

/** What the queue holds, for admins. */
export function useQueueStats() {
  const may = useMay();
  return useQuery({
    queryKey: ["queue", "stats"],
    enabled: may("platform:admin"),
    queryFn: () => platform.getQueueStats(),
    refetchInterval: EVERY_MS,
  });
}
