import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { artist, exhibiting } from "../../support/chat-platforms/artist.ts";
import { type Bot, buttonPress, startBot, telegramUpdate } from "../../support/chat-platforms/bot-server.ts";
import { type Graph, startGraph } from "../../support/chat-platforms/graph-server.ts";
import { type ChatWorld, chatWorld } from "../../support/chat-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
let graph: Graph;
let bot: Bot;
/** Streams; `calm` does not. */
let world: ChatWorld;
let calm: ChatWorld;
let people = 1_000_000;
/** A new user for each test. */
let ada: number;
beforeAll(async () => {
  [stores, graph, bot] = await Promise.all([startStores(), startGraph(), startBot()]);
  world = chatWorld(stores.db, graph, bot);
  calm = chatWorld(stores.db, graph, bot, { telegram: { streaming: false } });
});
beforeEach(() => {
  ada = people++;
  bot.refusals.length = 0;
});
afterAll(async () => {
  await Promise.all([stores?.stop(), graph?.stop(), bot?.stop()]);
});

const worldWith = (telegram: Record<string, unknown>) =>
  chatWorld(stores.db, graph, bot, { telegram: { streaming: false, ...telegram } });
const from = () => ({ id: ada, is_bot: false, first_name: "Ada" });
const alone = (message: object) =>
  telegramUpdate({ from: from(), chat: { id: ada, type: "private" }, ...message });
const group = () => -ada;
const inGroup = (message: object) =>
  telegramUpdate({ from: from(), chat: { id: group(), type: "supergroup" }, ...message });
const send = async (update: unknown, at = calm, chat = ada): Promise<string[]> => {
  expect((await at.telegram(update)).json.status).toBe("processing");
  await at.settle();
  return bot.textsIn(chat);
};
const inputsOf = async (owner: string | number) =>
  (await calm.jobsOf(String(owner))).map(({ payload }) => payload.input);

describe("files of an answer", () => {
  const studio = (more: Record<string, unknown> = {}) =>
    chatWorld(stores.db, graph, bot, { telegram: { component: "agents/artist", ...more }, agents: [artist] });
  const sentIn = (chat: number) =>
    bot.calls
      .filter(
        ({ name, body }) =>
          name.startsWith("send") && name !== "sendChatAction" && Number(body.chat_id) === chat,
      )
      .map(({ name }) => name);

  test("are sent each by its method, before the text, and one that fails does not stop the rest", async () => {
    bot.refusals.push({ method: "sendPhoto", error_code: 400, description: "Bad Request: PHOTO_INVALID" });
    await send(alone({ text: exhibiting("png", "mp4", "pdf", "mp3") }), studio({ streaming: false }));
    expect(sentIn(ada)).toEqual(["sendPhoto", "sendVideo", "sendDocument", "sendAudio", "sendMessage"]);
    expect(bot.textsIn(ada)).toEqual([
      "<sendVideo>",
      "<sendDocument>",
      "<sendAudio>",
      expect.stringMatching(/^There you are\./),
    ]);
    const [video] = bot.callsOf("sendVideo", ada);
    expect(video?.body.video).toBe("https://videos.example/v.mp4");
    const [document] = bot.callsOf("sendDocument", ada);
    expect(document?.body.document).toMatchObject({ name: "bill.pdf", type: "application/pdf" });
  });

  test("come after the text where that was shown while it grew", async () => {
    await send(alone({ text: exhibiting("png") }), studio());
    expect(bot.textsIn(ada).map((said) => said.replace(/^<blockquote>.*<\/blockquote>\n/s, ""))).toEqual([
      "There you are.",
      "<sendPhoto>",
    ]);
  });

  test("quote the question of a group with the first part alone, and have captions of 1,024", async () => {
    const said = {
      chat: { id: group(), type: "supergroup" },
      text: `@demo_bot ${exhibiting("png", "webp", "bmp")}`,
    };
    await send(inGroup(said), studio({ streaming: false }), group());
    const photos = bot.callsOf("sendPhoto", group());
    expect(photos.map(({ body }) => "reply_parameters" in body)).toEqual([true, false]);
    expect(photos.map(({ body }) => String(body.caption).length)).toEqual([1024, 4]);
    expect(bot.callsOf("sendDocument", group())).toHaveLength(1);
  });
});

