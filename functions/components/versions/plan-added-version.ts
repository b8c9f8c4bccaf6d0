import type { Principal } from "../../../shared/auth/principal.ts";
import { planNewVersion } from "../../../shared/domain/components/plan-version.ts";
import type { CreateRunnableBody } from "../../../shared/schemas/components/component-bodies.ts";
import type { ComponentRecord } from "../../../shared/schemas/components/component-record.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { inspectVersion } from "../inspect/inspect-version.ts";
import { refuseFaults } from "../inspect/refuse-faults.ts";
import type { Unlinked } from "./content-of.ts";

/**
 * A component with a new version that may be stored.
 *
 * @param force  whether it goes live although it cannot run
 * @returns the change, and what was found out about the version
 * @throws ServiceError as `inspectVersion` and `refuseFaults` say
 */
export async function planAddedVersion(
  deps: Pick<ComponentsDeps, "db" | "codeDefined" | "parts">,
  principal: Principal,
  component: ComponentRecord,
  version: { readonly unlinked: Unlinked; readonly links: CreateRunnableBody["links"] },
  { now, force }: { readonly now: number; readonly force: boolean },
) {
  const links = version.links ?? undefined;
  const found = await inspectVersion(deps, principal, component, version.unlinked, links);
  refuseFaults(found, force);
  return { change: planNewVersion(component, found.content, found.checked, now), found };
}
