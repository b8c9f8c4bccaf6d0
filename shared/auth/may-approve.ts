import { accessRows } from "../routes/access-rows.ts";
import type { Principal } from "./principal.ts";
import { namedAdminScope } from "./scopes/admin-scope.ts";
import { mayCall } from "./scopes/scopes.ts";

/**
 * Who resolves approvals.
 *
 *   admins   an admin, anybody's and its own
 *   scope    who holds the scope to resolve, anybody's but its own; an admin holds every scope
 */
export const approverKinds = ["admins", "scope"] as const;
export type Approvers = (typeof approverKinds)[number];

const { method, path, scopes } = accessRows.runs.resolveApproval ?? missing();

function missing(): never {
  throw new Error("there is no route that resolves approvals");
}

/** Whether a principal holds the scope to resolve approvals. */
export const holdsApproving = (principal: Pick<Principal, "scopes" | "admin">): boolean =>
  scopes !== "public" && mayCall(principal, scopes, { method, path, params: {} });

/** Whether a principal resolves other people's approvals, and so sees them. */
export const isApprover = (principal: Pick<Principal, "scopes" | "admin">, approvers: Approvers): boolean =>
  approvers === "admins" ? principal.admin : holdsApproving(principal);

/**
 * Whether a principal may resolve one approval.
 *
 * @param requester  user whose run asks for it; null for a run without a user, which a principal without a subject cannot
 *                   distinguish from its own
 * @param isOwn      whether the rule of four eyes takes the requester for the principal; see `ownRequests`
 */
export const mayApprove = (
  principal: Pick<Principal, "scopes" | "admin">,
  requester: string | null,
  approvers: Approvers,
  isOwn: (requester: string | null) => boolean,
): boolean => isApprover(principal, approvers) && !isOwn(requester);

/** Who can resolve an approval, for the text of a refusal. */
export const whoApproves = (approvers: Approvers, adminScope: string): string =>
  approvers === "admins"
    ? `an admin (${namedAdminScope(adminScope)})`
    : `another principal with ${[scopes].flat().join(", ")}`;
