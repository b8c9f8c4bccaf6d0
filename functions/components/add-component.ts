import { createHash } from "node:crypto";
import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { idProblem, mintedId } from "../../shared/domain/components/component-id.ts";
import { planDetails } from "../../shared/domain/components/plan-details.ts";
import { ServiceError } from "../../shared/errors.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ComponentType } from "../../shared/schemas/components/component.ts";
import type { CreateRunnableBody } from "../../shared/schemas/components/component-bodies.ts";
import type { ComponentRecord } from "../../shared/schemas/components/component-record.ts";
import type { CheckedComponent } from "../../shared/schemas/components/config-check.ts";
import { changeComponent } from "../../shared/stores/components/change-component.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import { auditIfForced, forcedFacts } from "./inspect/audit-if-forced.ts";
import type { Inspected } from "./inspect/inspect-version.ts";
import { requireUndeclared } from "./require-undeclared.ts";
import { contentOf } from "./versions/content-of.ts";
import { planAddedVersion } from "./versions/plan-added-version.ts";
import { shownWarnings, wireComponent } from "./wire-component.ts";

/**
 * Creates a component and its first version.
 *
 * @param force  whether a version that cannot run is published all the same
 * @throws ServiceError BAD_REQUEST for an id that cannot be used or is taken, also by an archived component; CONFLICT for
 *   one that code declares
 */
export async function addComponent(
  deps: ComponentsDeps,
  principal: Principal,
  type: ComponentType,
  body: CreateRunnableBody,
  force = false,
): Promise<CheckedComponent> {
  const caller = callerOf(principal);
  const now = epochSeconds(deps.clock);
  const component = newComponent(caller, type, body, now);
  requireUndeclared(deps, component.component_id);
  const version = { unlinked: contentOf(body), links: body.links };
  let found: Inspected | undefined;
  const written = await changeComponent(deps.db, component.component_id, async (seen) => {
    if (seen) throw new ServiceError("BAD_REQUEST", `component_id ${component.component_id} is taken`);
    const planned = await planAddedVersion(deps, principal, component, version, { now, force });
    const { change } = planned;
    found = planned.found;
    // A version that goes live at once does not rename what the request has named.
    const isLive = change.component.current_version !== undefined;
    const named = isLive ? planDetails(change.component, body, now) : undefined;
    return { change: named ? { ...change, component: named } : change, facts: forcedFacts(found) };
  });
  if (written.change?.after) auditIfForced(deps, principal, written.change.after, found);
  return { ...wireComponent(written.component ?? component), ...shownWarnings(found) };
}

function newComponent(
  caller: Caller,
  component_type: ComponentType,
  { component_id, name, description, metadata }: CreateRunnableBody,
  now: number,
): ComponentRecord {
  const invalid = component_id != null && idProblem(component_id);
  if (invalid) throw new ServiceError("BAD_REQUEST", invalid);
  return {
    component_id: component_id ?? mintedId(name, suffixFor(caller)),
    component_type,
    name,
    ...(description != null && { description }),
    ...(metadata != null && { metadata }),
    ...(caller.user_id !== null && { user_id: caller.user_id }),
    created_at: now,
    revision: 0,
    next_version: 1,
    living_versions: 0,
    children: [],
  };
}

const SUFFIX_DIGITS = 8;

/** Distinguishes users who give the same name. */
const suffixFor = (caller: Caller): string | undefined =>
  caller.seesAll
    ? undefined
    : createHash("sha256").update(caller.user_id).digest("hex").slice(0, SUFFIX_DIGITS);
