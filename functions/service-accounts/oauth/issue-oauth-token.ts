import * as v from "valibot";
import { type Handler, Reply } from "../../../shared/http/handler.ts";
import type { oauthRoutes } from "../../../shared/routes/protocols/oauth.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { TokenRequest } from "../../../shared/schemas/access/oauth.ts";
import { getGrant } from "../../../shared/stores/oauth/find-app-token.ts";
import {
  endGrant,
  getCode,
  isLive,
  type Rotation,
  takeCode,
  writeTokens,
} from "../../../shared/stores/oauth/grants.ts";
import type { StoredGrant } from "../../../shared/stores/oauth/oauth-items.ts";
import type { OauthDeps } from "./oauth-deps.ts";
import { formFields, NOT_KEPT, oauthRefusal } from "./oauth-refusal.ts";
import {
  isSame,
  newAppToken,
  newSecret,
  nextSecret,
  parsedRefreshToken,
  provesChallenge,
  refreshToken,
  sha256,
} from "./secrets.ts";

/** An access token is short, so that what is cached of it is short too. */
const ACCESS_SECONDS = 1_800;
/** How long a refresh whose answer was lost may be repeated. */
const REPEAT_SECONDS = 30;

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
      return refresh(parsed.output, deps);
    default:
      return oauthRefusal("unsupported_grant_type", "grant_type is authorization_code or refresh_token");
  }
};

const invalid = () => oauthRefusal("invalid_grant", "the code or token is not valid, or not for this client");

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
  return issued(grant, grant.scopes, secret, { from: undefined, to: sha256(secret), now }, deps);
}

/**
 * Gives a new access token and the next refresh token. One that was used before is good for the same answer for half a minute; later
 * it ends the grant.
 *
 * @source docs/interface/oauth.md 1.4; RFC 9700, section 4.14.2
 */
async function refresh(asked: TokenRequest, deps: OauthDeps): Promise<Reply> {
  const { client_id, refresh_token = "", resource, scope } = asked;
  const named = parsedRefreshToken(refresh_token);
  const grant = named && (await getGrant(deps.db, named.grantId));
  const now = epochSeconds(deps.clock);
  if (!named || !grant || grant.client_id !== client_id || !isLive(grant, now)) return invalid();
  if (resource !== undefined && resource !== grant.resource) {
    return oauthRefusal("invalid_target", "resource is not that of the grant");
  }
  const scopes = scope?.split(" ") ?? grant.scopes;
  if (!scopes.every((one) => grant.scopes.includes(one))) {
    return oauthRefusal("invalid_scope", "the user has granted less");
  }
  const used = sha256(named.secret);
  if (isSame(grant.refresh_hash, used)) {
    const salt = newSecret();
    const secret = nextSecret(named.secret, salt);
    const rotation = { from: used, to: sha256(secret), salt, now };
    const answer = await issued(grant, scopes, secret, rotation, deps);
    // Where another request was first, this one is its repetition.
    return answer.status === 200 ? answer : repeated(named.grantId, named.secret, scopes, now, deps);
  }
  return repeated(named.grantId, named.secret, scopes, now, deps);
}

async function repeated(
  grantId: string,
  secret: string,
  scopes: readonly string[],
  now: number,
  deps: OauthDeps,
): Promise<Reply> {
  const grant = await getGrant(deps.db, grantId);
  if (!grant || !isLive(grant, now)) return invalid();
  const { previous_hash, rotated_at = 0, rotation_salt } = grant;
  const isRecent = isSame(previous_hash, sha256(secret)) && now - rotated_at <= REPEAT_SECONDS;
  if (!isRecent || rotation_salt === undefined) return endedBy("a refresh token came back", grant, now, deps);
  return issued(grant, scopes, nextSecret(secret, rotation_salt), undefined, deps);
}

async function endedBy(
  reason: string,
  grant: StoredGrant,
  now: number,
  { db, log }: OauthDeps,
): Promise<Reply> {
  await endGrant(db, grant, now, false);
  log.warn("a connected app was disconnected", { app_id: grant.id, reason });
  return invalid();
}

/** @param rotation  undefined where the refresh token is the valid one already */
async function issued(
  grant: StoredGrant,
  scopes: readonly string[],
  secret: string,
  rotation: Rotation | undefined,
  { db, clock }: OauthDeps,
): Promise<Reply> {
  const now = epochSeconds(clock);
  const access_token = newAppToken();
  const valid_until = Math.min(now + ACCESS_SECONDS, grant.valid_until);
  const token = {
    hash: sha256(access_token),
    grant_id: grant.id,
    name: grant.name,
    user_id: grant.user_id,
    scopes: [...scopes],
    valid_until,
    expires_at: valid_until,
  };
  if (!(await writeTokens(db, grant.id, token, rotation))) return invalid();
  const body = {
    access_token,
    token_type: "Bearer",
    expires_in: valid_until - now,
    refresh_token: refreshToken(grant.id, secret),
    scope: scopes.join(" "),
  };
  return new Reply(200, body, NOT_KEPT);
}
