import * as v from "valibot";

const text = v.optional(v.string());
/** Ids and instants: the platform guarantees at most 52 bits. */
const whole = v.pipe(v.number(), v.safeInteger());
const number = v.optional(whole);
const Sender = v.looseObject({
  id: whole,
  is_bot: v.optional(v.boolean()),
  username: text,
  language_code: text,
});
const File = v.looseObject({ file_id: v.string(), file_size: number, mime_type: text, file_name: text });
const Entity = v.looseObject({ type: v.string(), offset: whole, length: whole });

/** A message of the Bot API, as far as it is read. Other members are accepted. */
export const TelegramMessage = v.looseObject({
  message_id: whole,
  date: number,
  from: v.optional(Sender),
  chat: v.optional(v.looseObject({ id: whole, type: text })),
  message_thread_id: number,
  text: text,
  caption: text,
  entities: v.optional(v.array(Entity)),
  caption_entities: v.optional(v.array(Entity)),
  reply_to_message: v.optional(v.looseObject({ from: v.optional(Sender) })),
  photo: v.optional(v.array(File)),
  sticker: v.optional(
    v.looseObject({
      ...File.entries,
      is_animated: v.optional(v.boolean()),
      is_video: v.optional(v.boolean()),
      thumbnail: v.optional(File),
    }),
  ),
  voice: v.optional(File),
  audio: v.optional(File),
  video: v.optional(File),
  video_note: v.optional(File),
  animation: v.optional(File),
  document: v.optional(File),
  location: v.optional(v.looseObject({ latitude: v.number(), longitude: v.number() })),
  contact: v.optional(v.looseObject({ first_name: v.string(), last_name: text, phone_number: text })),
});
export type TelegramMessage = v.InferOutput<typeof TelegramMessage>;

/** The emoji is absent on those that are pictures of their own. */
const Reactions = v.array(v.looseObject({ type: v.string(), emoji: text }));

export const TelegramUpdate = v.looseObject({
  update_id: whole,
  message: v.optional(TelegramMessage),
  edited_message: v.optional(TelegramMessage),
  callback_query: v.optional(
    v.looseObject({ id: v.string(), from: Sender, message: v.optional(TelegramMessage), data: text }),
  ),
  /** Who reacts is absent where that is an anonymous administrator. */
  message_reaction: v.optional(
    v.looseObject({
      chat: v.looseObject({ id: whole, type: text }),
      message_id: whole,
      user: v.optional(Sender),
      date: number,
      old_reaction: Reactions,
      new_reaction: Reactions,
    }),
  ),
});
export type TelegramUpdate = v.InferOutput<typeof TelegramUpdate>;
