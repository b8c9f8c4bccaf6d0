import { randomBytes } from "node:crypto";
import type { Handler } from "../../../shared/http/handler.ts";
import type { oauthRoutes } from "../../../shared/routes/protocols/oauth.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { keepClient } from "../../../shared/stores/oauth/clients.ts";
import { createGrant } from "../../../shared/stores/oauth/grants.ts";
import { newGrantId, type StoredGrant } from "../../../shared/stores/oauth/oauth-items.ts";
import { checkedRequest } from "./checked-request.ts";
import { grantSeconds, type OauthDeps } from "./oauth-deps.ts";
import { redirectTo, shownTarget } from "./redirects.ts";
import { seal } from "./sealed.ts";
import { newCode, sha256 } from "./secrets.ts";

const CODE_SECONDS = 60;
const DAY_SECONDS = 86_400;
/** What has ended is kept for a day, so that a token that comes back later is known. */
const KEPT_SECONDS = DAY_SECONDS;
const CLIENT_SECONDS = 90 * DAY_SECONDS;

/**
 * Lets a client in, or does not. The request is checked again as a whole, and the scopes are those that the user ticked, as far as
 * they were offered.
 *
 * @source docs/interface/oauth.md 1.2, 1.9
 */
export const decideConsent: Handler<typeof oauthRoutes.decideConsent, OauthDeps> = async (
  { body, principal, origin },
  deps,
) => {
  const checked = await checkedRequest(body, principal, origin, deps);
  if ("redirect_to" in checked) return checked;
  const { client, redirect_uri, code_challenge, resource, state, issuer, user_id } = checked;
  const scopes = checked.scopes.filter((scope) => body.granted.includes(scope));
  if (!body.approve || scopes.length === 0) {
    return { redirect_to: redirectTo(redirect_uri, { error: "access_denied", state, iss: issuer }) };
  }
  const now = epochSeconds(deps.clock);
  const issuerToken = deps.oauth.askIssuer && body.issuer_token;
  const valid_until = now + grantSeconds(deps, issuerToken !== undefined);
  const id = newGrantId(randomBytes(16).toString("hex"));
  const code = newCode();
  const grant: StoredGrant = {
    id,
    user_id,
    client_id: client.id,
    name: client.name,
    ...(client.host !== undefined && { host: client.host }),
    goes_to: shownTarget(redirect_uri).goes_to,
    resource,
    scopes,
    created_at: now,
    valid_until,
    expires_at: valid_until + KEPT_SECONDS,
    ...(issuerToken !== undefined && { issuer_token: seal(issuerToken, code, id) }),
  };
  await createGrant(deps.db, grant, {
    hash: sha256(code),
    grant_id: grant.id,
    client_id: client.id,
    redirect_uri,
    resource,
    code_challenge,
    valid_until: now + CODE_SECONDS,
    expires_at: now + KEPT_SECONDS,
  });
  if (client.host === undefined) await keepClient(deps.db, client.id, now + CLIENT_SECONDS);
  return { redirect_to: redirectTo(redirect_uri, { code, state, iss: issuer }) };
};
