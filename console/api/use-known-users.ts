import { useQuery } from "@tanstack/react-query";
import { useMay, useMe } from "../access/use-me.ts";
import { platform } from "./platform.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Users who ran something within the last days, for admins; what the daily totals name. */
export function useKnownUsers(enabled = true): readonly string[] {
  const may = useMay();
  const { is_admin } = useMe();
  const { data } = useQuery({
    queryKey: ["users", "known"],
    enabled: enabled && is_admin && may("metrics:read"),
    staleTime: 300_000,
    queryFn: async () => {
      const starting_date = new Date(Date.now() - DAYS * DAY_MS).toISOString().slice(0, 10);
      const { metrics } = await platform.getMetrics({ query: { starting_date } });
      const ids = metrics.flatMap(({ user_metrics = [] }) => user_metrics.map(({ user_id }) => user_id));
      return [...new Set(ids)].filter((id) => id !== null && id !== undefined).sort();
    },
  });
  return data ?? [];
}
