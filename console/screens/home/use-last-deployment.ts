import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { type Ended, endedOf } from "./ended-runs.ts";

export type Deployment = {
  /** Epoch seconds. */
  readonly at: number;
  /** Names of the settings that it changed; of the first one none. */
  readonly settings: readonly string[];
};

const EVERY_MS = 60_000;
/** A page may be empty although there are records behind it. */
const MOST_PAGES = 5;

/** The last deployment that is on record; null where there is none, or where the reader may not see it. */
export function useLastDeployment() {
  const may = useMay();
  return useQuery({
    queryKey: ["audit", "last-deployment"],
    enabled: may("audit:read"),
    refetchInterval: EVERY_MS,
    queryFn: async ({ signal }): Promise<Deployment | null> => {
      let cursor: string | null = null;
      for (let page = 0; page < MOST_PAGES; page++) {
        const query = { operation: "deploySettings", limit: 1, ...(cursor !== null && { cursor }) };
        const { data, next_cursor } = await platform.listAudit({ query }, { signal });
        const [record] = data;
        if (record) return deploymentOf(record);
        cursor = next_cursor;
        if (cursor === null) return null;
      }
      return null;
    },
  });
}

type Record = Awaited<ReturnType<typeof platform.listAudit>>["data"][number];

const deploymentOf = ({ at_ms, before, after }: Record): Deployment => ({
  at: Math.floor(at_ms / 1000),
  settings: before ? [...new Set([...Object.keys(before), ...Object.keys(after ?? {})])].sort() : [],
});

const PAGE = 100;
/** Runs of each side are the newest of it; a page each is what looking costs. */
const DAY = 86_400;

export type BeforeAndSince = { readonly before: Ended; readonly since: Ended };

/** How runs ended in the day before a deployment, and since then. */
export function useBeforeAndSince(at: number | undefined, enabled: boolean) {
  const isWanted = enabled && at !== undefined;
  const read = async (bounds: { created_after?: number; created_before?: number }, signal: AbortSignal) =>
    endedOf((await platform.listRuns({ query: { ...bounds, limit: PAGE } }, { signal })).data);
  const before = useQuery({
    queryKey: ["runs", "before-deployment", at],
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => read({ created_after: (at ?? 0) - DAY, created_before: (at ?? 0) - 1 }, signal),
  });
  const since = useQuery({
    queryKey: ["runs", "since-deployment", at],
    enabled: isWanted,
    refetchInterval: EVERY_MS,
    queryFn: ({ signal }) => read({ created_after: at ?? 0 }, signal),
  });
  return before.data && since.data ? { before: before.data, since: since.data } : undefined;
}
