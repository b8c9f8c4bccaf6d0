import * as oauth from "oauth4webapi";
import { createDiscovery } from "../../../shared/auth/identify/discovery.ts";
import { principalOfToken } from "../../../shared/auth/identify/principal-of-token.ts";
import { createVerifyToken } from "../../../shared/auth/identify/verify-token.ts";
import type { Principal } from "../../../shared/auth/principal.ts";
import type { Issuer } from "../../../shared/settings/values/issuers.ts";

/** What the issuer says of a user: who that is now, that there is none, or nothing. */
export type IssuerAnswer =
  | { readonly outcome: "user"; readonly user: Principal; readonly refresh_token: string }
  | { readonly outcome: "refused"; readonly reason: string }
  | { readonly outcome: "unknown"; readonly cause: unknown };

/** Uses a refresh token of the issuer, which may be good no more afterwards: the answer has the one that is. */
export type AskIssuer = (refreshToken: string) => Promise<IssuerAnswer>;

type Options = {
  /** At which the console signs users in. */
  readonly issuer: string;
  /** The console's, as which a refresh token was given. */
  readonly clientId: string;
  /** Whose tokens are accepted. */
  readonly trusted: readonly Issuer[];
  readonly adminScope: string;
  readonly osId: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Where the console is. Some issuers give a page new tokens only if the request says that it comes from there. */
  readonly origin?: string | undefined;
};

const TIMEOUT_MS = 5_000;

/**
 * Makes the function that asks the issuer whether a user is still one, and what the user may do. Its token is verified as if the user
 * had sent it.
 *
 * @source RFC 6749, sections 5.2 and 6
 */
export function createAskIssuer(options: Options): AskIssuer {
  const { issuer, clientId, trusted, adminScope, osId, now, origin } = options;
  const discover = createDiscovery(issuer, fetch);
  const verify = createVerifyToken(trusted, now, { osId });

  async function tokensFor(refreshToken: string): Promise<oauth.TokenEndpointResponse> {
    const { token_endpoint } = await discover();
    const server = { issuer, token_endpoint };
    const client = { client_id: clientId };
    const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, {
      // The discovery takes such an address on this machine alone.
      [oauth.allowInsecureRequests]: token_endpoint.startsWith("http:"),
      signal: () => AbortSignal.timeout(TIMEOUT_MS),
      ...(origin !== undefined && { headers: { origin } }),
    });
    return oauth.processRefreshTokenResponse(server, client, response);
  }

  return async (refreshToken) => {
    let tokens: oauth.TokenEndpointResponse;
    try {
      tokens = await tokensFor(refreshToken);
    } catch (cause) {
      const isRefused = cause instanceof oauth.ResponseBodyError && cause.error === "invalid_grant";
      return isRefused ? { outcome: "refused", reason: "the issuer refuses" } : { outcome: "unknown", cause };
    }
    const verified = await verify(tokens.access_token);
    if (verified.outcome === "unknown") return verified;
    if (verified.outcome === "invalid") return { outcome: "refused", reason: verified.detail };
    const user = principalOfToken(verified, adminScope);
    return user
      ? { outcome: "user", user, refresh_token: tokens.refresh_token ?? refreshToken }
      : { outcome: "refused", reason: "the issuer's token names no user" };
  };
}
