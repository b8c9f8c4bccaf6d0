import { checkHandshake, checkHmac, checkSecret, checkSlackSignature } from "../../shared/chat/index.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Incoming } from "../../shared/http/incoming.ts";
import type { CheckSignature } from "../../shared/http/pipeline.ts";
import type { SignatureKind } from "../../shared/routes/route.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { requireInterface } from "./require-interface.ts";
import type { WebhooksDeps } from "./webhooks-deps.ts";

type Needs = Pick<WebhooksDeps, "secrets" | "whatsapp" | "telegram" | "slack" | "clock">;

/**
 * Checks who sends a request, before anything of it is read.
 *
 * @throws ServiceError NOT_FOUND where the interface is off, UNAUTHORIZED for a wrong signature, INTERNAL_SERVER_ERROR
 *         where the secret is missing, BAD_REQUEST for a body that its sender signed and that is no JSON
 */
export function signatureChecks({ secrets, clock, ...deps }: Needs): CheckSignature {
  const checks: Readonly<Record<SignatureKind, (incoming: Incoming) => Promise<void>>> = {
    "whatsapp-handshake": async ({ rawQueryString }) => {
      requireInterface(deps.whatsapp);
      checkHandshake(rawQueryString, (await secrets.whatsapp()).verify_token);
    },
    "whatsapp-hmac": async ({ headers, body }) => {
      requireInterface(deps.whatsapp);
      const { app_secret, app_secret_previous } = await secrets.whatsapp();
      checkHmac(body, headers["x-hub-signature-256"], [app_secret, app_secret_previous]);
      requireJson(body);
    },
    "telegram-secret": async ({ headers, body }) => {
      requireInterface(deps.telegram);
      const { webhook_secret_token, webhook_secret_token_previous } = await secrets.telegram();
      const token = headers["x-telegram-bot-api-secret-token"];
      checkSecret(token, [webhook_secret_token, webhook_secret_token_previous]);
      requireJson(body);
    },
    "slack-hmac": async ({ headers, body, rawPath }) => {
      requireInterface(deps.slack);
      const { signing_secret, signing_secret_previous } = await secrets.slack();
      const signature = headers["x-slack-signature"];
      const timestamp = headers["x-slack-request-timestamp"];
      const valid = [signing_secret, signing_secret_previous];
      checkSlackSignature({ body, signature, timestamp }, valid, epochSeconds(clock));
      // The other route takes a form.
      if (rawPath.endsWith("/events")) requireJson(body);
    },
  };
  return (kind, incoming) => checks[kind](incoming);
}

function requireJson(body: Buffer): void {
  try {
    JSON.parse(body.toString("utf8"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ServiceError("BAD_REQUEST", "the body is not valid JSON");
  }
}
