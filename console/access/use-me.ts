import { useSuspenseQuery } from "@tanstack/react-query";
import { platform } from "../api/platform.ts";
import { type Me, may } from "./may.ts";

/** Who is signed in. Within the shell it is always known. */
export function useMe(): Me {
  return useSuspenseQuery({
    queryKey: ["me"],
    queryFn: () => platform.getMe(),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** Whether the one who is signed in may do what needs a scope. */
export function useMay(): (scope: string, id?: string) => boolean {
  const me = useMe();
  return (scope, id) => may(me, scope, id);
}
