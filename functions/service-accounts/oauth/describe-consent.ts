import type { Handler } from "../../../shared/http/handler.ts";
import type { oauthRoutes } from "../../../shared/routes/protocols/oauth.ts";
import { checkedRequest } from "./checked-request.ts";
import { grantSeconds, type OauthDeps } from "./oauth-deps.ts";
import { shownTarget } from "./redirects.ts";

/** What the page shows before a user decides. */
export const describeConsent: Handler<typeof oauthRoutes.describeConsent, OauthDeps> = async (
  { query, principal, origin },
  deps,
) => {
  const checked = await checkedRequest(query, principal, origin, deps);
  const lasting = {
    lasts_seconds: grantSeconds(deps, true),
    lasts_unasked_seconds: grantSeconds(deps, false),
  };
  if ("redirect_to" in checked) return { ...checked, client: null, scopes: [], ...lasting };
  const { client, redirect_uri, scopes } = checked;
  return {
    redirect_to: null,
    client: { name: client.name, host: client.host ?? null, ...shownTarget(redirect_uri) },
    scopes: [...scopes],
    ...lasting,
  };
};
