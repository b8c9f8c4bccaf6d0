import { type Asked, type PlatformAnswer, servePlatform } from "./platform-server.ts";

export const BOT_TOKEN = "4242:token-of-the-test";
export const WEBHOOK_SECRET = "webhook_secret_of_the_test";

type Shown = {
  readonly chat_id: number;
  readonly message_id: number;
  text: string;
  deleted: boolean;
  /** The buttons below it. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
  markup: any;
  readonly asked: Asked;
};
type Method = Asked & { readonly name: string };

const refused = (error_code: number, description: string, parameters?: object): PlatformAnswer => ({
  status: error_code,
  body: { ok: false, error_code, description, ...(parameters && { parameters }) },
});
const done = (result: unknown): PlatformAnswer => ({ status: 200, body: { ok: true, result } });

/**
 * What stands where api.telegram.org stands: checks the token, parses the HTML as the platform does, and refuses what is
 * too long, unchanged, too fast or not there.
 */
export async function startBot() {
  const calls: Method[] = [];
  const shown: Shown[] = [];
  const files = new Map<string, { readonly bytes: Buffer; readonly claims?: number }>();
  const blockedBy = new Set<number>();
  /** What the next calls of a method are refused with. */
  const refusals: { method: string; error_code: number; description: string; retry_after?: number }[] = [];
  let next = 100;

  const answer = (asked: Asked): PlatformAnswer => {
    const [, bot, name = "", ...rest] = asked.path.split("/");
    if (bot === "file")
      return rest.length > 0 && name === `bot${BOT_TOKEN}`
        ? sendFile(rest.join("/"))
        : refused(401, "Unauthorized");
    if (bot !== `bot${BOT_TOKEN}`) return refused(401, "Unauthorized");
    calls.push({ ...asked, name });
    const at = refusals.findIndex(({ method }) => method === name);
    const [refusal] = at < 0 ? [] : refusals.splice(at, 1);
    if (refusal) {
      const { error_code, description, retry_after } = refusal;
      return refused(error_code, description, retry_after === undefined ? undefined : { retry_after });
    }
    return perform(name, asked);
  };
  const sendFile = (path: string): PlatformAnswer => {
    const file = files.get(path.replace("files/", ""));
    return file ? { status: 200, body: file.bytes } : { status: 404, body: {} };
  };
  const perform = (name: string, asked: Asked): PlatformAnswer => {
    const { body } = asked;
    if (blockedBy.has(Number(body.chat_id))) return refused(403, "Forbidden: bot was blocked by the user");
    switch (name) {
      case "getMe":
        return done({ id: 4242, is_bot: true, username: "Demo_Bot" });
      case "getFile":
        return getFile(body.file_id);
      case "sendMessage":
        return sendMessage(asked);
      case "editMessageText":
        return edit(asked);
      case "deleteMessage":
        return remove(asked);
      case "sendChatAction":
      case "answerCallbackQuery":
        return done(true);
      default:
        return name.startsWith("send") ? show(asked, `<${name}>`) : refused(404, "Not Found");
    }
  };
  const getFile = (file_id: string): PlatformAnswer => {
    const file = files.get(file_id);
    if (!file) return refused(400, "Bad Request: invalid file_id");
    return done({ file_id, file_path: `files/${file_id}`, file_size: file.claims ?? file.bytes.length });
  };
  const sendMessage = (asked: Asked): PlatformAnswer => {
    const fault = faultIn(asked.body);
    return fault === undefined ? show(asked, asked.body.text) : refused(400, fault);
  };
  const show = (asked: Asked, text: string): PlatformAnswer => {
    const message_id = next++;
    const { chat_id, reply_markup: markup } = asked.body;
    shown.push({ chat_id: Number(chat_id), message_id, text, deleted: false, markup, asked });
    return done({ message_id });
  };
  const find = ({ body }: Asked) =>
    shown.find(({ message_id, deleted }) => message_id === Number(body.message_id) && !deleted);
  const edit = (asked: Asked): PlatformAnswer => {
    const message = find(asked);
    if (!message) return refused(400, "Bad Request: message to edit not found");
    const fault = faultIn(asked.body);
    if (fault !== undefined) return refused(400, fault);
    const { text, reply_markup: markup } = asked.body;
    const isSame = message.text === text && JSON.stringify(message.markup) === JSON.stringify(markup);
    if (isSame) return refused(400, "Bad Request: message is not modified");
    Object.assign(message, { text, markup });
    return done({ message_id: message.message_id });
  };
  const remove = (asked: Asked): PlatformAnswer => {
    const message = find(asked);
    if (!message) return refused(400, "Bad Request: message to delete not found");
    message.deleted = true;
    return done(true);
  };

  const server = await servePlatform(answer);
  return {
    ...server,
    calls,
    files,
    blockedBy,
    refusals,
    callsOf: (name: string, chat_id?: number) =>
      calls.filter(
        (call) => call.name === name && (chat_id === undefined || Number(call.body.chat_id) === chat_id),
      ),
    /** What a chat shows now, in order. */
    shownIn: (chat_id: number) => shown.filter((message) => message.chat_id === chat_id && !message.deleted),
    textsIn: (chat_id: number): string[] =>
      shown.filter((message) => message.chat_id === chat_id && !message.deleted).map(({ text }) => text),
  };
}
export type Bot = Awaited<ReturnType<typeof startBot>>;

const TAGS = new Set(["b", "i", "u", "s", "code", "pre", "a", "blockquote", "tg-spoiler"]);
const ENTITY = /&(?!(?:lt|gt|amp|quot|#\d+);)/;

type SentText = {
  readonly text?: string;
  readonly parse_mode?: string;
  readonly reply_markup?: { readonly inline_keyboard: readonly { readonly callback_data: string }[][] };
};

/** What is wrong with a text; tags must be known, closed and nested, and only the text between them counts as length. */
export function faultIn({ text, parse_mode, reply_markup }: SentText): string | undefined {
  if (text === undefined || text.trim() === "") return "Bad Request: message text is empty";
  const isLong = ({ callback_data }: { callback_data: string }) => Buffer.byteLength(callback_data) > 64;
  if (reply_markup?.inline_keyboard.flat().some(isLong)) return "Bad Request: BUTTON_DATA_INVALID";
  const bare = parse_mode === "HTML" ? text.replace(/<[^>]*>/g, "") : text;
  if (bare.length > 4096) return "Bad Request: message is too long";
  if (parse_mode !== "HTML") return undefined;
  const open: string[] = [];
  for (const [, close, tag = ""] of text.matchAll(/<(\/?)([a-z-]+)[^>]*>/g)) {
    if (!TAGS.has(tag)) return `Bad Request: can't parse entities: unsupported start tag "${tag}"`;
    if (close === "") open.push(tag);
    else if (open.pop() !== tag) return "Bad Request: can't parse entities: unmatched end tag";
  }
  const isBroken = open.length > 0 || /[<>]/.test(bare) || ENTITY.test(bare);
  return isBroken ? "Bad Request: can't parse entities: broken" : undefined;
}

let updates = 5000;

/** An update with a message of a private chat, unless it says otherwise. */
export function telegramUpdate(message: Readonly<Record<string, unknown>>, kind = "message") {
  const update_id = updates++;
  const from = { id: 42, is_bot: false, first_name: "Ada" };
  const date = Math.floor(Date.now() / 1000);
  const chat = { id: 42, type: "private" };
  return { update_id, [kind]: { message_id: update_id * 10, date, from, chat, ...message } };
}

/** A press of a button under a message. */
export const buttonPress = (data: string, message: Readonly<Record<string, unknown>>, from = 42) => ({
  update_id: updates++,
  callback_query: { id: `press-${updates}`, from: { id: from, is_bot: false }, data, message },
});

/** A change of the reactions that a person has to a message. */
export const telegramReaction = (
  message_id: number,
  { was = [], is = [] }: { readonly was?: readonly string[]; readonly is?: readonly string[] },
  { from = 42, chat = { id: 42, type: "private" } }: { readonly from?: number; readonly chat?: object } = {},
) => {
  const listed = (emojis: readonly string[]) => emojis.map((emoji) => ({ type: "emoji", emoji }));
  const user = { id: from, is_bot: false, first_name: "Ada" };
  const date = Math.floor(Date.now() / 1000);
  const change = { chat, message_id, user, date, old_reaction: listed(was), new_reaction: listed(is) };
  return { update_id: updates++, message_reaction: change };
};

/** Posts an update as the platform does. */
export const postTelegram = (url: string, update: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}/telegram/webhook`, {
    method: "POST",
    body: typeof update === "string" ? update : JSON.stringify(update),
    headers: {
      "content-type": "application/json",
      "x-telegram-bot-api-secret-token": WEBHOOK_SECRET,
      ...headers,
    },
  });
