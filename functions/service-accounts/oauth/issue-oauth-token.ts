import * as v from "valibot";
import type { Handler, Reply } from "../../../shared/http/handler.ts";
import type { oauthRoutes } from "../../../shared/routes/protocols/oauth.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { TokenRequest } from "../../../shared/schemas/access/oauth.ts";
import { getGrant } from "../../../shared/stores/oauth/find-app-token.ts";
import { getCode, isLive, takeCode } from "../../../shared/stores/oauth/grants.ts";
import { endedBy, invalid, issued } from "./issued-tokens.ts";
import type { OauthDeps } from "./oauth-deps.ts";
import { formFields, oauthRefusal } from "./oauth-refusal.ts";
import { refreshTokens } from "./refresh-tokens.ts";
import { seal, unseal } from "./sealed.ts";
import { newSecret, provesChallenge, sha256 } from "./secrets.ts";

/** Gives tokens. Everything that does not hold is one refusal, which does not say what it was. */
export const issueOauthToken: Handler<typeof oauthRoutes.issueOauthToken, OauthDeps> = async (
  { body, headers },
  deps,
) => {
  const parsed = v.safeParse(TokenRequest, formFields(body, headers["content-type"]));
  if (!parsed.success)
    return oauthRefusal("invalid_request", "grant_type and client_id are needed, in a form");
  switch (parsed.output.grant_type) {
    case "authorization_code":
      return exchange(parsed.output, deps);
    case "refresh_token":
      return refreshTokens(parsed.output, deps);
    default:
      return oauthRefusal("unsupported_grant_type", "grant_type is authorization_code or refresh_token");
  }
};

/**
 * Gives the first tokens for a code, once. A code that comes back ends what it has led to: another one may have had it.
 *
 * @source RFC 6749, section 4.1.2; RFC 9700, section 4.5
 */
async function exchange(asked: TokenRequest, deps: OauthDeps): Promise<Reply> {
  const { code = "", redirect_uri, code_verifier = "", resource, client_id } = asked;
  const hash = sha256(code);
  const found = await getCode(deps.db, hash);
  if (!found || found.client_id !== client_id || found.redirect_uri !== redirect_uri) return invalid();
  if (!provesChallenge(code_verifier, found.code_challenge)) return invalid();
  if (resource !== found.resource) return oauthRefusal("invalid_target", "resource is not that of the code");
  const now = epochSeconds(deps.clock);
  const grant = await getGrant(deps.db, found.grant_id);
  if (!grant) return invalid();
  if (!(await takeCode(deps.db, hash, now))) return endedBy("a code came back", grant, now, deps);
  if (found.valid_until <= now || !isLive(grant, now)) return invalid();
  const secret = newSecret();
  const { id, scopes, issuer_token } = grant;
  const rotation = {
    ...{ from: undefined, to: sha256(secret), now },
    ...(issuer_token !== undefined && { issuer_token: seal(unseal(issuer_token, code, id), secret, id) }),
  };
  return issued(grant, scopes, secret, rotation, deps);
}
