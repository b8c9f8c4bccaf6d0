/** The route table's name for "admin only"; the deployed name of that scope is configuration. */
export const ADMIN_ONLY = "platform:admin";

/**
 * Whether a scope is the admin scope: exactly that text. Admin is never compared part by part, so neither `*`, nor an
 * alias, nor a scope that would cover it as an id makes an admin, may be granted as one, or meets a route for admins.
 *
 * @param adminScope  the configured admin scope
 * @source contract, auth section 7, "Admin"
 */
export const isAdminScope = (scope: string, adminScope: string): boolean => scope === adminScope;

/** Whether the holder of these scopes is an admin. */
export const isAdmin = (scopes: readonly string[], adminScope: string): boolean =>
  scopes.some((scope) => isAdminScope(scope, adminScope));