describe("commands", () => {
  test("are answered with their texts and without a run", async () => {
    await send(alone({ text: "/start" }));
    await send(alone({ text: "/help" }));
    await send(alone({ text: "/help@demo_bot and more" }));
    await send(alone({ text: "/new" }));
    const help = "/new starts a fresh conversation, /stop cancels what I am at, /help shows this list.";
    expect(bot.textsIn(ada)).toEqual([
      "Hello, this is refund-desk. Write to me, or send /help.",
      help,
      help,
      "Fresh start: I no longer look at what we wrote before.",
    ]);
    expect(await inputsOf(ada)).toEqual([]);
  });
  test("of another bot in a group are not ours, and ours need no mention there", async () => {
    await send(inGroup({ text: "/help@other_bot" }), calm, group());
    expect(bot.textsIn(group())).toEqual([]);
    await send(inGroup({ text: "/help" }), calm, group());
    expect(bot.textsIn(group())).toHaveLength(1);
  });
  test("stop a run that goes on, and say so when there is none", async () => {
    await send(alone({ text: "/stop" }));
    expect(bot.textsIn(ada)).toEqual(["There is nothing to stop."]);
    await calm.telegram(alone({ text: "[[sleep:60000]]" }));
    const settled = calm.settle();
    await expect.poll(() => calm.runsOf(String(ada)).then(([run]) => run?.status)).toBe("RUNNING");
    await calm.telegram(alone({ text: "/stop" }));
    await settled;
    expect(bot.textsIn(ada).at(-1)).toBe("This request was cancelled.");
    expect((await calm.runsOf(String(ada)))[0]?.status).toBe("CANCELLED");
  });
});

describe("a group", () => {
  const mention = { entities: [{ type: "mention", offset: 0, length: 9 }] };
  test("is answered where the bot is named, in any case, without the name, and quoting the question", async () => {
    const before = bot.calls.length;
    await send(inGroup({ text: "you were not asked" }), calm, group());
    expect(bot.calls.slice(before).filter(({ name }) => name !== "getMe")).toEqual([]);
    const update = inGroup({ text: "@DEMO_BOT What is on?", ...mention });
    expect(await send(update, calm, group())).toEqual(["You said: What is on?"]);
    expect(await inputsOf(`tg-chat:${group()}`)).toEqual(["What is on?"]);
    const { message_id } = Object(update).message;
    expect(bot.callsOf("sendMessage", group())[0]?.body.reply_parameters).toEqual({
      message_id,
      allow_sending_without_reply: true,
    });
  });
  test("is answered where a user replies to the bot, and not where a longer name begins like its own", async () => {
    await send(inGroup({ text: "@demo_bot2 you there?" }), calm, group());
    expect(bot.textsIn(group())).toEqual([]);
    await send(inGroup({ text: "and you?", reply_to_message: { from: { id: 4242 } } }), calm, group());
    expect(bot.textsIn(group())).toEqual(["You said: and you?"]);
  });
  test("is answered message by message where that is switched on", async () => {
    const open = worldWith({ reply_to_mentions_only: false });
    expect(await send(inGroup({ text: "hello all" }), open, group())).toEqual(["You said: hello all"]);
  });
  test("is one conversation for all its members, and who wrote is on the run", async () => {
    const place = group();
    await send(inGroup({ text: "@demo_bot I am Ada" }), calm, place);
    const chat = { id: place, type: "supergroup" };
    await send(telegramUpdate({ from: { id: 77 }, chat, text: "@demo_bot and I am Grace" }), calm, place);
    expect(bot.textsIn(place)).toEqual(["You said: I am Ada", "You said: and I am Grace"]);
    const runs = await calm.runsOf(`tg-chat:${place}`);
    expect(new Set(runs.map(({ session_id }) => session_id))).toEqual(new Set([`tg:refund-desk:${place}`]));
    expect(runs.map(({ output }) => output.metadata.sender_id)).toEqual([String(ada), "77"]);
    await send(telegramUpdate({ from: { id: 77 }, chat, text: "/new" }), calm, place);
    await send(inGroup({ text: "@demo_bot again" }), calm, place);
    expect((await calm.runsOf(`tg-chat:${place}`)).at(-1)?.session_id).toMatch(/:[0-9a-f]{8}$/);
  });
  test("has a conversation of its own in each topic, and is answered there", async () => {
    await send(inGroup({ text: "@demo_bot one", message_thread_id: 3 }), calm, group());
    await send(inGroup({ text: "@demo_bot two", message_thread_id: 4 }), calm, group());
    const sessions = (await calm.runsOf(`tg-chat:${group()}`)).map(({ session_id }) => session_id);
    expect(sessions).toEqual([`tg:refund-desk:${group()}:3`, `tg:refund-desk:${group()}:4`]);
    for (const name of ["sendMessage", "sendChatAction"]) {
      const threads = new Set(bot.callsOf(name, group()).map(({ body }) => body.message_thread_id));
      expect(threads).toEqual(new Set([3, 4]));
    }
  });
});

