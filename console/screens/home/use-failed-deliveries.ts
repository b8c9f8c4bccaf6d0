import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";

/** Enough to say that there are many. */
const LOOKED_AT = 20;
const EVERY_MS = 60_000;
const DAY_SECONDS = 86_400;

/** How many deliveries; more than that where a page has not all. */
export type FailedDeliveries = { readonly deliveries?: number; readonly isMore?: boolean };

/** Deliveries of webhooks that were begun within a day and failed for good. */
export function useFailedDeliveries() {
  const may = useMay();
  return useQuery({
    queryKey: ["failed-deliveries"],
    enabled: may("webhooks:read"),
    queryFn: async () => {
      const query = { status: "failed", limit: LOOKED_AT } as const;
      const { data, meta: page } = await platform.listWebhookDeliveries({ query });
      const since = Date.now() / 1000 - DAY_SECONDS;
      const fresh = data.filter(({ created_at }) => created_at > since);
      return { deliveries: fresh.length, isMore: fresh.length === data.length && page.total_pages > 1 };
    },
    refetchInterval: EVERY_MS,
  });
}
