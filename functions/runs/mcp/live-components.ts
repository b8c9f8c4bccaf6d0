import { declaredIn, type Registry } from "../../../shared/engine/define/registry.ts";
import { type Component, parseComponent } from "../../../shared/runs/index.ts";
import { cachedValue } from "../../../shared/runtime/cached-value.ts";
import type { Clock } from "../../../shared/runtime/clock.ts";
import { runnableTypes } from "../../../shared/schemas/components/component.ts";
import { readComponents } from "../../../shared/stores/components/component-item.ts";
import { newestComponents } from "../../../shared/stores/components/list-components.ts";
import type { Db } from "../../../shared/stores/db.ts";

/** A component that is a tool of its own. */
export type NamedComponent = {
  readonly component: Component;
  readonly name: string;
  readonly description?: string | undefined;
};

/** The stored components that are tools. Reading anew shows what was published since; see `KEPT_MS`. */
export type LiveComponents = {
  readonly kept: () => Promise<readonly NamedComponent[]>;
  readonly anew: () => Promise<readonly NamedComponent[]>;
};

/** How late a process lists what was published or archived; a call of a tool that it does not know reads anew. */
const KEPT_MS = 5_000;

/**
 * The stored components with a live version that the settings make tools of, for everybody: what is published is seen by all,
 * and who may run it is asked for each caller. Reads nothing where the settings name nothing.
 *
 * @param tools  `all`, or a list such as `agents/a1,teams/t1`
 */
export function liveComponents(
  db: Db,
  { registry, tools }: { readonly registry: Registry; readonly tools: string },
  clock: Pick<Clock, "now">,
): LiveComponents {
  const hidden = declaredIn(registry).map(({ id }) => id);
  const anew = async (): Promise<readonly NamedComponent[]> => {
    const records = tools === "all" ? await published(db, hidden) : await readComponents(db, ids);
    return records.flatMap(({ component_id: id, component_type: kind, name, description, ...record }) => {
      const isLive = record.deleted_at === undefined && record.current_version !== undefined;
      if (!isLive || kind === "skill" || !(tools === "all" || chosen.has(`${kind} ${id}`))) return [];
      return [{ component: { kind, id }, name, description: description ?? undefined }];
    });
  };
  const named = tools === "all" ? [] : tools.split(",").flatMap((text) => parseComponent(text) ?? []);
  const chosen = new Set(named.map(({ kind, id }) => `${kind} ${id}`));
  const ids = named.map(({ id }) => id).filter((id) => !hidden.includes(id));
  if (tools !== "all" && ids.length === 0) return { kept: async () => [], anew: async () => [] };
  return { kept: cachedValue(anew, KEPT_MS, clock), anew };
}

async function published(db: Db, hidden: readonly string[]) {
  const lists = await Promise.all(
    runnableTypes.map((type) => newestComponents(db, { audiences: ["open"], type, hidden })),
  );
  return lists.flat();
}
