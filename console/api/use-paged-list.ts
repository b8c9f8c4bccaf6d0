import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { countText } from "../parts/amounts.ts";
import { newText } from "../parts/changes.tsx";
import { type GrowingRows, useGrowingRows } from "./growing-rows.ts";
import { readingOf } from "./reading-of.ts";

/** A page of the wire's lists that count their rows. */
export type PageOf<Row> = {
  readonly data: readonly Row[];
  readonly meta: { readonly page: number; readonly total_pages: number; readonly total_count: number };
};

type Asked = { readonly page: number; readonly limit: number };

type PagedList<Row> = {
  /** What is listed and which filters it has. */
  readonly key: QueryKey;
  readonly read: (asked: Asked, signal: AbortSignal) => Promise<PageOf<Row>>;
  readonly idOf: (row: Row) => string;
  /** Milliseconds between two looks at the head of the list. */
  readonly every?: number;
};

const PAGE = 50;
/** Rows that are asked for again and again: enough to see what changed, and cheap. */
const HEAD = 20;
const EVERY_MS = 8_000;

/**
 * A list in pages with numbers. What changed of the rows that are shown changes in place; what came, and what the filters
 * no longer let through, is counted, and shown when the reader asks: no row moves by itself.
 */
export function usePagedList<Row>({ key, read, idOf, every = EVERY_MS }: PagedList<Row>) {
  const client = useQueryClient();
  const pagesKey = [...key, "pages"];
  const pages = useInfiniteQuery({
    queryKey: pagesKey,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => read({ page: pageParam, limit: PAGE }, signal),
    getNextPageParam: ({ meta }) => (meta.page < meta.total_pages ? meta.page + 1 : undefined),
    placeholderData: keepPreviousData,
    // The head shows what changed; reading all pages again would move rows.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    // Comparing every page with itself whenever one is added would take longer than showing it.
    structuralSharing: false,
  });
  const { data: shown, isPlaceholderData: isOld } = pages;
  const first = isOld ? undefined : shown?.pages[0];
  const { data: head } = useQuery({
    queryKey: [...key, "head"],
    enabled: first !== undefined,
    queryFn: ({ signal }) => read({ page: 1, limit: HEAD }, signal),
    refetchInterval: every,
    staleTime: every,
    ...(first && { initialData: first, initialDataUpdatedAt: pages.dataUpdatedAt }),
  });
  const grown = useGrowingRows(shown?.pages, idOf);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list's rows have their ids in the same place always
  const merged = useMemo(() => merge(grown, isOld ? undefined : head, idOf), [grown, head, isOld]);
  const keyText = JSON.stringify(pagesKey);
  const refresh = useCallback(() => {
    const queryKey: QueryKey = JSON.parse(keyText);
    client.setQueryData<InfiniteData<PageOf<Row>, number>>(queryKey, (before) => before && firstOf(before));
    void client.invalidateQueries({ queryKey: queryKey.slice(0, -1) });
  }, [client, keyText]);
  return {
    rows: merged.rows,
    reading: readingOf(pages),
    /** What came and went since, in words; empty when nothing did. */
    changes: changesText(merged),
    total: (isOld ? undefined : head)?.meta.total_count ?? shown?.pages[0]?.meta.total_count,
    refresh,
    /** The rows of other filters are shown until these are there. */
    isOld,
  };
}

const firstOf = <Page>({ pages, pageParams }: InfiniteData<Page, number>): InfiniteData<Page, number> => ({
  pages: pages.slice(0, 1),
  pageParams: pageParams.slice(0, 1),
});

type Merged<Row> = {
  readonly rows: readonly Row[];
  /** Rows at the head that are on no page. */
  readonly fresh: number;
  /** Rows near the head that the filters no longer let through, or that are deleted. */
  readonly gone: number;
};

function merge<Row>(
  { rows, placeOf }: GrowingRows<Row>,
  head: PageOf<Row> | undefined,
  idOf: (row: Row) => string,
): Merged<Row> {
  if (!head) return { rows, fresh: 0, gone: 0 };
  const now = new Set(head.data.map(idOf));
  const last = head.data.at(-1);
  const isWhole = head.data.length >= head.meta.total_count;
  // As far as the head reaches.
  const covered = isWhole ? rows.length : last === undefined ? 0 : (placeOf(idOf(last)) ?? -1) + 1;
  return {
    rows: updated(rows, placeOf, head.data, idOf),
    fresh: head.data.filter((row) => placeOf(idOf(row)) === undefined).length,
    gone: rows.slice(0, covered).filter((row) => !now.has(idOf(row))).length,
  };
}

/** The rows, those of the head as they are now. */
function updated<Row>(
  rows: readonly Row[],
  placeOf: GrowingRows<Row>["placeOf"],
  latest: readonly Row[],
  idOf: (row: Row) => string,
): readonly Row[] {
  const next = [...rows];
  for (const row of latest) {
    const place = placeOf(idOf(row));
    if (place !== undefined) next[place] = row;
  }
  return next;
}

function changesText({ fresh, gone }: Merged<unknown>): string {
  const parts = [newText(fresh, HEAD), gone > 0 && `${countText(gone)} no longer here`];
  return parts.filter(Boolean).join(", ");
}
