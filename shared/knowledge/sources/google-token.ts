import * as v from "valibot";
import { epochSeconds } from "../../runtime/clock.ts";
import { signedJwt } from "../../runtime/secrets/signed-jwt.ts";
import { parsedJson } from "../../schemas/values/json-values.ts";
import type { SourcePorts } from "./access.ts";
import type { Token } from "./cached-token.ts";
import { requestToken } from "./request-token.ts";
import { SourceFault } from "./source-fault.ts";

const ServiceAccountKey = v.object({
  client_email: v.string(),
  private_key: v.string(),
  private_key_id: v.optional(v.string()),
  token_uri: v.optional(v.pipe(v.string(), v.url()), "https://oauth2.googleapis.com/token"),
});

const Answer = v.object({ access_token: v.string(), expires_in: v.number() });

const SCOPE = "https://www.googleapis.com/auth/devstorage.read_only";
const ASSERTION_SECONDS = 3_600;

/**
 * A token of a service account that may read what the account may read.
 *
 * @param secret  name of the secret with the account's key
 * @throws        SourceFault when the secret holds no key, or Google does not accept it
 * @source        Google's documentation of OAuth 2.0 for server to server applications
 */
export async function googleToken(secret: string, what: string, ports: SourcePorts): Promise<Token> {
  const { readSecret, clock } = ports;
  const key = v.safeParse(ServiceAccountKey, parsedJson(await readSecret(secret)));
  if (!key.success) throw new SourceFault("refused", `The secret of ${what} is no key of a service account.`);
  const { client_email, private_key, private_key_id, token_uri } = key.output;
  const now = epochSeconds(clock);
  const claims = { iss: client_email, scope: SCOPE, aud: token_uri, iat: now, exp: now + ASSERTION_SECONDS };
  const assertion = signedJwt(claims, private_key, { ...(private_key_id && { kid: private_key_id }) });
  const form = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion };
  const { access_token, expires_in } = v.parse(
    Answer,
    await requestToken({ url: token_uri, form }, what, ports),
  );
  return { value: access_token, until_ms: clock.now() + expires_in * 1_000 };
}
