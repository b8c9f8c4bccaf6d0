import { ServiceError } from "../../shared/errors.ts";
import type { CheckSignature } from "../../shared/http/pipeline.ts";
import { checkSecret } from "../../shared/webhooks/telegram/check-secret.ts";
import { checkHandshake } from "../../shared/webhooks/whatsapp/check-handshake.ts";
import { checkHmac } from "../../shared/webhooks/whatsapp/check-hmac.ts";
import { requireInterface } from "./require-interface.ts";
import type { WebhooksDeps } from "./webhooks-deps.ts";

type Needs = Pick<WebhooksDeps, "secrets" | "whatsapp" | "telegram">;

/**
 * Checks who sends a request, before anything of it is read.
 *
 * @throws ServiceError NOT_FOUND where the interface is off, UNAUTHORIZED for a wrong signature, INTERNAL_SERVER_ERROR
 *         where the secret is missing, BAD_REQUEST for a body that its sender signed and that is no JSON
 */
export function signatureChecks({ secrets, whatsapp, telegram }: Needs): CheckSignature {
  return async (kind, { headers, body, rawQueryString }) => {
    requireInterface(kind === "telegram-secret" ? telegram : whatsapp);
    if (kind === "whatsapp-handshake") {
      return checkHandshake(rawQueryString, (await secrets.whatsapp()).verify_token);
    }
    if (kind === "whatsapp-hmac") {
      const { app_secret, app_secret_previous } = await secrets.whatsapp();
      checkHmac(body, headers["x-hub-signature-256"], [app_secret, app_secret_previous]);
    } else {
      const { webhook_secret_token, webhook_secret_token_previous } = await secrets.telegram();
      const token = headers["x-telegram-bot-api-secret-token"];
      checkSecret(token, [webhook_secret_token, webhook_secret_token_previous]);
    }
    requireJson(body);
  };
}

function requireJson(body: Buffer): void {
  try {
    JSON.parse(body.toString("utf8"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ServiceError("BAD_REQUEST", "the body is not valid JSON");
  }
}
