import { callerOf } from "../auth/caller.ts";
import type { Principal } from "../auth/principal.ts";
import { readableIds } from "../auth/scopes/scopes.ts";
import { audiencesOf, maySee, maySeeVersion, type Reader } from "../domain/components/audience.ts";
import { describeStored } from "../engine/component/describe-stored.ts";
import { declaredIn, type Registry } from "../engine/define/registry.ts";
import type { RunnableKind } from "../engine/define/runnable.ts";
import type { Models } from "../engine/model/models.ts";
import { notFound } from "../errors.ts";
import { getComponent } from "../stores/components/component-item.ts";
import { newestComponents } from "../stores/components/list-components.ts";
import { getVersion } from "../stores/components/version-item.ts";
import type { Db } from "../stores/db.ts";

export type RunnablesDeps = {
  readonly db: Db;
  readonly registry: Registry;
  readonly models: Pick<Models, "describe">;
};

/**
 * The stored components of a kind that the caller may see and read, the newest first.
 *
 * @source docs/interface/components.md 6.1
 */
export async function listStored<K extends RunnableKind>(
  kind: K,
  principal: Principal,
  { db, registry, models }: RunnablesDeps,
) {
  const ids = readableIds(principal, `${kind}s`);
  const components = await newestComponents(db, {
    audiences: audiencesOf(readerOf(principal)),
    type: kind,
    hidden: declaredIn(registry).map(({ id }) => id),
  });
  const readable = components.filter(({ component_id }) => ids === "all" || ids.has(component_id));
  const shown = await Promise.all(readable.map((one) => describeStored(kind, one, { registry, models }, db)));
  return shown.filter((one) => one !== undefined);
}

/**
 * One stored component of a kind.
 *
 * @param number  the version to show; the live one when absent
 * @throws ServiceError NOT_FOUND also for what the caller may not see
 */
export async function showStored<K extends RunnableKind>(
  kind: K,
  id: string,
  principal: Principal,
  { db, registry, models }: RunnablesDeps,
  number?: number,
) {
  const caller = readerOf(principal);
  const component = await getComponent(db, id);
  const isHidden = declaredIn(registry).some((one) => one.id === id);
  const isShown = component && !isHidden && component.deleted_at === undefined && maySee(caller, component);
  if (!isShown) throw notFound(kind, id);
  const version = number === undefined ? undefined : await getVersion(db, id, number);
  const isSecret = number !== undefined && !(version && maySeeVersion(caller, component, version));
  const shown = isSecret
    ? undefined
    : await describeStored(kind, component, { registry, models }, db, version);
  if (!shown) throw notFound(kind, id);
  return shown;
}

/** A credential without a user owns nothing, and sees what everybody sees. */
const readerOf = (principal: Principal): Reader =>
  principal.user_id === null && !principal.admin ? { seesAll: false, user_id: null } : callerOf(principal);
