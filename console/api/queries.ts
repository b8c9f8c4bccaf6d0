import { queryOptions } from "@tanstack/react-query";
import { platform } from "./platform.ts";

/**
 * What several screens read. A key stands for one shape: a screen that finds what another one kept under its key, in a shape
 * of its own, breaks.
 */
export const approvalsCount = queryOptions({
  queryKey: ["approvals", "count"],
  queryFn: () => platform.countApprovals(),
});

export const health = queryOptions({ queryKey: ["health"], queryFn: () => platform.getHealth() });

export const info = queryOptions({ queryKey: ["info"], queryFn: () => platform.getInfo() });

export const queueStats = queryOptions({
  queryKey: ["queue", "stats"],
  queryFn: () => platform.getQueueStats(),
});

export const refreshStatus = queryOptions({
  queryKey: ["metrics", "status"],
  queryFn: () => platform.getRefreshStatus(),
});

export const budgets = queryOptions({
  queryKey: ["metrics", "budgets"],
  queryFn: () => platform.getBudgets(),
});

export const config = queryOptions({ queryKey: ["config"], queryFn: () => platform.getConfig() });

const REGISTRY_PAGE = 100;

/** What code registered, all of it: it changes with a deployment only. */
export const registry = queryOptions({
  queryKey: ["registry"],
  queryFn: async () => {
    const first = await platform.listRegistry({ query: { limit: REGISTRY_PAGE } });
    const others = Array.from({ length: Math.max(0, first.meta.total_pages - 1) }, (_, at) =>
      platform.listRegistry({ query: { limit: REGISTRY_PAGE, page: at + 2 } }),
    );
    return [first, ...(await Promise.all(others))].flatMap(({ data }) => data);
  },
  staleTime: Number.POSITIVE_INFINITY,
});
