import * as v from "valibot";
import { type Handler, Reply } from "../../../shared/http/handler.ts";
import type { oauthRoutes } from "../../../shared/routes/protocols/oauth.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { RevocationRequest } from "../../../shared/schemas/access/oauth.ts";
import { findAppToken, getGrant } from "../../../shared/stores/oauth/find-app-token.ts";
import { endGrant } from "../../../shared/stores/oauth/grants.ts";
import type { StoredGrant } from "../../../shared/stores/oauth/oauth-items.ts";
import type { OauthDeps } from "./oauth-deps.ts";
import { formFields, NOT_KEPT, oauthRefusal } from "./oauth-refusal.ts";
import { isSame, parsedRefreshToken, sha256 } from "./secrets.ts";

/** Ends the grant of a token that its client gives back. @source RFC 7009, section 2.2: what is not known is answered the same */
export const revokeOauthToken: Handler<typeof oauthRoutes.revokeOauthToken, OauthDeps> = async (
  { body, headers },
  { db, clock },
) => {
  const parsed = v.safeParse(RevocationRequest, formFields(body, headers["content-type"]));
  if (!parsed.success) return oauthRefusal("invalid_request", "token is needed, in a form");
  const { token, client_id } = parsed.output;
  const grant = await grantOf(token, { db });
  if (grant && (client_id === undefined || client_id === grant.client_id)) {
    await endGrant(db, grant, epochSeconds(clock), false);
  }
  return new Reply(200, undefined, NOT_KEPT);
};

/** The grant of a token that is valid, or was until the last refresh. */
async function grantOf(token: string, { db }: Pick<OauthDeps, "db">): Promise<StoredGrant | undefined> {
  const named = parsedRefreshToken(token);
  if (!named) {
    const access = await findAppToken(db, sha256(token));
    return access && getGrant(db, access.account_id);
  }
  const grant = await getGrant(db, named.grantId);
  const hash = sha256(named.secret);
  return isSame(grant?.refresh_hash, hash) || isSame(grant?.previous_hash, hash) ? grant : undefined;
}
