import * as v from "valibot";
import type { Clock } from "../../runtime/clock.ts";
import { readSecret } from "../../runtime/read-secret.ts";

const text = v.optional(v.string());

/** What WhatsApp's side knows of us. Each may be missing: what needs it refuses then. */
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

export type ChatSecrets = {
  readonly whatsapp: () => Promise<WhatsappSecrets>;
  readonly telegram: () => Promise<TelegramSecrets>;
};

/** A secret that was changed is in use everywhere after so long. */
const CACHED_MS = 300_000;

type Env = Readonly<Record<string, unknown>>;

/** The platforms' secrets, from where the environment says that they are. */
export function connectChatSecrets(env: Env, clock: Pick<Clock, "now">): ChatSecrets {
  return {
    whatsapp: secretsOf("WHATSAPP", WhatsappSecrets, env, clock),
    telegram: secretsOf("TELEGRAM", TelegramSecrets, env, clock),
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
  const given = v.parse(schema, Object.fromEntries(variables.filter(([, value]) => value !== undefined)));
  if (typeof name !== "string") return async () => given;
  return cached(async () => v.parse(schema, JSON.parse(await readSecret(name))), clock);
}

/** One reading for all who ask; one that failed is not kept. */
function cached<T>(read: () => Promise<T>, clock: Pick<Clock, "now">): () => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly until: number } | undefined;
  return () => {
    if (kept && kept.until > clock.now()) return kept.value;
    const value = read();
    kept = { value, until: clock.now() + CACHED_MS };
    value.catch(() => {
      kept = undefined;
    });
    return value;
  };
}
