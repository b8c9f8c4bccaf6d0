import type { Match, Matched } from "../routes/matching/matcher.ts";
import type { AccessRow } from "../routes/route.ts";
import type { Decision } from "./decision.ts";
import type { Principal } from "./principal.ts";
import type { MappedScopes } from "./scopes/scope-mappings.ts";
import { isComponentPath, mayCall, scopeNames } from "./scopes/scopes.ts";

type Requested = {
  readonly method: string;
  readonly rawPath: string;
  readonly found: Match<string, AccessRow>;
};
type Rules = { readonly adminScope: string; readonly mappedScopes: MappedScopes };

/**
 * Decides whether an authenticated principal may make a request. Pure: callers from the network and the platform's own
 * (a schedule that acts for its owner) are checked by the same rules.
 *
 * @source docs/interface/access.md 5.2
 */
export function decide(principal: Principal, { method, rawPath, found }: Requested, rules: Rules): Decision {
  const matched = found && "operation" in found ? found : undefined;
  const mapped = matched && rules.mappedScopes(matched.route);
  const target = matched
    ? { method, path: matched.route.path, params: matched.params }
    : { method, path: rawPath, params: {} };
  const operation = matched?.operation ?? null;
  for (const required of requiredScopesOf(matched, mapped)) {
    if (mayCall(principal, required, target)) continue;
    const detail = refusal(scopeNames(required, rules.adminScope));
    return { outcome: "forbidden", operation, detail, user_id: principal.user_id };
  }
  return { outcome: "allow", operation, principal };
}

/**
 * Lists of scopes, each of which must be held. A mapping replaces a row's scopes, but agents, teams and workflows always
 * require their own too.
 */
function requiredScopesOf(
  matched: Matched<string, AccessRow> | undefined,
  mapped: readonly string[] | undefined,
): readonly (readonly string[])[] {
  const own = matched && matched.route.scopes !== "public" ? matched.route.scopes : [];
  if (!mapped) return [own];
  return matched && isComponentPath(matched.route.path) ? [mapped, own] : [mapped];
}

function refusal(required: readonly string[]): string {
  const suffix = required.length > 0 ? `. Required scope(s): ${required.join(", ")}` : "";
  return `Insufficient permissions${suffix}`;
}
