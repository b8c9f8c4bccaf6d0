import { callerOf } from "../../../shared/auth/caller.ts";
import type { Principal } from "../../../shared/auth/principal.ts";
import { noLinks } from "../../../shared/domain/components/component-change.ts";
import { requireGuard } from "../../../shared/domain/components/guard.ts";
import { planDetails } from "../../../shared/domain/components/plan-details.ts";
import { notFound } from "../../../shared/errors.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { ComponentType } from "../../../shared/schemas/components/component.ts";
import type { UpdateComponentBody } from "../../../shared/schemas/components/component-bodies.ts";
import type { CheckedComponent } from "../../../shared/schemas/components/config-check.ts";
import { changeComponent } from "../../../shared/stores/components/change-component.ts";
import { getVersion } from "../../../shared/stores/components/version-item.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { auditIfForced, forcedFacts } from "../inspect/audit-if-forced.ts";
import { refuseDeclared } from "../require-undeclared.ts";
import { ofType, requireChangeable } from "../visible-component.ts";
import { shownWarnings, wireComponent } from "../wire-component.ts";
import { type MadeLive, makeLive } from "./make-live.ts";

/**
 * Changes what a component is called, or which version is live. Values given here take precedence over that version's.
 *
 * @param options.force  whether a version that cannot run goes live all the same
 * @param options.type   the only type that is looked for; undefined for any
 */
export async function changeDetails(
  deps: ComponentsDeps,
  principal: Principal,
  id: string,
  body: UpdateComponentBody,
  { force, type }: { readonly force: boolean; readonly type?: ComponentType },
): Promise<CheckedComponent> {
  const { db, clock } = deps;
  const caller = callerOf(principal);
  const now = epochSeconds(clock);
  let live: MadeLive | undefined;
  const { component } = await changeComponent(db, id, async (seen) => {
    refuseDeclared(deps, seen, id, type);
    const before = requireChangeable(caller, ofType(seen, type), id);
    requireGuard(body.guard, { current_version: before.current_version });
    const { current_version: number } = body;
    live =
      number == null
        ? undefined
        : await makeLive(deps, principal, before, { found: await getVersion(db, id, number), number, force });
    const changed = planDetails(live?.component ?? before, body, now) ?? live?.component;
    return { change: changed && { ...noLinks, component: changed }, facts: forcedFacts(live) };
  });
  if (!component) throw notFound("component", id);
  if (live?.version) auditIfForced(deps, principal, live.version, live);
  return { ...wireComponent(component), ...shownWarnings(live) };
}
