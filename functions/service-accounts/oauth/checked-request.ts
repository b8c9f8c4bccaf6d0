import type { Principal } from "../../../shared/auth/principal.ts";
import { offeredScopes } from "../../../shared/auth/scopes/offered-scopes.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { MCP_PATH } from "../../../shared/routes/protocols/mcp-path.ts";
import type { AuthorizationRequest } from "../../../shared/schemas/access/oauth.ts";
import { clientOf, type OauthClient } from "./client-of.ts";
import { issuerOf, type OauthDeps } from "./oauth-deps.ts";
import { matchesRedirect, redirectTo } from "./redirects.ts";

/** A request that a user may decide about. */
export type CheckedRequest = {
  readonly client: OauthClient;
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly resource: string;
  readonly state: string | undefined;
  readonly issuer: string;
  readonly user_id: string;
  /** What the user may grant. */
  readonly scopes: readonly string[];
};

/** What a request is answered with that no user is asked about. */
type Faulty = { readonly redirect_to: string };

/**
 * Checks the request of a client, which comes as the page of the console was given it: nothing of it is trusted.
 *
 * @throws ServiceError BAD_REQUEST where client or redirect are not known, so that nothing may be sent there; UNAUTHORIZED for a
 *         caller who is no user
 */
export async function checkedRequest(
  asked: AuthorizationRequest,
  principal: Principal,
  origin: string | undefined,
  deps: OauthDeps,
): Promise<CheckedRequest | Faulty> {
  const { user_id } = principal;
  if (principal.kind !== "user" || user_id === null) {
    throw new ServiceError("UNAUTHORIZED", "Only a user can let an app in; this credential names none");
  }
  const { client_id, redirect_uri, state, resource = "", code_challenge = "" } = asked;
  const client = client_id === undefined ? undefined : await clientOf(client_id, deps);
  if (!client) throw new ServiceError("BAD_REQUEST", "This app is not known here, or cannot be read about");
  if (redirect_uri === undefined || !matchesRedirect(client.redirect_uris, redirect_uri)) {
    throw new ServiceError("BAD_REQUEST", "This app asks for an answer at an address that is not its own");
  }
  const issuer = issuerOf(deps, origin);
  const refuse = (error: string, error_description: string): Faulty => ({
    redirect_to: redirectTo(redirect_uri, { error, error_description, state, iss: issuer }),
  });
  if (asked.response_type !== "code")
    return refuse("unsupported_response_type", "response_type must be code");
  if (asked.code_challenge_method !== "S256" || !/^[\w-]{43}$/.test(code_challenge)) {
    return refuse("invalid_request", "a code_challenge by S256 is required");
  }
  if (resource !== `${issuer}${MCP_PATH}`) {
    return refuse("invalid_target", `resource must be ${issuer}${MCP_PATH}`);
  }
  const scopes = offeredScopes(principal, asked.scope, deps.adminScope);
  if (scopes.length === 0) return refuse("access_denied", "the user holds none of the scopes");
  return { client, redirect_uri, code_challenge, resource, state, issuer, user_id, scopes };
}
