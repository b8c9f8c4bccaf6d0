import { callerOf } from "../../../shared/auth/caller.ts";
import type { Principal } from "../../../shared/auth/principal.ts";
import { missingRunScope, missingScopesText } from "../../../shared/auth/require-run.ts";
import { maySubscribeToAll, SUBSCRIBE_TO_ALL } from "../../../shared/auth/scopes/may-subscribe-to-all.ts";
import { checkLinks } from "../../../shared/domain/components/check-links.ts";
import type { Relied } from "../../../shared/domain/components/component-change.ts";
import { inspectConfig } from "../../../shared/domain/components/inspect-config.ts";
import type { VersionContent } from "../../../shared/domain/components/plan-version.ts";
import type { Fault } from "../../../shared/errors.ts";
import type { ComponentRecord } from "../../../shared/schemas/components/component-record.ts";
import type { ConfigWarning } from "../../../shared/schemas/components/config-check.ts";
import { readLinked } from "../../../shared/stores/components/read-relatives.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import type { Unlinked } from "../versions/content-of.ts";
import { buildFaults } from "./build-faults.ts";
import { gateFaults } from "./gate-faults.ts";
import { resolveLinks } from "./resolve-links.ts";

type Needs = Pick<ComponentsDeps, "db" | "codeDefined" | "parts">;
type GivenLinks = readonly Readonly<Record<string, unknown>>[];

/** What is known of a version before it is written. */
export type Inspected = {
  readonly content: VersionContent;
  /** What the write relies on. */
  readonly checked: { readonly relied: Relied; readonly children: string[] };
  /** With any of these it cannot be stored: links, rights, keys that are refused. The first one decides the answer. */
  readonly refusals: readonly Fault[];
  /** Scopes that the caller lacks to run what it links. */
  readonly missingScopes: readonly string[];
  /** With any of these it cannot run; of a draft they are found when it is published. */
  readonly faults: readonly Fault[];
  readonly warnings: readonly ConfigWarning[];
};

/**
 * Finds out everything that is wrong with a version.
 *
 * @param requestedLinks  the links of the request; undefined to derive them from the config
 * @param number          of the version; undefined for a new one
 * @throws ServiceError BAD_REQUEST for links that are none, or that lead to more than can be read
 */
export async function inspectVersion(
  deps: Needs,
  principal: Principal,
  component: ComponentRecord,
  unlinked: Unlinked,
  requestedLinks: GivenLinks | undefined,
  number?: number,
): Promise<Inspected> {
  const type = component.component_type;
  const { config } = unlinked;
  const isPublished = unlinked.stage === "published";
  const { warnings, refusals: refusedKeys } = inspectConfig(type, config);
  const resolved = await resolveLinks(deps, callerOf(principal), type, config, requestedLinks);
  const { links, relatives, hidden, pathOf } = resolved;
  const content = { ...unlinked, links, linksGiven: requestedLinks !== undefined };
  const isCodeDefined = (id: string) => deps.codeDefined.some((one) => one.id === id);
  const rules = { publishing: isPublished, isCodeDefined, pathOf };
  const checked = checkLinks(component, links, relatives, rules);
  if (hidden.length > 0)
    return {
      ...{ content, checked, warnings, faults: [], missingScopes: [] },
      refusals: [...hidden, ...refusedKeys],
    };
  const missing = await missingRights(deps, principal, type, { config, links });
  // Whoever runs a published component, its receiver is notified.
  const maySubscribe =
    config.callback === undefined || config.callback === null || maySubscribeToAll(principal);
  const refusals = [
    ...resolved.faults,
    ...missing.map(({ id, scope }) => withoutRight(pathOf(id), scope)),
    ...(maySubscribe ? [] : [withoutRight("callback", SUBSCRIBE_TO_ALL)]),
    ...checked.faults,
    ...refusedKeys,
  ];
  const version = { config, links: [...links] };
  const built = isPublished
    ? [
        ...(await buildFaults(deps, component, version)),
        ...(await gateFaults(deps, component, number, version)),
      ]
    : [];
  const missingScopes = [...missing.map(({ scope }) => scope), ...(maySubscribe ? [] : [SUBSCRIBE_TO_ALL])];
  // What is refused already is not said twice.
  const faults = built.filter(({ path }) => path === "" || !refusals.some((one) => one.path === path));
  return { content, checked, refusals, missingScopes, faults, warnings };
}

const withoutRight = (path: string, scope: string): Fault => ({
  path,
  message: missingScopesText([scope]),
  error_code: "UNAUTHORIZED",
});

/** What a principal may not run of what a version links, through every level of stored components. */
async function missingRights(
  { db, codeDefined }: Needs,
  principal: Principal,
  type: ComponentRecord["component_type"],
  { config, links }: Pick<VersionContent, "config" | "links">,
): Promise<{ readonly id: string; readonly scope: string }[]> {
  if (principal.admin) return [];
  const targets = await readLinked(db, type, [{ config, links: [...links] }], codeDefined);
  return targets.flatMap((target) => {
    const scope = missingRunScope(principal, target);
    return scope === undefined ? [] : [{ id: target.id, scope }];
  });
}
