import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Operations } from "../../../../client/index.ts";
import { platform } from "../../../api/platform.ts";
import { queryClient } from "../../../api/query-client.ts";

export type Dataset = Operations["listDatasets"]["answer"]["data"][number];
export type DatasetCase = Operations["listDatasetCases"]["answer"]["data"][number];

const PAGE = 50;
const CHOICES = 100;
const none: readonly Dataset[] = [];

export function useDatasetList() {
  return useInfiniteQuery({
    queryKey: ["datasets", "list"],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      platform.listDatasets({ query: { limit: PAGE, page: pageParam } }, { signal }),
    getNextPageParam: ({ meta }) => (meta.page < meta.total_pages ? meta.page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
}

/** Datasets to choose from: the newest. */
export function useDatasetChoices(): readonly Dataset[] {
  const { data } = useQuery({
    queryKey: ["datasets", "choices"],
    queryFn: ({ signal }) => platform.listDatasets({ query: { limit: CHOICES } }, { signal }),
  });
  return data?.data ?? none;
}

export function useDataset(dataset_id: string) {
  return useQuery({
    queryKey: ["datasets", "one", dataset_id],
    queryFn: () => platform.getDataset({ path: { dataset_id } }),
  });
}

/** The cases of one version, page by page. */
export function useDatasetCases(dataset_id: string, version: number) {
  return useInfiniteQuery({
    queryKey: ["datasets", "cases", dataset_id, version],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      platform.listDatasetCases(
        { path: { dataset_id }, query: { version, limit: PAGE, page: pageParam } },
        { signal },
      ),
    getNextPageParam: ({ cases }, _, page) => (page * PAGE < cases ? page + 1 : undefined),
  });
}

/** The list alone: what is deleted cannot be read again. */
export const readDatasetListAgain = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["datasets", "list"] });

export const readDatasetsAgain = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["datasets"] });
