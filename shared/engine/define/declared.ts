import type { Registry } from "./registry.ts";
import type { RunnableKind } from "./runnable.ts";

/** What code declares, by kind and id. An id that code declares is not used by anything stored, whatever its kind. */
export const declaredIn = ({
  agents,
  teams,
  workflows,
}: Pick<Registry, "agents" | "teams" | "workflows">): readonly {
  readonly type: RunnableKind;
  readonly id: string;
}[] => [...agents, ...teams, ...workflows].map(({ kind, id }) => ({ type: kind, id }));
