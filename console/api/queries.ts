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

/** The newest stored components, drafts and skills among them. */
export const storedComponents = queryOptions({
  queryKey: ["components", "newest"],
  queryFn: async () => (await platform.listComponents({ query: { limit: 100 } })).data,
});

const SKILL_PAGE = 100;

/** Stored skills, all of them. */
export const storedSkills = queryOptions({
  queryKey: ["components", "skills"],
  queryFn: () =>
    allPages((page) =>
      platform.listComponents({ query: { component_type: "skill", limit: SKILL_PAGE, page } }),
    ),
});

const REGISTRY_PAGE = 100;

/** What code registered, all of it: it changes with a deployment only. */
export const registry = queryOptions({
  queryKey: ["registry"],
  queryFn: () => allPages((page) => platform.listRegistry({ query: { limit: REGISTRY_PAGE, page } })),
  staleTime: Number.POSITIVE_INFINITY,
});

type Page<Row> = { readonly data: readonly Row[]; readonly meta: { readonly total_pages: number } };

async function allPages<Row>(read: (page: number) => Promise<Page<Row>>): Promise<readonly Row[]> {
  const first = await read(1);
  const others = Array.from({ length: Math.max(0, first.meta.total_pages - 1) }, (_, at) => read(at + 2));
  return [first, ...(await Promise.all(others))].flatMap(({ data }) => data);
}
