import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { newText } from "../parts/changes.tsx";
import type { LoadedList, Reading } from "../parts/list/list-view.tsx";
import { useFresh } from "../parts/use-fresh.ts";

/** How far the pages of a list have been read. */
export function readingOf(pages: UseInfiniteQueryResult): Reading {
  const { isPending, error, refetch, hasNextPage, isFetchNextPageError, isFetchingNextPage, fetchNextPage } =
    pages;
  return {
    isPending,
    error,
    isStuck: isFetchNextPageError,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
    hasMore: hasNextPage,
    onEnd: () => {
      // It would be asked for again at once, and again.
      if (!isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
    },
  };
}

type Pages<Row> = UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly Row[] }>>;

/** The rows of all pages of a list. */
export function useRows<Row>(pages: Pages<Row>): readonly Row[] {
  return useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);
}

/**
 * A list that holds new rows back until the reader asks for them.
 *
 * @param idOf   the same function at every call
 * @param scope  of the list, such as its filters
 */
export function useFreshList<Row>(
  pages: Pages<Row>,
  idOf: (row: Row) => string,
  scope: string,
): Required<Pick<LoadedList<Row>, "rows" | "reading" | "changes" | "refresh">> & {
  /** With those that are held back. */ readonly all: readonly Row[];
} {
  const all = useRows(pages);
  const { shown, fresh, showNew } = useFresh(all, idOf, scope);
  return { all, rows: shown, reading: readingOf(pages), changes: newText(fresh), refresh: showNew };
}
