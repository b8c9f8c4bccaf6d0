import * as oauth from "oauth4webapi";
import { type Credential, withExpiry } from "./credential.ts";
import type { SignInSettings } from "./settings.ts";

/** What the second half of a sign-in needs of the first; gone with the tab. */
type Begun = {
  readonly verifier: string;
  readonly state: string;
  readonly from: string;
  readonly isSilent: boolean;
};
const BEGUN_AS = "agent-platform.sign-in";

const returnAddress = (): string => `${location.origin}/console`;

const serverOf = (settings: SignInSettings): oauth.AuthorizationServer => ({
  issuer: settings.issuer,
  authorization_endpoint: settings.authorization_endpoint,
  token_endpoint: settings.token_endpoint,
});

/** Without TLS only where the provider is on the reader's own machine: the platform names no other one. */
const requestsTo = ({ token_endpoint }: SignInSettings) => ({
  [oauth.allowInsecureRequests]: new URL(token_endpoint).protocol === "http:",
});

/**
 * Sends the reader to the identity provider (authorization code with PKCE).
 *
 * @param isSilent  the provider shows nothing: it sends whoever it does not know back at once (OpenID Connect Core 1.0, 3.1.2.1)
 */
export async function beginSignIn(settings: SignInSettings, isSilent = false): Promise<void> {
  const verifier = oauth.generateRandomCodeVerifier();
  const begun: Begun = {
    verifier,
    state: oauth.generateRandomState(),
    from: location.pathname + location.search,
    isSilent,
  };
  sessionStorage.setItem(BEGUN_AS, JSON.stringify(begun));
  const address = new URL(settings.authorization_endpoint);
  address.search = new URLSearchParams({
    response_type: "code",
    client_id: settings.client_id,
    redirect_uri: returnAddress(),
    scope: settings.scope,
    state: begun.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(isSilent && { prompt: "none" }),
  }).toString();
  location.assign(address);
}

/** Whether this page was opened by the identity provider's answer. */
export const isReturn = (): boolean => {
  const given = new URLSearchParams(location.search);
  return given.has("state") && (given.has("code") || given.has("error"));
};

/**
 * The second half: exchanges the code of the address for tokens.
 *
 * @returns the page that the reader came from, and the credential, which is absent where the provider was asked in silence and
 *          does not know the reader
 * @throws Error when the provider refused, or the answer is not one to this tab's request
 */
export async function finishSignIn(
  settings: SignInSettings,
): Promise<{ readonly credential?: Credential; readonly from: string }> {
  const here = new URL(location.href);
  history.replaceState(null, "", "/console");
  const stored = sessionStorage.getItem(BEGUN_AS);
  sessionStorage.removeItem(BEGUN_AS);
  if (stored === null) throw new Error("This sign-in did not start in this tab. Sign in again.");
  const { verifier, state, from, isSilent } = JSON.parse(stored) as Begun;
  if (isSilent && here.searchParams.has("error") && here.searchParams.get("state") === state) return { from };
  const server = serverOf(settings);
  const client: oauth.Client = { client_id: settings.client_id };
  const given = oauth.validateAuthResponse(server, client, here, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    given,
    returnAddress(),
    verifier,
    requestsTo(settings),
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
  return { credential: credentialOf(settings, tokens, tokens.refresh_token), from };
}

function credentialOf(
  settings: SignInSettings,
  tokens: oauth.TokenEndpointResponse,
  refresh: string | undefined,
): Credential {
  const { end_session_endpoint } = settings;
  return withExpiry({
    token: tokens.access_token,
    ...(tokens.expires_in !== undefined && { expiresAt: Date.now() / 1000 + tokens.expires_in }),
    ...(refresh !== undefined && { refresh, renew: () => renewed(settings, refresh) }),
    ...(end_session_endpoint !== undefined && { endAt: endAddress(settings, end_session_endpoint) }),
  });
}

async function renewed(settings: SignInSettings, refresh: string): Promise<Credential> {
  const server = serverOf(settings);
  const client: oauth.Client = { client_id: settings.client_id };
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    refresh,
    requestsTo(settings),
  );
  const tokens = await oauth.processRefreshTokenResponse(server, client, response);
  return credentialOf(settings, tokens, tokens.refresh_token ?? refresh);
}

function endAddress(settings: SignInSettings, endpoint: string): string {
  const address = new URL(endpoint);
  address.searchParams.set("client_id", settings.client_id);
  address.searchParams.set("logout_uri", returnAddress());
  address.searchParams.set("post_logout_redirect_uri", returnAddress());
  return address.toString();
}
