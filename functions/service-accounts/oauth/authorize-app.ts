import { type Handler, Reply } from "../../../shared/http/handler.ts";
import type { oauthRoutes } from "../../../shared/routes/protocols/oauth.ts";
import { CONSENT_PAGE } from "../../../shared/routes/protocols/oauth-path.ts";

/**
 * Sends the browser on to our own page, never to an address of the request. The page asks with the user's credential, so that
 * without one nothing is checked, fetched or kept.
 */
export const authorizeApp: Handler<typeof oauthRoutes.authorizeApp, object> = async ({ query }) => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new Reply(302, undefined, {
    location: `${CONSENT_PAGE}?${new URLSearchParams(given)}`,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  });
};