describe("a conversation", () => {
  test("is that of its chat exactly: 9 is not 99, also after /new", async () => {
    const [short, long] = [Number(`9${ada}`), Number(`9${ada}9`)];
    const to = (id: number, text: string) =>
      telegramUpdate({ from: { id }, chat: { id, type: "private" }, text });
    await send(to(long, "/new"), calm, long);
    await send(to(long, "long"), calm, long);
    await send(to(short, "short"), calm, short);
    const sessionOf = async (id: number) =>
      (await calm.runsOf(String(id))).map(({ session_id }) => session_id);
    expect(await sessionOf(short)).toEqual([`tg:refund-desk:${short}`]);
    expect(await sessionOf(long)).toEqual([
      expect.stringMatching(new RegExp(`^tg:refund-desk:${long}:[0-9a-f]{8}$`)),
    ]);
  });
  test("alone is not quoted, unless that is switched on", async () => {
    await send(alone({ text: "plain" }));
    await send(alone({ text: "quoted" }), worldWith({ quoted_responses: true }));
    const quotes = bot.callsOf("sendMessage", ada).map(({ body }) => body.reply_parameters !== undefined);
    expect(quotes).toEqual([false, true]);
  });
  test("takes a message and its edits as one turn at most, and a live location as one", async () => {
    const chat = { id: ada, type: "private" };
    const edit = (message_id: number, more: object) =>
      telegramUpdate({ from: from(), chat, message_id, ...more }, "edited_message");
    await send(alone({ message_id: 1, text: "first" }));
    await send(edit(1, { text: "second" }));
    const place = { location: { latitude: 1, longitude: 2, live_period: 900 } };
    await send(alone({ message_id: 2, ...place }));
    for (let move = 0; move < 3; move += 1) await send(edit(2, place));
    await send(edit(3, { text: "its first text was never seen" }));
    expect(await inputsOf(ada)).toEqual(["first", "Location: (1, 2)", "its first text was never seen"]);
    expect(calm.lines.join()).toContain("an edit of a message that was taken");
    const off = worldWith({ run_edited_messages: false });
    await send(edit(4, { text: "not asked" }), off);
    expect(await inputsOf(ada)).toHaveLength(3);
  });
  test("in a group begins with the edit that names the bot", async () => {
    const said = { message_id: 9, text: "what is on?" };
    await send(inGroup(said), calm, group());
    const chat = { id: group(), type: "supergroup" };
    const named = { from: from(), chat, ...said, text: "@demo_bot what is on?" };
    expect(await send(telegramUpdate(named, "edited_message"), calm, group())).toEqual([
      "You said: what is on?",
    ]);
  });
});

