import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";

/** Enough to say that there are many. */
const LOOKED_AT = 50;
const EVERY_MS = 60_000;

/** How many runs; more than that where a page has not all. */
export type BadVerdicts = { readonly runs?: number; readonly isMore?: boolean };

/** Runs that were called bad, and whose verdict was not reviewed yet. */
export function useBadVerdicts() {
  const may = useMay();
  return useQuery({
    queryKey: ["bad-verdicts"],
    enabled: may("feedback:read"),
    queryFn: async () => {
      const query = { key: "thumb", score_max: 0, review_status: "new", limit: LOOKED_AT } as const;
      const { data, next_cursor } = await platform.listFeedback({ query });
      return { runs: new Set(data.map(({ run_id }) => run_id)).size, isMore: next_cursor !== null };
    },
    refetchInterval: EVERY_MS,
  });
}
