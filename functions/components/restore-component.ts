import { callerOf } from "../../shared/auth/caller.ts";
import { mayChange } from "../../shared/domain/components/audience.ts";
import type { Relatives } from "../../shared/domain/components/check-links.ts";
import { planRestore } from "../../shared/domain/components/plan-archive.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { componentRoutes } from "../../shared/routes/components.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ComponentLink } from "../../shared/schemas/components/component-record.ts";
import { changeComponent } from "../../shared/stores/components/change-component.ts";
import { readComponents } from "../../shared/stores/components/component-item.ts";
import { listVersions } from "../../shared/stores/components/version-item.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import { requireRunOfLinked } from "./inspect/require-run-of-linked.ts";
import { requireUndeclared } from "./require-undeclared.ts";
import { requireChangeable } from "./visible-component.ts";
import { wireComponent } from "./wire-component.ts";

/**
 * @throws ServiceError NOT_FOUND for one that is unknown or whose archive is not the caller's; CONFLICT for a live one
 *   and for an id that code declares by now; UNAUTHORIZED for who may not run what its published versions link
 */
export const restoreComponent: Handler<typeof componentRoutes.restoreComponent, ComponentsDeps> = async (
  { params, principal },
  deps,
) => {
  const { db, clock } = deps;
  const id = params.component_id;
  const caller = callerOf(principal);
  const { component } = await changeComponent(db, id, async (seen) => {
    // An archived component is hidden from callers who may not restore it.
    if (!seen || (seen.deleted_at !== undefined && !mayChange(caller, seen))) throw notFound("component", id);
    if (seen.deleted_at === undefined) requireChangeable(caller, seen, id);
    const versions = await listVersions(db, id);
    const links = versions.flatMap((version) => version.links);
    const change = planRestore(seen, links, await childrenOf(db, links), epochSeconds(clock));
    requireUndeclared(deps, id);
    // Whoever may run the component may run any published version of it; drafts are checked when they are run.
    const published = versions.filter(({ stage }) => stage === "published");
    await requireRunOfLinked(deps, principal, seen.component_type, published);
    return { change };
  });
  if (!component) throw notFound("component", id);
  return wireComponent(component);
};

async function childrenOf(db: Db, links: readonly ComponentLink[]): Promise<Relatives> {
  const ids = [...new Set(links.map((link) => link.child_component_id))];
  const stored = new Map((await readComponents(db, ids)).map((one) => [one.component_id, one]));
  return new Map(ids.map((id) => [id, { component: stored.get(id), versions: new Map() }]));
}
