import * as v from "valibot";
import { cachedValue, SECRET_CACHE_MS } from "../runtime/cached-value.ts";
import type { Clock } from "../runtime/clock.ts";
import { readSecret } from "../runtime/secrets/read-secret.ts";

const text = v.optional(v.string());

/** Secrets shared with WhatsApp. Each may be missing: requests that need it are refused then. */
const WhatsappSecrets = v.object({
  access_token: text,
  verify_token: text,
  app_secret: text,
  app_secret_previous: text,
  /** 64 hexadecimal characters. */
  encryption_key: text,
});
export type WhatsappSecrets = v.InferOutput<typeof WhatsappSecrets>;

const TelegramSecrets = v.object({
  token: text,
  webhook_secret_token: text,
  webhook_secret_token_previous: text,
});
export type TelegramSecrets = v.InferOutput<typeof TelegramSecrets>;

const SlackSecrets = v.object({
  /** The bot's, `xoxb-…`. */
  token: text,
  signing_secret: text,
  signing_secret_previous: text,
});
export type SlackSecrets = v.InferOutput<typeof SlackSecrets>;

export type ChatSecrets = {
  readonly whatsapp: () => Promise<WhatsappSecrets>;
  readonly telegram: () => Promise<TelegramSecrets>;
  readonly slack: () => Promise<SlackSecrets>;
};

type Env = Readonly<Record<string, unknown>>;

/** The platforms' secrets, from Secrets Manager or from the environment. */
export function connectChatSecrets(env: Env, clock: Pick<Clock, "now">): ChatSecrets {
  return {
    whatsapp: secretsOf("WHATSAPP", WhatsappSecrets, env, clock),
    telegram: secretsOf("TELEGRAM", TelegramSecrets, env, clock),
    slack: secretsOf("SLACK", SlackSecrets, env, clock),
  };
}

function secretsOf<S extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  platform: string,
  schema: S,
  env: Env,
  clock: Pick<Clock, "now">,
): () => Promise<v.InferOutput<S>> {
  const name = env[`${platform}_SECRET`];
  const variables = Object.keys(schema.entries).map((field) => [
    field,
    env[`${platform}_${field.toUpperCase()}`],
  ]);
  const fromEnv = v.parse(schema, Object.fromEntries(variables.filter(([, value]) => value !== undefined)));
  if (typeof name !== "string") return async () => fromEnv;
  const read = async () => v.parse(schema, JSON.parse(await readSecret(name)));
  return cachedValue(read, SECRET_CACHE_MS, clock);
}
