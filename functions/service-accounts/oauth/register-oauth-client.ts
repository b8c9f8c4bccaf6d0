import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { type Handler, Reply } from "../../../shared/http/handler.ts";
import type { oauthRoutes } from "../../../shared/routes/protocols/oauth.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { ClientRegistration } from "../../../shared/schemas/access/oauth.ts";
import { parsedJson } from "../../../shared/schemas/values/json-values.ts";
import { countRegistration, putClient } from "../../../shared/stores/oauth/clients.ts";
import { newClientId } from "../../../shared/stores/oauth/oauth-items.ts";
import type { OauthDeps } from "./oauth-deps.ts";
import { NOT_KEPT, oauthRefusal } from "./oauth-refusal.ts";
import { isUsableRedirect } from "./redirects.ts";
import { shownName } from "./shown-name.ts";

const PENDING_SECONDS = 3_600;
/** Registrations of one hour, which is as long as one is kept that no user has let in. */
const MOST_PENDING = 1_000;
const MOST_REDIRECTS = 10;
const UNNAMED = "An app without a name";

/**
 * Registers a public client. Anybody may, so it holds nothing until a user lets it in. Of its redirects those that cannot be used are
 * left out of the answer: some programs ask for one of their own scheme beside another.
 *
 * @source RFC 7591, section 3
 */
export const registerOauthClient: Handler<typeof oauthRoutes.registerOauthClient, OauthDeps> = async (
  { body },
  { db, clock, oauth },
) => {
  if (!oauth.registers) return oauthRefusal("access_denied", "clients do not register themselves here", 404);
  const parsed = v.safeParse(ClientRegistration, parsedJson(body));
  if (!parsed.success)
    return oauthRefusal("invalid_client_metadata", "the body must be JSON that describes a client");
  const redirect_uris = (parsed.output.redirect_uris ?? []).filter(isUsableRedirect).slice(0, MOST_REDIRECTS);
  if (redirect_uris.length === 0) {
    return oauthRefusal(
      "invalid_redirect_uri",
      "one redirect is needed: https, loopback, or a program's own scheme",
    );
  }
  const now = epochSeconds(clock);
  if ((await countRegistration(db, now)) > MOST_PENDING) {
    return new Reply(
      429,
      {
        error: "temporarily_unavailable",
        error_description: "too many clients have registered; try again later",
      },
      { ...NOT_KEPT, "retry-after": String(PENDING_SECONDS) },
    );
  }
  const client_id = newClientId(randomBytes(16).toString("hex"));
  const name = shownName(parsed.output.client_name) ?? UNNAMED;
  await putClient(db, { client_id, name, redirect_uris, created_at: now, expires_at: now + PENDING_SECONDS });
  const answer = {
    client_id,
    client_id_issued_at: now,
    client_name: name,
    redirect_uris,
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
  return new Reply(201, answer, NOT_KEPT);
};
