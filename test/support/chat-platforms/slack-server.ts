import { createHmac } from "node:crypto";
import { type Asked, type PlatformAnswer, servePlatform } from "./platform-server.ts";

export const SLACK_TOKEN = "xoxb-token-of-the-test";
export const SIGNING_SECRET = "signing_secret_of_the_test";
export const BOT_USER = "U0BOT";

type Shown = { readonly channel: string; readonly thread_ts: string; readonly ts: string; asked: Asked };
type Method = Asked & { readonly name: string };

const refused = (error: string): PlatformAnswer => ({ status: 200, body: { ok: false, error } });
const done = (result: object = {}): PlatformAnswer => ({ status: 200, body: { ok: true, ...result } });

/** Methods that read no JSON. */
const formsOnly = new Set(["files.info", "files.getUploadURLExternal"]);

/**
 * What stands where slack.com stands: checks the token, the form of a request and the limits of texts, blocks and
 * uploads.
 */
export async function startSlack() {
  const calls: Method[] = [];
  const shown: Shown[] = [];
  /** What a user sent, by its id. */
  const files = new Map<string, { bytes: Buffer; mimetype: string; claims?: number; url?: string }>();
  /** What was uploaded, and where it was shown. */
  const uploads = new Map<string, { filename: string; length: number; bytes?: Buffer; thread_ts?: string }>();
  /** What the next calls of a method are refused with. */
  const refusals: { method: string; error?: string; retry_after?: number; status?: number }[] = [];
  let next = 1;

  const answer = (asked: Asked): PlatformAnswer => {
    const name = asked.path.split("/").at(-1) ?? "";
    if (asked.path.startsWith("/upload/")) return take(name, asked);
    if (asked.headers.authorization !== `Bearer ${SLACK_TOKEN}`) return refused("invalid_auth");
    if (asked.path.startsWith("/files/")) return sendFile(name);
    calls.push({ ...asked, name });
    const at = refusals.findIndex(({ method }) => method === name);
    const [refusal] = at < 0 ? [] : refusals.splice(at, 1);
    if (refusal?.retry_after !== undefined) {
      return { status: 429, body: {}, headers: { "retry-after": String(refusal.retry_after) } };
    }
    if (refusal) return refusal.status ? { status: refusal.status, body: {} } : refused(refusal.error ?? "");
    const isForm = asked.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
    return formsOnly.has(name) && !isForm ? refused("invalid_arguments") : perform(name, asked);
  };
  const perform = (name: string, asked: Asked): PlatformAnswer => {
    const { body } = asked;
    switch (name) {
      case "chat.postMessage": {
        const fault = faultIn(body, 40_000);
        return fault === undefined ? post(asked) : refused(fault);
      }
      case "chat.update": {
        const message = shown.find(({ ts, channel }) => ts === body.ts && channel === body.channel);
        const fault = message ? faultIn(body, 4_000) : "message_not_found";
        if (!message || fault !== undefined) return refused(fault ?? "");
        message.asked = asked;
        return done({ ts: message.ts });
      }
      case "chat.postEphemeral":
        return body.user ? done({ message_ts: "1.1" }) : refused("user_not_in_channel");
      case "assistant.threads.setStatus":
        return typeof body.status === "string" ? done() : refused("invalid_arguments");
      case "files.info":
        return fileInfo(body.file);
      case "files.getUploadURLExternal": {
        const file_id = `F${next++}`;
        uploads.set(file_id, { filename: body.filename, length: Number(body.length) });
        return done({ file_id, upload_url: `${server.url}/upload/${file_id}` });
      }
      case "files.completeUploadExternal":
        return complete(asked);
      default:
        return refused("unknown_method");
    }
  };
  const post = (asked: Asked): PlatformAnswer => {
    const ts = `1790000000.${String(next++).padStart(6, "0")}`;
    shown.push({ channel: asked.body.channel, thread_ts: asked.body.thread_ts, ts, asked });
    return done({ ts, channel: asked.body.channel });
  };
  const fileInfo = (id: string): PlatformAnswer => {
    const file = files.get(id);
    if (!file) return refused("file_not_found");
    const { mimetype, bytes, claims, url } = file;
    const url_private_download = url ?? `${server.url}/files/${id}`;
    return done({ file: { id, mimetype, size: claims ?? bytes.length, url_private_download } });
  };
  const sendFile = (id: string): PlatformAnswer => {
    const file = files.get(id);
    return file ? { status: 200, body: file.bytes } : { status: 404, body: {} };
  };
  const take = (id: string, { body, headers }: Asked): PlatformAnswer => {
    const upload = uploads.get(id);
    const isRight = Buffer.isBuffer(body) && body.length === upload?.length && !headers.authorization;
    if (!upload || !isRight) return { status: 400, body: {} };
    upload.bytes = body;
    return { status: 200, body: {} };
  };
  const complete = (asked: Asked): PlatformAnswer => {
    const [{ id }] = asked.body.files;
    const upload = uploads.get(id);
    if (!upload?.bytes) return refused("file_not_found");
    upload.thread_ts = asked.body.thread_ts;
    shown.push({ channel: asked.body.channel_id, thread_ts: asked.body.thread_ts, ts: id, asked });
    return done({ files: [{ id }] });
  };

  const server = await servePlatform(answer);
  const shownIn = (channel: string) => shown.filter((message) => message.channel === channel);
  return {
    ...server,
    calls,
    files,
    uploads,
    refusals,
    callsOf: (name: string, channel?: string) =>
      calls.filter((call) => call.name === name && (channel === undefined || call.body.channel === channel)),
    /** What a channel shows now, in order; a file by its name. */
    shownIn,
    textsIn: (channel: string): string[] =>
      shownIn(channel).map(({ asked: { body } }) => body.text ?? `<${body.files[0].title}>`),
  };
}
export type SlackServer = Awaited<ReturnType<typeof startSlack>>;

