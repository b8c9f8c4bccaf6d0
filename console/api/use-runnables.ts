import { keepPreviousData, useQueries } from "@tanstack/react-query";
import type { AgentResponse, Operations, TeamResponse } from "../../client/index.ts";
import { useMay } from "../access/use-me.ts";
import { type Kind, kinds, pluralOf } from "./kinds.ts";
import { platform } from "./platform.ts";

type WorkflowSummary = Operations["listWorkflows"]["answer"][number];

/** An agent, a team or a workflow, declared in code or stored. */
export type Runnable = {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly shown: AgentResponse | TeamResponse | WorkflowSummary;
};

const LOOK_MS = 15_000;

const readers: Readonly<Record<Kind, () => Promise<readonly Runnable["shown"][]>>> = {
  agent: () => platform.listAgents(),
  team: () => platform.listTeams(),
  workflow: () => platform.listWorkflows(),
};

/**
 * Every agent, team and workflow that the reader may see, by kind and then as the platform lists them.
 *
 * @param wanted  kinds; those that the reader may not see are left out
 */
export function useRunnables(wanted: readonly Kind[] = kinds) {
  const may = useMay();
  const answers = useQueries({
    queries: wanted
      .filter((kind) => may(`${pluralOf[kind]}:read`))
      .map((kind) => ({
        queryKey: ["runnables", kind],
        queryFn: async () =>
          (await readers[kind]()).map(
            (shown): Runnable => ({ kind, id: shown.id, name: shown.name ?? shown.id, shown }),
          ),
        staleTime: LOOK_MS,
        placeholderData: keepPreviousData,
      })),
    combine: joined,
  });
  return answers;
}

function joined(
  answers: readonly {
    readonly data: readonly Runnable[] | undefined;
    readonly error: unknown;
    readonly isPending: boolean;
    readonly refetch: () => unknown;
  }[],
) {
  return {
    runnables: answers.flatMap(({ data = [] }) => data),
    isPending: answers.some(({ isPending }) => isPending),
    error: answers.find(({ error }) => error !== null)?.error,
    refetch: () => {
      for (const { refetch } of answers) refetch();
    },
  };
}
