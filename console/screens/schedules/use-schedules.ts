import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { Schedule, ScheduleRun } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { notify, notifyFailure } from "../../parts/messages.tsx";

const PAGE = 100;
const LIST_MS = 10_000;
/** Every row asks for its own runs: this many rows in view ask no more than once in two seconds together. */
const LINE_MS = 60_000;
const LIVE_MS = 2_000;
const CALM_MS = 10_000;
/** Attempts that a time line knows. */
export const LINE_RUNS = 60;
const RUNS_PAGE = 50;

const isOpen = ({ status }: ScheduleRun): boolean => status === "running" || status === "queued";

/** @param enabled  "yes" or "no"; all when empty */
export function useScheduleList(enabled: string) {
  return useInfiniteQuery({
    queryKey: ["schedules", "list", enabled],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      platform.listSchedules(
        { query: { limit: PAGE, page: pageParam, ...(enabled && { enabled: enabled === "yes" }) } },
        { signal },
      ),
    getNextPageParam: ({ meta }) => (meta.page < meta.total_pages ? meta.page + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: LIST_MS,
  });
}

export function useSchedule(id: string) {
  return useQuery({
    queryKey: ["schedules", "one", id],
    queryFn: () => platform.getSchedule({ path: { schedule_id: id } }),
    refetchInterval: CALM_MS,
  });
}

/** The latest attempts of a schedule, for its time line. */
export function useLatestRuns(id: string) {
  return useQuery({
    queryKey: ["schedules", "latest", id],
    queryFn: ({ signal }) =>
      platform.listScheduleRuns({ path: { schedule_id: id }, query: { limit: LINE_RUNS } }, { signal }),
    refetchInterval: LINE_MS,
    staleTime: LINE_MS / 2,
  });
}

/** The attempts of a schedule page by page, newest first; looked at often while one of them goes on. */
export function useScheduleRuns(id: string) {
  return useInfiniteQuery({
    queryKey: ["schedules", "runs", id],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      platform.listScheduleRuns(
        { path: { schedule_id: id }, query: { limit: RUNS_PAGE, page: pageParam } },
        { signal },
      ),
    getNextPageParam: ({ meta }) => (meta.page < meta.total_pages ? meta.page + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isOpen)) ? LIVE_MS : CALM_MS,
  });
}

export type ScheduleActs = ReturnType<typeof useScheduleActs>;

/** What can be done with a schedule; its lists are read again afterwards. */
export function useScheduleActs({ id, name }: Pick<Schedule, "id" | "name">, onDone?: () => void) {
  const client = useQueryClient();
  const path = { schedule_id: id };
  const again = () => {
    onDone?.();
    return client.invalidateQueries({ queryKey: ["schedules"] });
  };
  const run = useMutation({
    mutationFn: () => platform.triggerSchedule({ path }),
    // The request waits for the run; its record is there at once.
    onMutate: () => {
      setTimeout(again, 600);
    },
    onSuccess: ({ status, error }) => {
      if (status === "failed")
        notifyFailure(new Error(`${name} was run, and failed: ${error ?? "no reason given"}`));
      else notify(status === "running" ? `${name} is running.` : `${name} was run.`);
      void again();
    },
    onError: notifyFailure,
  });
  const enable = useMutation({
    mutationFn: () => platform.enableSchedule({ path }),
    onSuccess: () => {
      notify(`${name} runs at its times again.`);
      void again();
    },
    onError: notifyFailure,
  });
  const disable = useMutation({
    mutationFn: () => platform.disableSchedule({ path }),
    onSuccess: () => {
      notify(`${name} is paused. It does not run until it is resumed.`);
      void again();
    },
    onError: notifyFailure,
  });
  const remove = useMutation({
    mutationFn: () => platform.removeSchedule({ path }),
    onSuccess: () => {
      notify(`${name} was deleted.`);
      client.removeQueries({ queryKey: ["schedules", "one", id] });
      void client.invalidateQueries({ queryKey: ["schedules", "list"] });
    },
    onError: notifyFailure,
  });
  return { run, enable, disable, remove };
}
