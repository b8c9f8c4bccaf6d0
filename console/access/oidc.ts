import * as oauth from "oauth4webapi";
import { type Credential, withExpiry } from "./credential.ts";
import type { SignInSettings } from "./settings.ts";

/** What the second half of a sign-in needs of the first; gone with the tab. */
type Begun = { readonly verifier: string; readonly state: string; readonly from: string };
const BEGUN_AS = "agent-platform.sign-in";

const returnAddress = (): string => `${location.origin}/console`;

const serverOf = (settings: SignInSettings): oauth.AuthorizationServer => ({
  issuer: settings.issuer,
  authorization_endpoint: settings.authorization_endpoint,
  token_endpoint: settings.token_endpoint,
});

/** Sends the reader to the identity provider (authorization code with PKCE). */
export async function beginSignIn(settings: SignInSettings): Promise<void> {
  const verifier = oauth.generateRandomCodeVerifier();
  const begun: Begun = {
    verifier,
    state: oauth.generateRandomState(),
    from: location.pathname + location.search,
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
 * @returns the credential, and the page that the reader came from
 * @throws Error when the provider refused, or the answer is not one to this tab's request
 */
export async function finishSignIn(
  settings: SignInSettings,
): Promise<{ readonly credential: Credential; readonly from: string }> {
  const here = new URL(location.href);
  history.replaceState(null, "", "/console");
  const stored = sessionStorage.getItem(BEGUN_AS);
  sessionStorage.removeItem(BEGUN_AS);
  if (stored === null) throw new Error("This sign-in did not start in this tab. Sign in again.");
  const { verifier, state, from } = JSON.parse(stored) as Begun;
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
    ...(refresh !== undefined && { renew: () => renewed(settings, refresh) }),
    ...(end_session_endpoint !== undefined && { endAt: endAddress(settings, end_session_endpoint) }),
  });
}

async function renewed(settings: SignInSettings, refresh: string): Promise<Credential> {
  const server = serverOf(settings);
  const client: oauth.Client = { client_id: settings.client_id };
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refresh);
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
