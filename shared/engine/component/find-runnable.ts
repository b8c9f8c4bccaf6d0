import { mayChange, maySee, type Reader } from "../../domain/components/audience.ts";
import type { Target } from "../../domain/components/link-targets.ts";
import { storedConfig } from "../../domain/components/stored-config.ts";
import { type Fault, notFound, ServiceError } from "../../errors.ts";
import type { ComponentRecord, VersionRecord } from "../../schemas/components/component-record.ts";
import { getComponent } from "../../stores/components/component-item.ts";
import { getVersion } from "../../stores/components/version-item.ts";
import type { Db } from "../../stores/db.ts";
import { declaredIn, type Registry } from "../define/registry.ts";
import type { Runnable, RunnableKind } from "../define/runnable.ts";
import { buildComponent } from "./build/build-component.ts";
import type { Parts } from "./build/build-settings.ts";

type Config = Readonly<Record<string, unknown>>;

/** What a run began with: a version, or a config that was never stored. */
export type Pinned = { readonly pinned: number | undefined; readonly config?: Config };

/**
 * Which version of a stored component is wanted:
 *
 *   unsaved            a config that the request brings along, for whoever may change the component
 *   for a new run      the live one, or the one that is named; a draft for its owner or an admin only
 *   pinned             the one that a run began with, also where the component is archived now; none for a run of
 *                      what is declared in code
 *   to be shown        (nothing given) the live one, without the parts that cannot be found
 */
export type VersionRequest =
  | { readonly reader: Reader; readonly version: undefined }
  | { readonly reader: Reader; readonly version: number | undefined; readonly requireRun: RequireRun }
  | { readonly reader: Reader; readonly unsaved: Config; readonly requireRun: RequireRun }
  | (Pinned & { readonly requireRun?: RequireRun });

/**
 * Refuses who may not run all of these, by throwing. Called for a draft with everything that it contains, at every
 * level: unlike a published version it has not been checked to be what its writer may run, and its links may lead
 * elsewhere by now. Left out only where the execution was admitted before.
 */
export type RequireRun = (targets: readonly Target[]) => void;

/**
 * Looks up the agent, team or workflow of a run.
 *
 * @returns undefined when nothing of this kind has the id, or this reader may not see it
 * @throws ServiceError UNPROCESSABLE with the parts that a stored component names and that do not exist
 */
export type FindRunnable = (
  kind: RunnableKind,
  id: string,
  request?: VersionRequest,
) => Promise<Runnable | undefined>;

/** Looks up runnables that code declares. */
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
 * Looks up what code declares, then what is stored. A declaration hides a stored component with its id, of whichever
 * kind, except from runs that began with the stored one.
 */
export function findRunnableIn(parts: Parts, db: Db): FindRunnable {
  const findDeclared = findInRegistry(parts.registry);
  return async (kind, id, request) => {
    const isPinned = request !== undefined && "pinned" in request;
    if (!isPinned || (request.pinned === undefined && !request.config)) {
      const declared = await findDeclared(kind, id);
      if (declared && request && "unsaved" in request) throw hasNoDrafts(kind, id);
      if (declared || isPinned) return declared;
      if (declaredIn(parts.registry).some((one) => one.id === id)) return undefined;
    }
    const component = await getComponent(db, id);
    if (component?.component_type !== kind) return undefined;
    const version = await versionFor(db, component, request);
    if (!version) return undefined;
    const children: Target[] = [];
    const onChild = (child: Target) => children.push(child);
    const { value, faults } = await buildComponent({ component, version }, parts, db, { onChild });
    if (version.stage === "draft" && request && "requireRun" in request) request.requireRun?.(children);
    if (request && faults.length > 0) throw cannotBeBuilt(component, version, faults);
    if (value.kind === "skill") return undefined;
    return isUnsaved(request) ? withoutVersion(value) : value;
  };
}

/** Whether there is such a runnable, archived or not: its runs can be read without building it. */
export type KnowsRunnable = (kind: RunnableKind, id: string) => Promise<boolean>;

export const knowsRunnableIn = (registry: Registry, db: Db): KnowsRunnable => {
  const findDeclared = findInRegistry(registry);
  return async (kind, id) =>
    (await findDeclared(kind, id)) !== undefined || (await getComponent(db, id))?.component_type === kind;
};

async function versionFor(
  db: Db,
  component: ComponentRecord,
  request: VersionRequest | undefined,
): Promise<VersionRecord | undefined> {
  const { component_id: id, current_version, deleted_at } = component;
  if (request && "pinned" in request) {
    if (request.config) return unsavedVersion(component, request.config);
    return request.pinned === undefined ? undefined : getVersion(db, id, request.pinned);
  }
  if (deleted_at !== undefined || (request && !maySee(request.reader, component))) return undefined;
  if (request && "unsaved" in request) {
    // It knows every key of a config: few runs try a draft, and no other loads that.
    const { refuseUnstorable } = await import("./refuse-unstorable.ts");
    await refuseUnstorable(db, request.reader, component, request.unsaved);
    return unsavedVersion(component, request.unsaved);
  }
  const wanted = request?.version ?? current_version;
  const version = wanted === undefined ? undefined : await getVersion(db, id, wanted);
  const isHidden = request && version?.stage === "draft" && !mayChange(request.reader, component);
  if (request?.version !== undefined && (!version || isHidden))
    throw notFound("version", String(request.version));
  return version;
}

const isUnsaved = (request: VersionRequest | undefined): boolean =>
  request !== undefined && ("unsaved" in request || ("config" in request && request.config !== undefined));

/** A run of a config that is not stored names no version. */
function withoutVersion(runnable: Runnable): Runnable {
  const { version: _, ...others } = runnable;
  return others;
}

const hasNoDrafts = (kind: RunnableKind, id: string): ServiceError =>
  new ServiceError("BAD_REQUEST", `${kind} ${id} is declared in code, so it has no drafts`);

const cannotBeBuilt = (
  { component_type, component_id }: ComponentRecord,
  { version }: VersionRecord,
  faults: readonly Fault[],
): ServiceError =>
  new ServiceError(
    "UNPROCESSABLE",
    `${component_type} ${component_id}, version ${version}, cannot be run: ${faults.map(({ message }) => message).join("; ")}`,
    { faults },
  );

/** A config as a version that is not stored. Its members and steps are the live ones. */
const unsavedVersion = (
  { component_id, next_version, created_at }: ComponentRecord,
  config: Config,
): VersionRecord => ({
  component_id,
  version: next_version,
  stage: "draft",
  config: storedConfig(config),
  links: [],
  created_at,
});
