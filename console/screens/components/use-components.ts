import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { PlatformError } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { registry } from "../../api/queries.ts";

const PAGE = 100;
const LOOK_MS = 15_000;

/** @param archived  whether archived ones are listed too */
export function useStoredComponents(archived: boolean) {
  return useInfiniteQuery({
    queryKey: ["components", "list", archived],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      platform.listComponents(
        { query: { limit: PAGE, page: pageParam, include_deleted: archived } },
        { signal },
      ),
    getNextPageParam: ({ meta }) => (meta.page < meta.total_pages ? meta.page + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  });
}

/** A stored component, archived ones too; null where none is stored under the id. */
export function useStored(id: string, isWanted: boolean) {
  return useQuery({
    queryKey: ["components", "one", id],
    enabled: isWanted,
    queryFn: async () => {
      try {
        return await platform.getComponent({ path: { component_id: id }, query: { include_deleted: true } });
      } catch (error) {
        if (error instanceof PlatformError && error.status === 404) return null;
        throw error;
      }
    },
    refetchInterval: LOOK_MS,
  });
}

/** The versions of a stored component, the highest first, without their configs. */
export function useVersions(id: string, isWanted: boolean) {
  return useQuery({
    queryKey: ["components", "versions", id],
    enabled: isWanted,
    queryFn: () =>
      platform.listConfigVersions({ path: { component_id: id }, query: { include_config: false } }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  });
}

/** The key of one version with its config. */
export const versionKey = (id: string, version: number | undefined) => ["components", "version", id, version];

/** One version with its config. */
export function useVersion(id: string, version: number | undefined) {
  return useQuery({
    queryKey: versionKey(id, version),
    enabled: version !== undefined,
    queryFn: () => platform.getConfigVersion({ path: { component_id: id, version: version ?? 0 } }),
  });
}

/** What the platform finds wrong with a version, as publishing it by this user would find it. */
export function useVersionCheck(id: string, version: number) {
  return useQuery({
    queryKey: ["components", "check", id, version],
    queryFn: () => platform.checkConfigVersion({ path: { component_id: id, version } }),
  });
}

/** What configs may name. Empty where the reader may not see it. */
export function useRegistry() {
  const may = useMay();
  return useQuery({
    ...registry,
    enabled: may("registry:read"),
  });
}

/** Reads again what is known of components. */
export function useAgain(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["components"] }),
      client.invalidateQueries({ queryKey: ["runnables"] }),
    ]);
}

/**
 * The same after a component was archived: its versions are not to be read any more, so first of all the page must know
 * that it is archived.
 */
export function useAgainArchived(id: string): () => Promise<unknown> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ["components", "one", id] });
    await Promise.all([
      client.invalidateQueries({ queryKey: ["components", "list"] }),
      client.invalidateQueries({ queryKey: ["runnables"] }),
    ]);
  };
}
