/** Where clients read about the authorization server. @source RFC 8414, section 3 */
export const OAUTH_SERVER_PATH = "/.well-known/oauth-authorization-server";

/** Its endpoints. */
export const oauthPaths = {
  authorize: "/oauth/authorize",
  consent: "/oauth/consent",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  register: "/oauth/register",
  apps: "/oauth/apps",
} as const;

/** The page of the console that asks a user, with the request of the client as its query. */
export const CONSENT_PAGE = "/console/connect";
