import type { Registry } from "./registry.ts";
import type { Runnable, RunnableKind } from "./runnable.ts";

/** Looks up what a run is of. @returns undefined where nothing of this kind has the id */
export type FindRunnable = (kind: RunnableKind, id: string) => Promise<Runnable | undefined>;

/** The same over what the code declares. */
export const findInRegistry =
  ({ agents, teams, workflows }: Registry): FindRunnable =>
  async (kind, id) => {
    const all: Record<RunnableKind, readonly Runnable[]> = {
      agent: agents,
      team: teams,
      workflow: workflows,
    };
    return all[kind].find((runnable) => runnable.id === id);
  };
