import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { Reading } from "../parts/list/list-frame.tsx";

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
