import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { EvalRun, Operations } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";

export type EvalCase = Operations["listEvalCases"]["answer"]["data"][number];
export type EvalType = EvalRun["eval_type"];

const PAGE = 50;
const CASES = 100;
const LIVE_MS = 2_000;
const CALM_MS = 15_000;

export type EvalFilter = { readonly type: string; readonly kind: string; readonly component: string };

const types: readonly EvalType[] = ["accuracy", "agent_as_judge", "reliability", "performance"];

export function useEvaluationList({ type, kind, component }: EvalFilter) {
  const wanted = types.find((one) => one === type);
  return useInfiniteQuery({
    queryKey: ["evaluations", "list", type, kind, component],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      platform.listEvals(
        {
          query: {
            limit: PAGE,
            page: pageParam,
            ...(wanted && { eval_types: wanted }),
            ...(component && kind !== "team" && { agent_id: component }),
            ...(component && kind === "team" && { team_id: component }),
            ...(!component && (kind === "agent" || kind === "team") && { type: kind }),
          },
        },
        { signal },
      ),
    getNextPageParam: ({ meta }) => (meta.page < meta.total_pages ? meta.page + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ status }) => status === "running"))
        ? LIVE_MS * 2
        : CALM_MS,
  });
}

/** The last evaluation of the same type and component before this one; undefined while the list is read, too. */
export function useEarlier({ id, eval_type, agent_id, team_id, created_at }: EvalRun): EvalRun | undefined {
  const component = agent_id ?? team_id ?? "";
  const { data } = useEvaluationList({
    type: eval_type,
    kind: agent_id === null ? "team" : "agent",
    component,
  });
  const before = Date.parse(created_at ?? "");
  return data?.pages
    .flatMap((page) => page.data)
    .find((one) => one.id !== id && Date.parse(one.created_at ?? "") <= before);
}

export function useEvaluation(id: string) {
  return useQuery({
    queryKey: ["evaluations", "one", id],
    queryFn: () => platform.getEval({ path: { eval_run_id: id } }),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? LIVE_MS : false),
  });
}

/** How the second of two evaluations differs from the first. */
export function useComparison(first: string, second: string) {
  return useQuery({
    queryKey: ["evaluations", "comparison", first, second],
    queryFn: () => platform.compareEvals({ query: { ids: `${first},${second}` } }),
  });
}

/** The cases page by page; read again while the evaluation goes on. */
export function useCases(id: string, isLive: boolean) {
  return useInfiniteQuery({
    queryKey: ["evaluations", "cases", id, isLive],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      platform.listEvalCases(
        { path: { eval_run_id: id }, query: { limit: CASES, page: pageParam } },
        { signal },
      ),
    getNextPageParam: ({ meta }) => (meta.page < meta.total_pages ? meta.page + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? LIVE_MS * 2 : false,
  });
}
