import * as v from "valibot";

const text = v.optional(v.string());
/** Ids of channels, users and teams. */
const Id = v.pipe(v.string(), v.regex(/^[A-Z0-9]{1,40}$/i));
/** Id of a message within its channel, and its time in epoch seconds. */
const Ts = v.pipe(v.string(), v.regex(/^\d{1,15}\.\d{1,10}$/));

export const SlackFile = v.looseObject({
  id: v.string(),
  name: text,
  mimetype: text,
  size: v.optional(v.number()),
  url_private_download: text,
  url_private: text,
});
export type SlackFile = v.InferOutput<typeof SlackFile>;

/** An event of a message, as far as it is read. Other members are accepted. */
export const SlackMessage = v.looseObject({
  type: v.picklist(["message", "app_mention"]),
  subtype: text,
  channel: Id,
  user: v.optional(Id),
  bot_id: text,
  text,
  ts: Ts,
  thread_ts: v.optional(Ts),
  files: v.optional(v.array(SlackFile)),
});
export type SlackMessage = v.InferOutput<typeof SlackMessage>;

/** @source Slack, "reaction_added" and "reaction_removed" */
export const SlackReaction = v.looseObject({
  type: v.picklist(["reaction_added", "reaction_removed"]),
  /** Who reacts. */
  user: Id,
  /** The emoji's name. */
  reaction: v.string(),
  /** Who wrote the message; absent for some that no user wrote. */
  item_user: v.optional(v.nullable(v.string())),
  item: v.looseObject({ type: v.literal("message"), channel: Id, ts: Ts }),
  event_ts: Ts,
});

/** @source Slack, "Events API", the outer payload */
export const SlackEnvelope = v.looseObject({
  type: v.string(),
  challenge: text,
  team_id: text,
  /** Whether other organizations are in the channel. */
  is_ext_shared_channel: v.optional(v.boolean()),
  authorizations: v.optional(
    v.nullable(v.array(v.looseObject({ user_id: text, is_bot: v.optional(v.boolean()) }))),
  ),
  event: v.optional(v.looseObject({ type: v.string() })),
});
export type SlackEnvelope = v.InferOutput<typeof SlackEnvelope>;

/** A pressed button. @source Slack, "block_actions payload" */
export const SlackInteraction = v.looseObject({
  type: v.literal("block_actions"),
  user: v.looseObject({ id: Id }),
  team: v.optional(v.nullable(v.looseObject({ id: v.string() }))),
  channel: v.looseObject({ id: Id }),
  message: v.looseObject({ ts: Ts, thread_ts: v.optional(Ts), text }),
  actions: v.array(v.looseObject({ value: text, action_ts: text })),
});
export type SlackInteraction = v.InferOutput<typeof SlackInteraction>;
