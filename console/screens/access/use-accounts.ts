import { useInfiniteQuery } from "@tanstack/react-query";
import type { Operations } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { queryClient } from "../../api/query-client.ts";

export type Account = Operations["listServiceAccounts"]["answer"]["data"][number];

const PAGE = 100;
const KEY = ["service-accounts"] as const;

export function useAccounts(include_revoked: boolean) {
  return useInfiniteQuery({
    queryKey: [...KEY, include_revoked],
    initialPageParam: 1,
    queryFn: ({ pageParam }) =>
      platform.listServiceAccounts({ query: { include_revoked, limit: PAGE, page: pageParam } }),
    getNextPageParam: ({ meta }) => (meta.page < meta.total_pages ? meta.page + 1 : undefined),
  });
}

export const readAccountsAgain = (): void => void queryClient.invalidateQueries({ queryKey: KEY });