describe("a file", () => {
  const keep = (id: string, claims?: number) =>
    bot.files.set(id, { bytes: Buffer.from(`bytes of ${id}`), ...(claims && { claims }) });
  const inputsWith = async () => (await calm.runsOf(String(ada))).map((run) => run.output.input);
  test("is given to the run: the largest photo, a sticker's thumbnail, voice, a round video, a document", async () => {
    for (const id of ["big", "thumb", "voice", "round", "bill"]) keep(id);
    await send(alone({ photo: [{ file_id: "small" }, { file_id: "big" }], caption: "Who?" }));
    await send(alone({ sticker: { file_id: "moving", is_animated: true, thumbnail: { file_id: "thumb" } } }));
    await send(alone({ voice: { file_id: "voice", mime_type: "audio/ogg" } }));
    await send(alone({ video_note: { file_id: "round" } }));
    await send(alone({ document: { file_id: "bill", file_name: "bill.pdf", mime_type: "application/pdf" } }));
    expect(await inputsWith()).toMatchObject([
      {
        input_content: "Who?",
        images: [{ mime_type: "image/jpeg", object: { bytes: "bytes of big".length } }],
      },
      { images: [{ object: { bytes: "bytes of thumb".length } }] },
      { audios: [{ mime_type: "audio/ogg" }] },
      { videos: [{ mime_type: "video/mp4" }] },
      { files: [{ filename: "bill.pdf" }] },
    ]);
  });
  test("that is too large is refused in words; its caption runs, and nothing does without one", async () => {
    const document = { file_id: "huge", file_size: 21_000_000 };
    const refusal = "This file is larger than 20 MB. Please send a smaller one.";
    expect(await send(alone({ document }))).toEqual([refusal]);
    expect(await send(alone({ document, caption: "Read it" }))).toEqual([
      refusal,
      refusal,
      "You said: Read it",
    ]);
    expect(await inputsOf(ada)).toEqual(["Read it"]);
  });
  test("is no place: that is said in a text", async () => {
    await send(alone({ location: { latitude: 1.5, longitude: 2 } }));
    expect(await inputsOf(ada)).toEqual(["Location: (1.5, 2)"]);
  });
});

describe("an answer that takes long", () => {
  test("is announced every four seconds", async () => {
    await calm.telegram(alone({ text: "[[sleep:1500]]" }));
    await calm.settle(100);
    expect(bot.callsOf("sendChatAction", ada).length).toBeGreaterThan(2);
  });
  test("grows in one message, whose edits are a second apart, and which holds all of it in the end", async () => {
    await world.telegram(alone({ text: "[[tokens:30]][[sleep:1200]][[tokens:30]][[sleep:1200]]the end" }));
    await world.settle();
    expect(bot.callsOf("sendMessage", ada)).toHaveLength(1);
    expect(bot.textsIn(ada)).toHaveLength(1);
    const edits = bot.callsOf("editMessageText", ada);
    expect(edits.length).toBeGreaterThan(0);
    const times = [...bot.callsOf("sendMessage", ada), ...edits].map(({ at }) => at);
    const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(900);
    const [run] = await world.runsOf(String(ada));
    expect(bot.textsIn(ada)[0]).toBe(run?.output.content);
  });
  test("and is longer than a message leaves no part of itself behind, and only its first message quotes", async () => {
    await world.telegram(inGroup({ text: "@demo_bot [[tokens:200]][[sleep:3500]][[tokens:1200]]" }));
    await world.settle();
    const shown = bot.shownIn(group());
    expect(shown.length).toBeGreaterThan(1);
    expect(bot.callsOf("deleteMessage", group())).toHaveLength(1);
    expect(shown.map(({ asked }) => asked.body.reply_parameters !== undefined)).toEqual(
      shown.map((_, i) => i === 0),
    );
    for (const { text } of shown) expect(text.length).toBeLessThanOrEqual(4096);
  });
});

