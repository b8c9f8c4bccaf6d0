import * as v from "valibot";

type Keys = { readonly may: string; readonly names: readonly string[] };

/**
 * Keys and secrets in the environment of `npm start`, where on AWS a secret or a role takes their place. The comments are
 * the guide's sentences.
 */
export const keys = {
  /** key for the provider of `MODEL`, where its own variable is not set */
  defaultModel: { may: "a key", names: ["MODEL_API_KEY"] },
  /** key for its provider */
  providers: {
    may: "a key",
    names: [
      "OPENAI_API_KEY",
      "ANTHROPIC_API_KEY",
      "OPENAI_COMPATIBLE_API_KEY",
      "AWS_BEARER_TOKEN_BEDROCK",
      "EMBEDDER_API_KEY",
    ],
  },
  // Requests are checked with some of them: the previous value is accepted too, so that they can be rotated without a gap.
  /** of a chat platform, see [chat](chat.md) */
  chats: {
    may: "a secret",
    names: [
      "WHATSAPP_ACCESS_TOKEN",
      "WHATSAPP_VERIFY_TOKEN",
      "WHATSAPP_APP_SECRET",
      "WHATSAPP_APP_SECRET_PREVIOUS",
      "WHATSAPP_ENCRYPTION_KEY",
      "TELEGRAM_TOKEN",
      "TELEGRAM_WEBHOOK_SECRET_TOKEN",
      "TELEGRAM_WEBHOOK_SECRET_TOKEN_PREVIOUS",
      "SLACK_TOKEN",
      "SLACK_SIGNING_SECRET",
      "SLACK_SIGNING_SECRET_PREVIOUS",
    ],
  },
  /** signs agent cards, see [signed cards](a2a.md#signed-cards); needs `PUBLIC_URL` */
  cards: { may: "a key", names: ["A2A_CARD_KEY"] },
  /** headers for the endpoints of `OTLP_ENDPOINTS`, such as `{"x-api-key": "…"}` */
  spans: { may: "a JSON object", names: ["OTLP_HEADERS"] },
} as const satisfies Readonly<Record<string, Keys>>;

/** Entries of the schema of a function's environment, for keys that it may be given. */
export const keyEntries = <const Name extends string>(names: readonly Name[]) =>
  v.entriesFromList(names, v.optional(v.string()));
