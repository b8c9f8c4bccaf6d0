import { namedAdminScope } from "../../shared/auth/scopes/admin-scope.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { configRoutes } from "../../shared/routes/config.ts";
import { accountNameOf } from "../../shared/schemas/access/account-user-id.ts";
import type { ConfigDeps } from "./config-deps.ts";

/**
 * Who the caller's own credential is, and what it may do.
 *
 * @decided Ours: the interface has no such route, and a page must know what it need not offer.
 */
export const getMe: Handler<typeof configRoutes.getMe, Pick<ConfigDeps, "adminScope">> = async (
  { principal: { kind, user_id, scopes, admin } },
  { adminScope },
) => {
  const isAccount = kind === "service_account";
  const name = isAccount && user_id !== null ? accountNameOf(user_id) : undefined;
  return {
    id: user_id,
    kind: isAccount ? "service_account" : "user",
    ...(name !== undefined && { name }),
    scopes: [...scopes],
    is_admin: admin,
    admin_scope: namedAdminScope(adminScope),
  };
};
