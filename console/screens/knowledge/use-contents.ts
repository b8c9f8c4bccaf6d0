import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { platform } from "../../api/platform.ts";
import { queryClient } from "../../api/query-client.ts";
import { readingOf, useRows } from "../../api/reading-of.ts";
import { type Base, keyOf, queryOf } from "./base.ts";

const PAGE = 50;
/** While something is processed; each page that is shown takes a request. */
const LIVE_MS = 2_000;

/** The contents of a base, the newest first; asked for again while some are processed. */
export function useContents(base: Base) {
  const pages = useInfiniteQuery({
    queryKey: [...keyOf(base), "contents"],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      platform.listContent({ query: { ...queryOf(base), limit: PAGE, page: pageParam } }, { signal }),
    getNextPageParam: ({ meta }) => (meta.page < meta.total_pages ? meta.page + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const shown = state.data?.pages ?? [];
      const isBusy = shown.some(({ data }) => data.some(({ status }) => status === "processing"));
      return isBusy ? LIVE_MS * shown.length : false;
    },
  });
  return { rows: useRows(pages), reading: readingOf(pages), total: pages.data?.pages[0]?.meta.total_count };
}

export function useContent(base: Base, content_id: string) {
  return useQuery({
    queryKey: [...keyOf(base), "content", content_id],
    enabled: content_id !== "",
    queryFn: () => platform.getContent({ path: { content_id }, query: queryOf(base) }),
    refetchInterval: ({ state }) => (state.data?.status === "processing" ? LIVE_MS : false),
  });
}

/** After something was added or changed. */
export function readContentsAgain(base: Base): void {
  readListsAgain(base);
  void queryClient.invalidateQueries({ queryKey: [...keyOf(base), "content"] });
}

/** After something was removed, which is not to be asked for again by itself. */
export function readListsAgain(base: Base): void {
  void queryClient.invalidateQueries({ queryKey: [...keyOf(base), "contents"] });
  void queryClient.invalidateQueries({ queryKey: [...keyOf(base), "search"] });
}
