import type { Principal } from "../../shared/auth/principal.ts";
import { isAdminScope } from "../../shared/auth/scopes/admin-scope.ts";
import { mayGrant } from "../../shared/auth/scopes/may-grant.ts";
import { SUBSCRIBE_TO_ALL } from "../../shared/auth/scopes/may-subscribe-to-all.ts";
import { parseScope } from "../../shared/auth/scopes/parse-scope.ts";
import { FEEDBACK_OF_ALL } from "../../shared/auth/scopes/sees-all-feedback.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { MintServiceAccountBody } from "../../shared/schemas/access/service-account.ts";

const DEFAULT_DAYS = 90;
const DAY_SECONDS = 86_400;

export type MintPlan = { readonly scopes: readonly string[]; readonly valid_until: number | undefined };

/**
 * Decides whether an account with these scopes may be minted, and until when it is good.
 *
 * @param now  epoch seconds
 * @throws ServiceError BAD_REQUEST, UNAUTHENTICATED or UNAUTHORIZED, naming the scopes in question
 * @source docs/interface/service-accounts.md 2.1
 */
export function planMint(
  body: MintServiceAccountBody,
  principal: Principal,
  adminScope: string,
  now: number,
): MintPlan {
  const scopes = [...new Set(body.scopes.map(({ scope }) => scope))];
  refuseIfAny(scopes, (scope) => !isWellFormed(scope, adminScope), "BAD_REQUEST", "Not scopes");
  const privileged = (scope: string) => !body.allow_privileged_scopes && isPrivileged(scope, adminScope);
  refuseIfAny(scopes, privileged, "BAD_REQUEST", "Privileged scopes need allow_privileged_scopes");
  if (principal.kind === "anonymous") {
    throw new ServiceError("UNAUTHENTICATED", "A token cannot be minted without a credential");
  }
  refuseIfAny(
    scopes,
    (scope) => !mayGrant(principal, scope, adminScope),
    "UNAUTHORIZED",
    "Scopes that you do not hold",
  );
  const days = body.expires_in_days ?? DEFAULT_DAYS;
  return { scopes, valid_until: body.never_expires ? undefined : now + days * DAY_SECONDS };
}

/** Two parts or three, none of them empty. Unknown resources are let through: routes may come later. */
const isWellFormed = (scope: string, adminScope: string): boolean =>
  isAdminScope(scope, adminScope) || /^[^\s:]+(:[^\s:]+){1,2}$/.test(scope);

function refuseIfAny(
  scopes: readonly string[],
  isWrong: (scope: string) => boolean,
  code: "BAD_REQUEST" | "UNAUTHORIZED",
  what: string,
): void {
  const wrong = scopes.filter(isWrong);
  if (wrong.length > 0) throw new ServiceError(code, `${what}: ${wrong.join(", ")}`);
}

/** Whoever may make accounts, or read what everybody did. */
const privileged = new Set(["service_accounts", "audit"]);
const changing = new Set(["write", "delete"]);

/**
 * Whether a scope lets its holder change or delete things, create further credentials, read the audit, receive events of all
 * users' runs, or see and write all feedback.
 *
 * @source docs/interface/access.md 5.4
 */
function isPrivileged(scope: string, adminScope: string): boolean {
  if (isAdminScope(scope, adminScope) || scope === SUBSCRIBE_TO_ALL || scope === FEEDBACK_OF_ALL) return true;
  const parsed = parseScope(scope);
  return parsed !== undefined && (changing.has(parsed.action) || privileged.has(parsed.resource));
}
