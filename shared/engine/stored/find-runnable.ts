import { mayChange, maySee, type Reader } from "../../domain/components/audience.ts";
import { notFound, ServiceError } from "../../errors.ts";
import type { ComponentRecord, VersionRecord } from "../../schemas/components/component-record.ts";
import { getComponent } from "../../stores/components/get-component.ts";
import { getVersion } from "../../stores/components/get-version.ts";
import type { Db } from "../../stores/db.ts";
import type { Registry } from "../define/registry.ts";
import type { Runnable, RunnableKind } from "../define/runnable.ts";
import { buildComponent } from "./build/build-component.ts";
import type { Parts } from "./build/build-settings.ts";

/**
 * Which version of a stored component is wanted:
 *
 *   for a new run      the live one, or the one that is named; a draft for its owner or an admin only
 *   pinned             the one that a run began with, also where the component is archived now; none for a run of
 *                      what is declared in code
 *   to be shown        (nothing given) the live one, less what of it cannot be found
 */
export type VersionRequest =
  | { readonly reader: Reader; readonly version: number | undefined }
  | { readonly pinned: number | undefined };

/**
 * Looks up what a run is of.
 *
 * @returns undefined where nothing of this kind has the id, or not for this reader
 * @throws ServiceError UNPROCESSABLE naming what a stored component refers to in vain
 */
export type FindRunnable = (
  kind: RunnableKind,
  id: string,
  asked?: VersionRequest,
) => Promise<Runnable | undefined>;

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

/**
 * The same over what the code declares, then what is stored. A declaration hides a stored component of its id, except
 * from runs that began with that.
 *
 * @source contract, components-and-platform A8
 */
export function findRunnableIn(parts: Parts, db: Db): FindRunnable {
  const findDeclared = findInRegistry(parts.registry);
  return async (kind, id, asked) => {
    const isPinned = asked !== undefined && "pinned" in asked;
    if (!isPinned || asked.pinned === undefined) {
      const declared = await findDeclared(kind, id);
      if (declared || isPinned) return declared;
    }
    const component = await getComponent(db, id);
    if (component?.component_type !== kind) return undefined;
    const version = await versionFor(db, component, asked);
    if (!version) return undefined;
    const { value, faults } = await buildComponent({ component, version }, parts, db);
    if (asked && faults.length > 0) throw cannotBeBuilt(component, version, faults);
    return value;
  };
}

/** Whether there is such a thing at all, archived or not: runs of it are looked at without building it. */
export type KnowsRunnable = (kind: RunnableKind, id: string) => Promise<boolean>;

export const knowsRunnableIn = (registry: Registry, db: Db): KnowsRunnable => {
  const findDeclared = findInRegistry(registry);
  return async (kind, id) =>
    (await findDeclared(kind, id)) !== undefined || (await getComponent(db, id))?.component_type === kind;
};

async function versionFor(
  db: Db,
  component: ComponentRecord,
  asked: VersionRequest | undefined,
): Promise<VersionRecord | undefined> {
  const { component_id: id, current_version, deleted_at } = component;
  if (asked && "pinned" in asked)
    return asked.pinned === undefined ? undefined : getVersion(db, id, asked.pinned);
  if (deleted_at !== undefined || (asked && !maySee(asked.reader, component))) return undefined;
  const wanted = asked?.version ?? current_version;
  const version = wanted === undefined ? undefined : await getVersion(db, id, wanted);
  const isHidden = asked && version?.stage === "draft" && !mayChange(asked.reader, component);
  if (asked?.version !== undefined && (!version || isHidden))
    throw notFound("version", String(asked.version));
  return version;
}

const cannotBeBuilt = (
  { component_type, component_id }: ComponentRecord,
  { version }: VersionRecord,
  faults: readonly string[],
): ServiceError =>
  new ServiceError(
    "UNPROCESSABLE",
    `${component_type} ${component_id}, version ${version}, cannot be run: ${faults.join("; ")}`,
  );
