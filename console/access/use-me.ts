import { useSuspenseQuery } from "@tanstack/react-query";
import { platform } from "../api/platform.ts";
import { isPassing } from "../api/query-client.ts";
import { type Me, may } from "./may.ts";

/** Who is signed in. Within the shell it is always known. */
export function useMe(): Me {
  return useSuspenseQuery({
    queryKey: ["me"],
    queryFn: () => platform.getMe(),
    staleTime: Number.POSITIVE_INFINITY,
    // Nothing is shown without it, so it is asked until it is answered.
    retry: (_, error) => isPassing(error),
  }).data;
}

/** Whether the one who is signed in may do what needs a scope. */
export function useMay(): (scope: string, id?: string) => boolean {
  const me = useMe();
  return (scope, id) => may(me, scope, id);
}

/** The scopes of which one is enough for the list of runs, which then shows the kinds that they allow. */
export const runReadingScopes = ["agents:read", "teams:read", "workflows:read"] as const;

/** Whether the one who is signed in may read runs of any kind. */
export function useMayReadRuns(): boolean {
  const may = useMay();
  return runReadingScopes.some((scope) => may(scope));
}
