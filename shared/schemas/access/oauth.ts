import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { maxChars } from "../values/max-chars.ts";

const text = (chars: number) => v.pipe(v.string(), maxChars(chars));

/** What a client asks for, as it is in the address to which it sends its user. @source RFC 6749, section 4.1.1; RFC 7636; RFC 8707 */
export const AuthorizationRequest = v.object({
  response_type: meaning(v.optional(text(100)), "code; there is nothing else"),
  client_id: meaning(
    v.optional(text(2_000)),
    "A registered client, or the https address of a document that describes one",
  ),
  redirect_uri: meaning(v.optional(text(2_000)), "Where the answer goes: one of the client's, exactly"),
  scope: meaning(v.optional(text(2_000)), "Scopes, separated by blanks; all that may be granted when absent"),
  state: meaning(v.optional(text(4_000)), "Comes back as it is"),
  code_challenge: meaning(v.optional(text(200)), "SHA-256 of the verifier, as base64url"),
  code_challenge_method: meaning(v.optional(text(20)), "S256; there is nothing else"),
  resource: meaning(v.optional(text(2_000)), "Address of the MCP server"),
});
export type AuthorizationRequest = v.InferOutput<typeof AuthorizationRequest>;

/** What a user decides about. */
export const ConsentQuestion = v.object({
  /** Where to go on without a question, since the request is faulty; null where there is one. */
  redirect_to: v.nullable(v.string()),
  client: v.nullable(
    v.object({
      name: v.string(),
      /** Host of the document that describes it; null for one that has registered itself, whose name is not checked. */
      host: v.nullable(v.string()),
      /** Host, or scheme, to which the answer goes. */
      goes_to: v.string(),
      /** Whether that is a program on the user's machine. */
      is_local: v.boolean(),
    }),
  ),
  /** What may be granted to it: of what it asks for, what the user holds. */
  scopes: v.array(v.string()),
  /** How long it stays connected, in seconds, where the issuer can be asked at each refresh. */
  lasts_seconds: v.number(),
  /** The same where it cannot be. */
  lasts_unasked_seconds: v.number(),
});
export type ConsentQuestion = v.InferOutput<typeof ConsentQuestion>;

export const ConsentDecision = v.object({
  ...AuthorizationRequest.entries,
  approve: meaning(v.boolean(), "Whether the client is let in"),
  granted: meaning(
    v.pipe(v.array(text(256)), v.maxLength(100)),
    "Scopes that it gets, of those that may be granted",
  ),
  issuer_token: meaning(
    v.optional(v.pipe(text(8_000), v.nonEmpty())),
    "Refresh token of the issuer at which the console has signed the user in: by it the issuer is asked at each refresh",
  ),
});

export const ConsentAnswer = v.object({ redirect_to: v.string() });

/** What clients read about the authorization server. @source RFC 8414, section 2 */
export const AuthorizationServer = v.object({
  issuer: v.string(),
  authorization_endpoint: v.string(),
  token_endpoint: v.string(),
  revocation_endpoint: v.string(),
  registration_endpoint: v.optional(v.string()),
  scopes_supported: v.array(v.string()),
  response_types_supported: v.array(v.string()),
  response_modes_supported: v.array(v.string()),
  grant_types_supported: v.array(v.string()),
  token_endpoint_auth_methods_supported: v.array(v.string()),
  revocation_endpoint_auth_methods_supported: v.array(v.string()),
  code_challenge_methods_supported: v.array(v.string()),
  client_id_metadata_document_supported: v.boolean(),
  authorization_response_iss_parameter_supported: v.boolean(),
});

/** A form, as text: its faults are answered in OAuth's words. @source RFC 6749, sections 4.1.3 and 6 */
export const TokenRequest = v.object({
  grant_type: meaning(v.string(), "authorization_code or refresh_token"),
  client_id: meaning(v.string(), "The client"),
  code: meaning(v.optional(v.string()), "Of an authorization"),
  redirect_uri: meaning(v.optional(v.string()), "As in the request for the code"),
  code_verifier: meaning(v.optional(v.string()), "Of which the challenge was made"),
  resource: meaning(v.optional(v.string()), "Address of the MCP server"),
  refresh_token: meaning(v.optional(v.string()), "The latest one"),
  scope: meaning(v.optional(v.string()), "Less than was granted"),
});
export type TokenRequest = v.InferOutput<typeof TokenRequest>;

export const IssuedToken = v.object({
  access_token: v.string(),
  token_type: v.string(),
  expires_in: v.number(),
  refresh_token: v.string(),
  scope: v.string(),
});

export const RevocationRequest = v.object({
  token: meaning(v.string(), "An access token or a refresh token"),
  token_type_hint: meaning(v.optional(v.string()), "Is not needed"),
  client_id: meaning(v.optional(v.string()), "The client"),
});

/** @source RFC 6749, section 5.2 */
export const OauthFault = v.object({ error: v.string(), error_description: v.string() });

/** Members that nothing here depends on are ignored. @source RFC 7591, section 2 */
export const ClientRegistration = v.looseObject({
  redirect_uris: meaning(v.optional(v.array(v.string())), "Where answers may go"),
  client_name: meaning(v.optional(v.string()), "What users see"),
});

export const RegisteredClient = v.object({
  client_id: v.string(),
  client_id_issued_at: v.number(),
  client_name: v.string(),
  redirect_uris: v.array(v.string()),
  token_endpoint_auth_method: v.string(),
  grant_types: v.array(v.string()),
  response_types: v.array(v.string()),
});

/** An app that a user has connected. Instants are epoch seconds. */
export const ConnectedApp = v.object({
  id: v.string(),
  user_id: v.string(),
  name: v.string(),
  host: v.nullable(v.string()),
  goes_to: v.string(),
  scopes: v.array(v.string()),
  created_at: v.number(),
  expires_at: v.number(),
  last_used_at: v.nullable(v.number()),
});
export type ConnectedApp = v.InferOutput<typeof ConnectedApp>;
