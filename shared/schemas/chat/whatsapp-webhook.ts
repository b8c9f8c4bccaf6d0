import * as v from "valibot";

const text = v.optional(v.string());

const File = v.looseObject({ id: v.string(), mime_type: text, caption: text, filename: text });

/** A message of the Cloud API, as far as it is read. Other members are accepted. */
export const WhatsappMessage = v.looseObject({
  id: v.string(),
  /** The sender's number, and the id used in its place if it is hidden. */
  from: text,
  from_user_id: text,
  group_id: text,
  /** Seconds, as text; anything else reads as none. */
  timestamp: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^\d{1,12}$/))), undefined),
  type: v.string(),
  text: v.optional(v.looseObject({ body: v.string() })),
  image: v.optional(File),
  video: v.optional(File),
  audio: v.optional(File),
  document: v.optional(File),
  sticker: v.optional(File),
  button: v.optional(v.looseObject({ text: text })),
  location: v.optional(
    v.looseObject({ latitude: v.number(), longitude: v.number(), name: text, address: text }),
  ),
  /** Without an emoji where it was removed. */
  reaction: v.optional(v.looseObject({ message_id: v.string(), emoji: text })),
  interactive: v.optional(
    v.looseObject({
      button_reply: v.optional(v.looseObject({ id: text, title: v.string() })),
      list_reply: v.optional(v.looseObject({ id: text, title: v.string(), description: text })),
    }),
  ),
});
export type WhatsappMessage = v.InferOutput<typeof WhatsappMessage>;

/** What became of a message of ours; only failures are read. */
export const WhatsappFailure = v.looseObject({
  status: v.literal("failed"),
  errors: v.optional(v.array(v.looseObject({ code: v.number() }))),
});

export const WhatsappPayload = v.looseObject({
  object: text,
  entry: v.optional(
    v.array(
      v.looseObject({
        changes: v.optional(
          v.array(
            v.looseObject({
              field: text,
              value: v.optional(
                v.looseObject({
                  metadata: v.optional(v.looseObject({ phone_number_id: text })),
                  messages: v.optional(v.array(v.unknown())),
                  statuses: v.optional(v.array(v.unknown())),
                }),
              ),
            }),
          ),
        ),
      }),
    ),
  ),
});
export type WhatsappPayload = v.InferOutput<typeof WhatsappPayload>;
