import { mcpScopes } from "../../../shared/auth/scopes/offered-scopes.ts";
import { Reply } from "../../../shared/http/handler.ts";
import { oauthPaths } from "../../../shared/routes/protocols/oauth-path.ts";
import { issuerOf, type OauthDeps } from "./oauth-deps.ts";

/** @source RFC 8414, section 3.2 */
export async function getOauthServer(
  { origin }: { readonly origin?: string },
  deps: Pick<OauthDeps, "oauth">,
): Promise<Reply> {
  const issuer = issuerOf(deps, origin);
  const body = {
    issuer,
    authorization_endpoint: `${issuer}${oauthPaths.authorize}`,
    token_endpoint: `${issuer}${oauthPaths.token}`,
    revocation_endpoint: `${issuer}${oauthPaths.revoke}`,
    ...(deps.oauth.registers && { registration_endpoint: `${issuer}${oauthPaths.register}` }),
    scopes_supported: mcpScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  };
  return new Reply(200, body, { "cache-control": "public, max-age=300" });
}
