import { useQuery } from "@tanstack/react-query";
import { useMay, useMe } from "../access/use-me.ts";
import { platform } from "./platform.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;
/** As many as one answer holds. */
const MOST = 500;
const none: readonly string[] = [];

/** Users who ran something within the last days, the 500 with most runs, for admins; of a day, the 200 with most are known. */
export function useKnownUsers(enabled = true): readonly string[] {
  const may = useMay();
  const { is_admin } = useMe();
  const { data } = useQuery({
    queryKey: ["users", "known"],
    enabled: enabled && is_admin && may("metrics:read"),
    staleTime: 300_000,
    queryFn: async () => {
      const starting_date = new Date(Date.now() - DAYS * DAY_MS).toISOString().slice(0, 10);
      const query = { by: "user", starting_date, limit: MOST } as const;
      const { data: rows } = await platform.getMetricsBreakdown({ query });
      const ids = rows.map((row) => ("user_id" in row ? row.user_id : null));
      return ids.filter((id) => id !== null && id !== undefined).sort();
    },
  });
  return data ?? none;
}
