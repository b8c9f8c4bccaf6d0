import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
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

/** Every scope that a route of this deployment takes, as its own description names them. */
export function useKnownScopes() {
  return useQuery({
    queryKey: ["scopes"],
    queryFn: async (): Promise<readonly string[]> => {
      const { paths } = (await platform.getOpenApi()) as { readonly paths?: Paths };
      const taken = Object.values(paths ?? {})
        .flatMap((methods) => Object.values(methods))
        .flatMap(({ security = [] }) => security)
        .flatMap((one) => Object.values(one).flat());
      return [...new Set(taken)].sort();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

type Paths = Readonly<
  Record<
    string,
    Readonly<Record<string, { readonly security?: readonly Readonly<Record<string, readonly string[]>>[] }>>
  >
>;
