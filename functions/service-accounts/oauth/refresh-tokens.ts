import { mayGrant } from "../../../shared/auth/scopes/may-grant.ts";
import { Reply } from "../../../shared/http/handler.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { TokenRequest } from "../../../shared/schemas/access/oauth.ts";
import { getGrant } from "../../../shared/stores/oauth/find-app-token.ts";
import { claimAsking, isLive, releaseAsking } from "../../../shared/stores/oauth/grants.ts";
import type { StoredGrant } from "../../../shared/stores/oauth/oauth-items.ts";
import { endedBy, invalid, issued } from "./issued-tokens.ts";
import type { OauthDeps } from "./oauth-deps.ts";
import { NOT_KEPT, oauthRefusal } from "./oauth-refusal.ts";
import { seal, unseal } from "./sealed.ts";
import { isSame, newSecret, nextSecret, parsedRefreshToken, sha256 } from "./secrets.ts";

/** How long a refresh whose answer was lost may be repeated. */
const REPEAT_SECONDS = 30;
/** Longer than the issuer is waited for: after that, whoever asks it has died. */
const ASKING_SECONDS = 20;
/** A refresh that comes while another one asks waits for its end. */
const WAIT_MS = 10_000;
const PAUSE_MS = 250;

/** A refresh token that a client uses: its secret, and the scopes that the client asks for. */
type Use = { readonly grant: StoredGrant; readonly secret: string; readonly scopes: readonly string[] };

/** What the issuer has said of the user of a grant. */
type Reread = { readonly held_scopes: string[]; readonly refresh_token: string };

/**
 * Gives a new access token and the next refresh token. One that was used before is good for the same answer for half a minute; later
 * it ends the grant.
 *
 * @source docs/interface/oauth.md 1.4, 1.7; RFC 9700, section 4.14.2
 */
export async function refreshTokens(asked: TokenRequest, deps: OauthDeps): Promise<Reply> {
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
  const use = { grant, secret: named.secret, scopes };
  if (!isSame(grant.refresh_hash, sha256(named.secret))) return repeated(use, deps);
  return grant.issuer_token === undefined
    ? rotated(use, undefined, deps)
    : asksIssuer(use, grant.issuer_token, deps);
}

/**
 * Asks the issuer whether the user is still one, and rotates if so. One refresh asks at a time: a refresh token of the issuer that is
 * used twice may end all that the issuer has given.
 *
 *     claim ── issuer ──┬─ user ──── rotation, with the issuer's next token, in one write
 *                       ├─ refused ─ the grant ends
 *                       └─ unknown ─ released, nothing has changed
 *
 * @param sealed  the issuer's refresh token
 */
async function asksIssuer(use: Use, sealed: string, deps: OauthDeps): Promise<Reply> {
  const { grant, secret } = use;
  const { db, clock, log, oauth, adminScope } = deps;
  const now = epochSeconds(clock);
  const claim = { refresh_hash: sha256(secret), asking_until: now + ASKING_SECONDS };
  if (!(await claimAsking(db, grant.id, claim, now))) return waited(use, deps);
  const answer = (await oauth.askIssuer?.(unseal(sealed, secret, grant.id))) ?? {
    outcome: "refused",
    reason: "no issuer is configured any more",
  };
  if (answer.outcome === "unknown") {
    log.warn("the issuer does not say whether the user of an app is still one", {
      ...{ app_id: grant.id, error: answer.cause },
    });
    await releaseAsking(db, grant.id, claim);
    return unavailable();
  }
  if (answer.outcome === "refused") return endedBy(answer.reason, grant, now, deps);
  const { user, refresh_token } = answer;
  const held_scopes = grant.scopes.filter((scope) => mayGrant(user, scope, adminScope));
  if (user.user_id !== grant.user_id) return endedBy("the issuer names another user", grant, now, deps);
  if (held_scopes.length === 0) return endedBy("its user may do nothing of it any more", grant, now, deps);
  return rotated(use, { held_scopes, refresh_token }, deps);
}

async function rotated(use: Use, reread: Reread | undefined, deps: OauthDeps): Promise<Reply> {
  const { grant, secret } = use;
  const salt = newSecret();
  const next = nextSecret(secret, salt);
  const rotation = {
    ...{ from: sha256(secret), to: sha256(next), salt, now: epochSeconds(deps.clock) },
    ...(reread && {
      held_scopes: reread.held_scopes,
      issuer_token: seal(reread.refresh_token, next, grant.id),
    }),
  };
  const answer = await issued(grant, heldOf(use.scopes, reread), next, rotation, deps);
  // Where another request was first, this one is its repetition.
  return answer.status === 200 ? answer : repeated(use, deps);
}

/** What another refresh with the same token has led to, which asks the issuer now. */
async function waited(use: Use, deps: OauthDeps): Promise<Reply> {
  const hash = sha256(use.secret);
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += PAUSE_MS) {
    const grant = await getGrant(deps.db, use.grant.id);
    if (!grant || !isSame(grant.refresh_hash, hash)) return repeated(use, deps);
    if (!isLive(grant, epochSeconds(deps.clock))) return invalid();
    if (grant.asking_until === undefined) return unavailable();
    await deps.clock.sleep(PAUSE_MS);
  }
  return unavailable();
}

async function repeated({ grant: { id }, secret, scopes }: Use, deps: OauthDeps): Promise<Reply> {
  const now = epochSeconds(deps.clock);
  const grant = await getGrant(deps.db, id);
  if (!grant || !isLive(grant, now)) return invalid();
  const { previous_hash, rotated_at = 0, rotation_salt } = grant;
  const isRecent = isSame(previous_hash, sha256(secret)) && now - rotated_at <= REPEAT_SECONDS;
  if (!isRecent || rotation_salt === undefined) return endedBy("a refresh token came back", grant, now, deps);
  return issued(grant, heldOf(scopes, grant), nextSecret(secret, rotation_salt), undefined, deps);
}

/** Of scopes those that the user held when the issuer was asked last; all where it is not asked. */
const heldOf = (
  scopes: readonly string[],
  seen: { readonly held_scopes?: readonly string[] | undefined } | undefined,
): readonly string[] => scopes.filter((scope) => seen?.held_scopes?.includes(scope) ?? true);

/** @source docs/interface/oauth.md 1.8 */
const unavailable = (): Reply =>
  new Reply(
    503,
    {
      error: "temporarily_unavailable",
      error_description:
        "whether the user may still sign in cannot be asked now; the refresh token stays good",
    },
    { ...NOT_KEPT, "retry-after": "30" },
  );