type Body = { readonly text?: string; readonly blocks?: readonly Record<string, never>[] };

/** What is wrong with a message. */
function faultIn({ text = "", blocks = [] }: Body, most: number): string | undefined {
  if (text === "" && blocks.length === 0) return "no_text";
  if (text.length > most) return "msg_too_long";
  const isBroken = JSON.parse(JSON.stringify(blocks), (key, value) => {
    if (key === "text" && typeof value === "object" && !(value.text?.length > 0)) throw new Error("empty");
    return value;
  });
  for (const block of isBroken) {
    if (block.type === "section" && block.text.text.length > 3_000) return "invalid_blocks";
    if (block.type === "image" && !/^https:/.test(block.image_url)) return "invalid_blocks";
    const isLong = ({ text: label, value }: { text: { text: string }; value: string }) =>
      label.text.length > 75 || value.length > 2_000;
    if (block.type === "actions" && block.elements.some(isLong)) return "invalid_blocks";
    if (block.type === "context_actions" && block.elements.flatMap(buttonsIn).some(isLong)) {
      return "invalid_blocks";
    }
  }
  return undefined;
}

/** The two buttons of an element for feedback; both are needed. */
const buttonsIn = ({ type, positive_button, negative_button }: Record<string, never>) =>
  type === "feedback_buttons" && positive_button && negative_button
    ? [positive_button, negative_button]
    : [{ text: { text: "x".repeat(76) }, value: "" }];

/** The headers of a signed request. @param at epoch seconds */
export function slackHeaders(body: string, at = Math.floor(Date.now() / 1000), secret = SIGNING_SECRET) {
  const signature = createHmac("sha256", secret).update(`v0:${at}:${body}`).digest("hex");
  return { "x-slack-request-timestamp": String(at), "x-slack-signature": `v0=${signature}` };
}

let events = 100;

/** An event with a message to the bot alone, unless it says otherwise. */
export function slackEvent(message: Readonly<Record<string, unknown>>, more: object = {}) {
  const n = events++;
  const ts = `${Math.floor(Date.now() / 1000)}.${String(n).padStart(6, "0")}`;
  const event = { type: "message", channel: "D1", channel_type: "im", user: "UADA", ts, ...message };
  return {
    type: "event_callback",
    team_id: "T1",
    event_id: `Ev${n}`,
    authorizations: [{ user_id: BOT_USER, is_bot: true }],
    event,
    ...more,
  };
}

/** A press of a button under a message that was posted. */
export const slackPress = (value: string, { channel, ts, thread_ts, asked }: Shown, user = "UADA") => ({
  type: "block_actions",
  user: { id: user, team_id: "T1" },
  team: { id: "T1" },
  channel: { id: channel },
  message: { ts, thread_ts, text: asked.body.text },
  actions: [{ action_id: "approve", type: "button", value, action_ts: `${events++}.5` }],
});

/** A press of one of the two buttons for feedback below an answer. */
export const slackThumb = (shown: Shown, score: 0 | 1, user = "UADA") => {
  const { elements } = shown.asked.body.blocks.find(
    ({ type }: { type: string }) => type === "context_actions",
  );
  const [{ positive_button, negative_button, action_id, type }] = elements;
  const { value } = score === 1 ? positive_button : negative_button;
  const press = slackPress(value, shown, user);
  return { ...press, actions: [{ ...press.actions[0], action_id, type }] };
};

/** A reaction to a message of the bot that was added or removed. */
export const slackReaction = (
  reaction: string,
  { channel, ts }: Pick<Shown, "channel" | "ts">,
  { type = "reaction_added", user = "UADA", item_user = BOT_USER } = {},
) => {
  const event_ts = `${Math.floor(Date.now() / 1000)}.${String(events).padStart(6, "0")}`;
  const item = { type: "message", channel, ts };
  const event = { type, user, reaction, item_user, item, event_ts };
  const authorizations = [{ user_id: BOT_USER, is_bot: true }];
  return { type: "event_callback", team_id: "T1", event_id: `Ev${events++}`, authorizations, event };
};

/** The value of a button below a message. */
export const buttonOf = ({ asked }: Shown, position: number): string =>
  asked.body.blocks[1].elements[position].value;

/** Posts an event as Slack does. */
export const postSlack = (url: string, event: object) => {
  const body = JSON.stringify(event);
  const headers = { "content-type": "application/json", ...slackHeaders(body) };
  return fetch(`${url}/slack/events`, { method: "POST", body, headers });
};

/** Posts a press of a button as Slack does. */
export const pressSlack = (url: string, payload: object) => {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded", ...slackHeaders(body) };
  return fetch(`${url}/slack/interactions`, { method: "POST", body, headers });
};
