/** The route table's name for "admin only"; the deployed name of that scope is configuration. */
export const ADMIN_ONLY = "platform:admin";

/** The admin scopes of the configuration, separated by commas. */
const adminScopesOf = (adminScope: string): string[] => adminScope.split(",");

/** The admin scope that refusals name, and that the platform's own admins hold. */
export const namedAdminScope = (adminScope: string): string => adminScopesOf(adminScope)[0] ?? adminScope;

/**
 * Whether a scope is an admin scope: exactly that text. Admin is never compared part by part, so neither `*`, nor an
 * alias, nor a scope that would cover it as an id makes an admin, may be granted as one, or meets a route for admins.
 * Another system's admins are admins here only where the configuration names their scope too.
 *
 * @param adminScope  the configured admin scope, or several, separated by commas
 */
export const isAdminScope = (scope: string, adminScope: string): boolean =>
  adminScopesOf(adminScope).includes(scope);

/** Whether the holder of these scopes is an admin. */
export const isAdmin = (scopes: readonly string[], adminScope: string): boolean =>
  scopes.some((scope) => isAdminScope(scope, adminScope));
