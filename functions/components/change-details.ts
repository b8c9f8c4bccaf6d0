import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { noLinks } from "../../shared/domain/components/component-change.ts";
import { requireGuard } from "../../shared/domain/components/guard.ts";
import { planCurrent } from "../../shared/domain/components/plan-current.ts";
import { planDetails } from "../../shared/domain/components/plan-details.ts";
import { notFound } from "../../shared/errors.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { Component, ComponentType } from "../../shared/schemas/components/component.ts";
import type { UpdateComponentBody } from "../../shared/schemas/components/component-bodies.ts";
import type { ComponentRecord } from "../../shared/schemas/components/component-record.ts";
import { changeComponent } from "../../shared/stores/components/change-component.ts";
import { getVersion } from "../../shared/stores/components/get-version.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import { requireRunOfLinked } from "./require-run-of-linked.ts";
import { refuseDeclared } from "./require-undeclared.ts";
import { ofType, requireChangeable } from "./visible-component.ts";
import { wireComponent } from "./wire-component.ts";

/**
 * Changes what a component is called, or which version is live. Values given here take precedence over that version's.
 *
 * @param type  the only type that is looked for; undefined for any
 * @source contract, components-and-platform A3, A5
 */
export async function changeDetails(
  deps: ComponentsDeps,
  principal: Principal,
  id: string,
  body: UpdateComponentBody,
  type?: ComponentType,
): Promise<Component> {
  const { db, clock } = deps;
  const caller = callerOf(principal);
  const now = epochSeconds(clock);
  const withLive = async (found: ComponentRecord, number: number) => {
    const version = await getVersion(db, id, number);
    const live = planCurrent(found, version, number, now);
    if (version) await requireRunOfLinked(deps, principal, found.component_type, [version]);
    return live;
  };
  const { component } = await changeComponent(db, id, async (seen) => {
    refuseDeclared(deps, seen, id, type);
    const found = requireChangeable(caller, ofType(seen, type), id);
    requireGuard(body.guard, { current_version: found.current_version });
    const live = body.current_version == null ? undefined : await withLive(found, body.current_version);
    const changed = planDetails(live ?? found, body, now) ?? live;
    return { change: changed && { ...noLinks, component: changed } };
  });
  if (!component) throw notFound("component", id);
  return wireComponent(component);
}
