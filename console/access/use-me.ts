import { useSuspenseQuery } from "@tanstack/react-query";
import { send } from "../api/platform.ts";
import { currentToken } from "./credential.ts";
import { type Me, may } from "./may.ts";

/** Who is signed in. Within the shell it is always known. */
export function useMe(): Me {
  return useSuspenseQuery({
    queryKey: ["me"],
    queryFn: async (): Promise<Me> => {
      const response = await send("/me", { headers: { authorization: `Bearer ${await currentToken()}` } });
      return response.json() as Promise<Me>;
    },
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** Whether the one who is signed in may do what needs a scope. */
export function useMay(): (scope: string, id?: string) => boolean {
  const me = useMe();
  return (scope, id) => may(me, scope, id);
}
