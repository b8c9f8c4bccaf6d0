import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";

/** A knowledge base; without an id it is the only one, whose name the reader may not see. */
export type Base = { readonly id?: string; readonly name: string; readonly description?: string | undefined };

const onlyBase: Base = { name: "Knowledge" };

/** The bases that there are. Without `config:read` they cannot be listed; the platform finds the one where there is one. */
export function useBases() {
  const may = useMay();
  const mayList = may("config:read");
  return useQuery({
    queryKey: ["knowledge", "bases", mayList],
    queryFn: async (): Promise<readonly Base[]> => {
      if (!mayList) return [onlyBase];
      const { knowledge } = await platform.getConfig();
      return knowledge.knowledge_instances;
    },
    staleTime: 60_000,
  });
}

/** How a request names the base. */
export const queryOf = ({ id }: Base) => (id === undefined ? {} : { knowledge_id: id });

/** Begins the key of everything that is known of a base. */
export const keyOf = ({ id }: Base) => ["knowledge", id ?? ""] as const;

/** Readers, kinds of search and sources of a base. */
export function useBaseConfig(base: Base) {
  return useQuery({
    queryKey: [...keyOf(base), "config"],
    queryFn: () => platform.getKnowledgeConfig({ query: queryOf(base) }),
    staleTime: 60_000,
  });
}
