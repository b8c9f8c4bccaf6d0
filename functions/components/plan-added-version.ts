import type { Principal } from "../../shared/auth/principal.ts";
import { planNewVersion } from "../../shared/domain/components/plan-version.ts";
import type { CreateRunnableBody } from "../../shared/schemas/components/component-bodies.ts";
import type { ComponentRecord } from "../../shared/schemas/components/component-record.ts";
import { checkVersion } from "./check-version.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import type { Unlinked } from "./content-of.ts";

/**
 * A component with a new version, whose links have been checked.
 *
 * @throws ServiceError as `checkVersion` says
 */
export async function planAddedVersion(
  deps: Pick<ComponentsDeps, "db" | "codeDefined">,
  principal: Principal,
  component: ComponentRecord,
  version: { readonly unlinked: Unlinked; readonly links: CreateRunnableBody["links"] },
  now: number,
) {
  const links = version.links ?? undefined;
  const { content, checked } = await checkVersion(deps, principal, component, version.unlinked, links);
  return planNewVersion(component, content, checked, now);
}
