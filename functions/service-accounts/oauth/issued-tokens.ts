import { Reply } from "../../../shared/http/handler.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { endGrant, type Rotation, writeTokens } from "../../../shared/stores/oauth/grants.ts";
import type { StoredGrant } from "../../../shared/stores/oauth/oauth-items.ts";
import type { OauthDeps } from "./oauth-deps.ts";
import { NOT_KEPT, oauthRefusal } from "./oauth-refusal.ts";
import { newAppToken, refreshToken, sha256 } from "./secrets.ts";

/** An access token is short, so that what is cached of it is short too. */
const ACCESS_SECONDS = 1_800;

/** Everything that does not hold is one refusal, which does not say what it was. */
export const invalid = (): Reply =>
  oauthRefusal("invalid_grant", "the code or token is not valid, or not for this client");

/** Ends a grant. @param reason  for the log alone */
export async function endedBy(
  reason: string,
  grant: StoredGrant,
  now: number,
  { db, log }: OauthDeps,
): Promise<Reply> {
  await endGrant(db, grant, now, false);
  log.warn("a connected app was disconnected", { app_id: grant.id, reason });
  return invalid();
}

/** Writes tokens and answers with them. @param rotation  undefined where the refresh token is the valid one already */
export async function issued(
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
