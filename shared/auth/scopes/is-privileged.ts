import { isAdminScope } from "./admin-scope.ts";
import { SUBSCRIBE_TO_ALL } from "./may-subscribe-to-all.ts";
import { parseScope } from "./parse-scope.ts";
import { FEEDBACK_OF_ALL } from "./sees-all-feedback.ts";

/** Whoever may make accounts, or read what everybody did. */
const privileged = new Set(["service_accounts", "audit"]);
const changing = new Set(["write", "delete"]);

/**
 * Whether a scope lets its holder change or delete things, create further credentials, read the audit, receive events of all
 * users' runs, or see and write all feedback.
 *
 * @source docs/interface/access.md 5.4
 */
export function isPrivileged(scope: string, adminScope: string): boolean {
  if (isAdminScope(scope, adminScope) || scope === SUBSCRIBE_TO_ALL || scope === FEEDBACK_OF_ALL) return true;
  const parsed = parseScope(scope);
  return parsed !== undefined && (changing.has(parsed.action) || privileged.has(parsed.resource));
}