describe("Telegram", () => {
  test("is not asked anything for as long as it says, and gets the answer then", async () => {
    bot.refusals.push({
      method: "sendMessage",
      error_code: 429,
      description: "Too Many Requests",
      retry_after: 2,
    });
    expect(await send(alone({ text: "patience" }))).toEqual(["You said: patience"]);
    const sends = bot.callsOf("sendMessage", ada).map(({ at }) => at);
    const [refused = 0, sent = 0] = sends;
    expect(sent - refused).toBeGreaterThan(1_900);
    const between = bot.calls.filter(
      ({ at, body }) => at > refused && at < refused + 1_900 && body.chat_id === ada,
    );
    expect(between).toEqual([]);
  });
  test("is asked for a file again after the time that it names", async () => {
    bot.files.set("later", { bytes: Buffer.from("later") });
    bot.refusals.push({
      method: "getFile",
      error_code: 429,
      description: "Too Many Requests",
      retry_after: 1,
    });
    await send(alone({ document: { file_id: "later", file_name: "a.txt" }, caption: "Read" }));
    expect((await calm.runsOf(String(ada)))[0]?.output.input.files).toMatchObject([{ filename: "a.txt" }]);
    const [refused, given] = bot.callsOf("getFile").slice(-2);
    expect(Number(given?.at) - Number(refused?.at)).toBeGreaterThan(900);
  });
  test("gets the text alone when it cannot read the format", async () => {
    bot.refusals.push({
      method: "sendMessage",
      error_code: 400,
      description: "Bad Request: can't parse entities: x",
    });
    await send(alone({ text: "**bold** & <b>" }));
    const [first, second] = bot.callsOf("sendMessage", ada).map(({ body }) => body);
    expect(first).toMatchObject({ parse_mode: "HTML", text: "You said: <b>bold</b> &amp; &lt;b&gt;" });
    expect([second.parse_mode, second.text]).toEqual([undefined, "You said: bold & <b>"]);
  });
  test("is not tried again by a bot that was blocked", async () => {
    bot.blockedBy.add(ada);
    await send(alone({ text: "hello?" }));
    expect(bot.callsOf("sendMessage", ada)).toHaveLength(1);
    const mine = (await calm.messages()).filter(({ sender }) => sender === String(ada));
    expect(mine).toMatchObject([{ status: "done" }]);
  });
  test("is notified of a failed run by one text without its reason", async () => {
    expect(await send(alone({ text: "[[fail:the password is 1234]]" }), world)).toEqual([
      "That did not work. Please send it again in a moment.",
    ]);
  });
});

describe("a question in a group", () => {
  test("is answered by who asked, and by no one else", async () => {
    const text = '@demo_bot [[tool:issue_refund {"order_id":"o-9","amount":7}]]';
    const [question = ""] = await send(inGroup({ text }), calm, group());
    expect(question).toContain("issue_refund (amount: 7, order_id: o-9)");
    const buttons = bot.callsOf("sendMessage", group())[0]?.body.reply_markup.inline_keyboard[0];
    const message = { message_id: 1, chat: { id: group(), type: "supergroup" } };
    await send(buttonPress(buttons[0].callback_data, message, 666), calm, group());
    expect(bot.callsOf("answerCallbackQuery").at(-1)?.body.text).toBe(
      "Only the person who asked can answer this.",
    );
    expect((await calm.runsOf(`tg-chat:${group()}`))[0]?.status).toBe("PAUSED");
    const said = await send(buttonPress(buttons[0].callback_data, message, ada), calm, group());
    expect(said.at(-1)).toContain("Refunded 7 for order o-9.");
  });
  test("of a team and of a workflow goes on by a button too", async () => {
    for (const component of ["teams/support-team", "workflows/publish-report"]) {
      ada = people++;
      const at = worldWith({ component });
      const refund =
        '[[tool:delegate_task_to_member {"member_id":"refund-desk","task":"[[tool:issue_refund {\\"order_id\\":\\"o-2\\",\\"amount\\":3}]]"}]]';
      await send(alone({ text: component.startsWith("teams") ? refund : "lights" }), at);
      const asked = bot.callsOf("sendMessage", ada).at(-1)?.body;
      const data = asked.reply_markup.inline_keyboard[0][0].callback_data;
      const message = { message_id: 1, chat: { id: ada, type: "private" } };
      const said = await send(buttonPress(data, message, ada), at);
      expect(said.at(-1)).toMatch(/Refunded 3|Published: /);
    }
  });
});
