import type { Handler } from "../../../shared/http/handler.ts";
import type { oauthRoutes } from "../../../shared/routes/protocols/oauth.ts";
import { checkedRequest } from "./checked-request.ts";
import type { OauthDeps } from "./oauth-deps.ts";
import { shownTarget } from "./redirects.ts";

/** What the page shows before a user decides. */
export const describeConsent: Handler<typeof oauthRoutes.describeConsent, OauthDeps> = async (
  { query, principal, origin },
  deps,
) => {
  const checked = await checkedRequest(query, principal, origin, deps);
  const lasts_seconds = deps.oauth.grantSeconds;
  if ("redirect_to" in checked) return { ...checked, client: null, scopes: [], lasts_seconds };
  const { client, redirect_uri, scopes } = checked;
  return {
    redirect_to: null,
    client: { name: client.name, host: client.host ?? null, ...shownTarget(redirect_uri) },
    scopes: [...scopes],
    lasts_seconds,
  };
};
