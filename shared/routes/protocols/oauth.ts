import * as v from "valibot";
import {
  AuthorizationRequest,
  AuthorizationServer,
  ClientRegistration,
  ConnectedApp,
  ConsentAnswer,
  ConsentDecision,
  ConsentQuestion,
  IssuedToken,
  OauthFault,
  RegisteredClient,
  RevocationRequest,
  TokenRequest,
} from "../../schemas/access/oauth.ts";
import { meaning } from "../../schemas/values/described-as.ts";
import { idOf } from "../../schemas/values/path-ids.ts";
import type { Route } from "../route.ts";
import { OAUTH_SERVER_PATH, oauthPaths } from "./oauth-path.ts";
import type { oauthOperations } from "./protocol-operations.ts";

const FORM = "application/x-www-form-urlencoded";

const asked = {
  response_type: "code",
  client_id: "https://desk.example/client.json",
  redirect_uri: "http://127.0.0.1:4711/callback",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
  resource: "https://agents.example/mcp",
};

/**
 * Sign-in of clients of the MCP server. The family of service accounts serves it, as its credentials are kept beside theirs.
 *
 * @source docs/interface/oauth.md 1.1
 */
export const oauthRoutes = {
  getOauthServer: {
    method: "GET",
    path: OAUTH_SERVER_PATH,
    scopes: "public",
    tag: "oauth",
    response: AuthorizationServer,
    summary: "Describe the authorization server for clients of the MCP server",
  },
  authorizeApp: {
    method: "GET",
    path: oauthPaths.authorize,
    scopes: "public",
    tag: "oauth",
    query: AuthorizationRequest,
    status: 302,
    response: null,
    example: { query: asked },
    summary: "Send a user to the page that asks whether a client is let in",
    description: "Nothing is checked and nothing is kept yet: the page asks with the user's own credential.",
  },
  describeConsent: {
    method: "GET",
    path: oauthPaths.consent,
    scopes: [],
    tag: "oauth",
    query: AuthorizationRequest,
    response: ConsentQuestion,
    refuses: [400],
    example: { query: asked },
    summary: "Say which client asks the user, and for what",
  },
  decideConsent: {
    method: "POST",
    path: oauthPaths.consent,
    scopes: [],
    tag: "oauth",
    body: { json: ConsentDecision },
    response: ConsentAnswer,
    refuses: [400],
    example: { body: { ...asked, approve: false, granted: [] } },
    summary: "Let a client in, or do not, and say where the browser goes on",
  },
  issueOauthToken: {
    method: "POST",
    path: oauthPaths.token,
    scopes: "public",
    tag: "oauth",
    body: { text: FORM, reads: TokenRequest },
    response: IssuedToken,
    refuses: [400, 503],
    refusal: OauthFault,
    example: { body: { grant_type: "authorization_code", redirect_uri: asked.redirect_uri } },
    summary: "Give tokens for a code, or for a refresh token",
  },
  revokeOauthToken: {
    method: "POST",
    path: oauthPaths.revoke,
    scopes: "public",
    tag: "oauth",
    body: { text: FORM, reads: RevocationRequest },
    response: null,
    refuses: [400],
    refusal: OauthFault,
    example: { body: { token: "apo_unknown" } },
    summary: "End what a token belongs to; an unknown token is answered the same",
  },
  registerOauthClient: {
    method: "POST",
    path: oauthPaths.register,
    scopes: "public",
    tag: "oauth",
    body: { text: "application/json", reads: ClientRegistration },
    status: 201,
    response: RegisteredClient,
    refuses: [400, 404],
    refusal: OauthFault,
    example: { body: { client_name: "Desk", redirect_uris: ["http://127.0.0.1/callback"] } },
    summary: "Register a client, which is forgotten after an hour unless a user lets it in",
  },
  listConnectedApps: {
    method: "GET",
    path: oauthPaths.apps,
    scopes: [],
    tag: "oauth",
    query: v.object({ user_id: meaning(v.optional(v.string()), "Whose; of others an admin may ask alone") }),
    response: v.object({ data: v.array(ConnectedApp) }),
    summary: "List the apps that a user has connected",
  },
  removeConnectedApp: {
    method: "DELETE",
    path: `${oauthPaths.apps}/{app_id}`,
    scopes: [],
    tag: "oauth",
    params: v.object({ app_id: idOf("the connected app") }),
    status: 204,
    response: null,
    summary: "Disconnect an app: its tokens are refused from then on",
  },
} as const satisfies Record<(typeof oauthOperations)[number], Route>;
