import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { checkLinks } from "../../shared/domain/components/check-links.ts";
import type { ComponentRecord } from "../../shared/schemas/components/component-record.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import type { Unlinked } from "./content-of.ts";
import { requireRunOfLinked } from "./require-run-of-linked.ts";
import { resolveLinks } from "./resolve-links.ts";

type Needs = Pick<ComponentsDeps, "db" | "codeDefined">;

/**
 * A version that may be stored, with its links, and what its write relies on.
 *
 * @param requestedLinks  the links of the request; undefined to derive them from the config
 * @throws ServiceError as `resolveLinks`, `requireRunOfLinked` and `checkLinks` say
 */
export async function checkVersion(
  deps: Needs,
  principal: Principal,
  component: ComponentRecord,
  content: Unlinked,
  requestedLinks: readonly Readonly<Record<string, unknown>>[] | undefined,
) {
  const type = component.component_type;
  const { config } = content;
  const { links, relatives } = await resolveLinks(deps, callerOf(principal), type, config, requestedLinks);
  await requireRunOfLinked(deps, principal, type, [{ config, links: [...links] }]);
  const isCodeDefined = (id: string) => deps.codeDefined.some((one) => one.id === id);
  const checked = checkLinks(component, links, relatives, content.stage === "published", isCodeDefined);
  return { content: { ...content, links, linksGiven: requestedLinks !== undefined }, checked };
}
