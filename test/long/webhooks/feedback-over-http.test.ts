import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Bot,
  buttonPress,
  postTelegram,
  startBot,
  telegramReaction,
  telegramUpdate,
} from "../../support/chat-platforms/bot-server.ts";
import { chatEnvironment } from "../../support/chat-platforms/chat-environment.ts";
import {
  type Graph,
  postWhatsapp,
  startGraph,
  whatsappMessage,
} from "../../support/chat-platforms/graph-server.ts";
import { until } from "../../support/chat-platforms/platform-server.ts";
import {
  BOT_USER,
  postSlack,
  pressSlack,
  type SlackServer,
  slackEvent,
  slackReaction,
  slackThumb,
  startSlack,
} from "../../support/chat-platforms/slack-server.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type StoreView, viewStores } from "../../support/stored.ts";

let graph: Graph;
let bot: Bot;
let slack: SlackServer;
let platform: TestPlatform;
let view: StoreView;
let admin: Client;
beforeAll(async () => {
  [graph, bot, slack] = await Promise.all([startGraph(), startBot(), startSlack()]);
  const env = chatEnvironment(
    { graph, bot, slack },
    { whatsapp: "agents/assistant", telegram: "agents/assistant", slack: "agents/assistant" },
    { whatsapp: "reactions", telegram: "both", slack: "both" },
  );
  platform = await startPlatform({ env });
  view = viewStores(platform);
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(async () => {
  view?.close();
  await platform?.stop();
  await Promise.all([graph?.stop(), bot?.stop(), slack?.stop()]);
});

type Vote = {
  author: string;
  score: number;
  role: string;
  source: string;
  run_id: string;
  session_id: string;
  feedback_id: string;
};
/** What was said about the runs of a conversation, the newest first. */
const votesOn = async (owner: string): Promise<Vote[]> =>
  (await admin.get(`/feedback?user_id=${encodeURIComponent(owner)}`)).json.data;
/** The same as who said what. */
const saidOn = async (owner: string) =>
  (await votesOn(owner)).map(({ author, score, role }) => [author, score, role]).sort();
const becomes = (owner: string, said: unknown[]) => expect.poll(() => saidOn(owner)).toEqual(said);
const sentItems = async () => (await view.read()).chats.filter(({ sk }) => sk === "sent");
/** Waits until it is stored which run a message of the bot comes from: that is written once the platform has it. */
const leading = new Set<string>();
const leads = (id: string | number) => {
  leading.add(String(id));
  return expect.poll(async () => (await sentItems()).length).toBeGreaterThanOrEqual(leading.size);
};
const answerIn = async (channel: string, position = 0) => {
  const answer = await until(() => slack.shownIn(channel)[position], "the answer");
  await until(() => answer.asked.body.blocks, "its buttons");
  await leads(answer.ts);
  return answer;
};
const answerAt = async (chat: number) => {
  const answer = await until(() => bot.shownIn(chat).find(({ markup }) => markup), "the answer");
  await leads(answer.message_id);
  return answer;
};
const sumsOf = async ({ run_id, session_id }: Vote) => {
  const place = `/runs/${run_id}/feedback?session_id=${encodeURIComponent(session_id)}`;
  return (await admin.get(place)).json.summary;
};
const statusOf = async (answer: Promise<Response>) => {
  const { status, text } = await answer.then(async (one) => ({ status: one.status, text: await one.text() }));
  return [status, JSON.parse(text).status];
};

test("buttons of Slack: one vote a person, the last one counts, and a repeated delivery changes nothing", async () => {
  const [ada, channel] = ["UADA", "CBUTTONS"];
  const asked = { type: "app_mention", channel, user: ada, text: `<@${BOT_USER}> Is it open?` };
  await postSlack(platform.url, slackEvent(asked));
  const answer = await answerIn(channel);
  const [text, buttons] = answer.asked.body.blocks;
  expect(text).toMatchObject({ type: "section", text: { type: "mrkdwn", text: "You said: Is it open?" } });
  expect(buttons).toMatchObject({ type: "context_actions", elements: [{ type: "feedback_buttons" }] });
  const press = (score: 0 | 1, user = ada) =>
    statusOf(pressSlack(platform.url, slackThumb(answer, score, user)));
  expect(await press(1)).toEqual([200, "ok"]);
  const owner = `sl:sl-channel:${channel}`;
  await becomes(owner, [["sl:UADA", 1, "participant"]]);
  const [first] = await votesOn(owner);
  expect(first).toMatchObject({ source: "chat", key: "thumb", user_id: owner });
  const second = slackThumb(answer, 0);
  await pressSlack(platform.url, second);
  await becomes(owner, [["sl:UADA", 0, "participant"]]);
  const [vote] = await votesOn(owner);
  if (!vote) throw new Error("no vote");
  expect(vote.feedback_id).toBe(first?.feedback_id);
  expect(await sumsOf(vote)).toEqual({ thumb: { count: 1, sum: 0, scores: { 0: 1 } } });
  await press(1, "UGRACE");
  await becomes(owner, [
    ["sl:UADA", 0, "participant"],
    ["sl:UGRACE", 1, "participant"],
  ]);
  await pressSlack(platform.url, second);
  await press(0, "ULAST");
  await expect.poll(() => saidOn(owner)).toHaveLength(3);
  const { thumb } = await sumsOf(vote);
  expect(thumb).toEqual({ count: 3, sum: 1, scores: { 0: 2, 1: 1 } });
});

test("reactions of Slack: what is known counts, what is removed is taken back, a strange emoji says nothing", async () => {
  const [ada, alone] = ["UREACTS", "DREACTS"];
  await postSlack(platform.url, slackEvent({ channel: alone, user: ada, text: "Hello" }));
  const answer = await answerIn(alone);
  const react = (name: string, more: { type?: string; user?: string } = {}) =>
    statusOf(postSlack(platform.url, slackReaction(name, answer, { user: ada, ...more })));
  const owner = `sl:${ada}`;
  expect(await react("eyes")).toEqual([200, "ignored"]);
  expect(await react("+1::skin-tone-3")).toEqual([200, "ok"]);
  await becomes(owner, [[owner, 1, "user"]]);
  // As people change their mind: the other one first.
  await react("hankey");
  await becomes(owner, [[owner, 0, "user"]]);
  await react("+1::skin-tone-3", { type: "reaction_removed" });
  await react("heart", { user: "UOTHER" });
  // In a conversation with the bot alone there is no other user.
  expect(await react("heart", { user: "UOTHER" })).toEqual([200, "ok"]);
  expect(await saidOn(owner)).toEqual([[owner, 0, "user"]]);
  await react("hankey", { type: "reaction_removed" });
  await becomes(owner, []);
  expect(await votesOn("sl:UOTHER")).toEqual([]);
});

test("buttons of Telegram count for who presses them, and a forged payload does not count", async () => {
  const group = { id: -5_000, type: "supergroup" };
  const message = { text: "@demo_bot Good morning", chat: group, message_id: 71 };
  await postTelegram(platform.url, telegramUpdate(message));
  const answer = await answerAt(group.id);
  const [[good, bad]] = answer.markup.inline_keyboard;
  expect([good.text, bad.text]).toEqual(["👍", "👎"]);
  const shown = { message_id: answer.message_id, chat: group };
  const press = (data: string, from: number) =>
    statusOf(postTelegram(platform.url, buttonPress(data, shown, from)));
  const twice = buttonPress(bad.callback_data, shown, 43);
  await postTelegram(platform.url, twice);
  expect(await statusOf(postTelegram(platform.url, twice))).toEqual([200, "duplicate"]);
  expect(await press(good.callback_data, 42)).toEqual([200, "processing"]);
  const owner = `tg:tg-chat:${group.id}`;
  const said = [
    ["tg:42", 1, "participant"],
    ["tg:43", 0, "participant"],
  ];
  await becomes(owner, said);
  await until(() => bot.callsOf("answerCallbackQuery").length === 2, "the acknowledgements");
  expect(bot.callsOf("answerCallbackQuery").map(({ body }) => body.text)).toEqual([
    "Thank you.",
    "Thank you.",
  ]);
  // A user of another chat who knows the id of the run, and one who names another run here.
  const elsewhere = { message_id: answer.message_id, chat: { id: 99, type: "private" } };
  const stranger = buttonPress(good.callback_data, elsewhere, 99);
  expect(await statusOf(postTelegram(platform.url, stranger))).toEqual([200, "ignored"]);
  const other = `fb:${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}:1`;
  expect(await press(other, 44)).toEqual([200, "ignored"]);
  expect(await saidOn(owner)).toEqual(said);
});

test("reactions of Telegram: all that a person has on an answer, and nothing to the messages of others", async () => {
  const chat = { id: 61, type: "private" };
  const from = { id: 61, is_bot: false, first_name: "Ada" };
  await postTelegram(platform.url, telegramUpdate({ text: "Good day", chat, from }));
  const answer = await answerAt(61);
  const react = (was: string[], is: string[], id = answer.message_id) =>
    statusOf(postTelegram(platform.url, telegramReaction(id, { was, is }, { from: 61, chat })));
  expect(await react([], ["🤔"])).toEqual([200, "processing"]);
  expect(await react([], ["👍"], 12_345)).toEqual([200, "ignored"]);
  expect(await react([], ["🔥"])).toEqual([200, "processing"]);
  await becomes("tg:61", [["tg:61", 1, "user"]]);
  await react(["🔥"], ["💩"]);
  await becomes("tg:61", [["tg:61", 0, "user"]]);
  await react(["💩"], []);
  await becomes("tg:61", []);
});

test("reactions of WhatsApp: a heart, its removal, and a stranger's to the same message", async () => {
  const ada = "15550701";
  await postWhatsapp(platform.url, whatsappMessage({ from: ada, text: { body: "Hi" } }));
  await until(() => graph.textsTo(ada).length > 0, "the answer");
  const { id } = graph.idsTo(ada)[0] ?? { id: "" };
  const react = (emoji: string | undefined, from = ada) => {
    const reaction = { message_id: id, ...(emoji !== undefined && { emoji }) };
    return whatsappMessage({ from, type: "reaction", reaction });
  };
  const post = (payload: unknown) => statusOf(postWhatsapp(platform.url, payload));
  await leads(id);
  expect(await post(react("🤷"))).toEqual([200, "ok"]);
  const heart = react("❤️");
  expect(await post(heart)).toEqual([200, "ok"]);
  await becomes(`wa:${ada}`, [[`wa:${ada}`, 1, "user"]]);
  await post(react("👎🏽"));
  await becomes(`wa:${ada}`, [[`wa:${ada}`, 0, "user"]]);
  await post(heart);
  await post(react("👍", "15550702"));
  await post(react(undefined));
  await becomes(`wa:${ada}`, []);
  expect(await votesOn("wa:15550702")).toEqual([]);
  expect(graph.textsTo(ada)).toEqual(["You said: Hi"]);
});

test("with its session all that was said about a run goes, and its messages lead nowhere", async () => {
  const [ada, alone] = ["UGOES", "DGOES"];
  await postSlack(platform.url, slackEvent({ channel: alone, user: ada, text: "a secret plan" }));
  const answer = await answerIn(alone);
  await pressSlack(platform.url, slackThumb(answer, 0, ada));
  const owner = `sl:${ada}`;
  await becomes(owner, [[owner, 0, "user"]]);
  const [vote] = await votesOn(owner);
  const session = encodeURIComponent(vote?.session_id ?? "");
  expect((await admin.call("DELETE", `/sessions/${session}`)).status).toBe(204);
  await becomes(owner, []);
  for (const press of [slackThumb(answer, 1, ada), slackThumb(answer, 0, ada)]) {
    expect(await statusOf(pressSlack(platform.url, press))).toEqual([200, "ok"]);
  }
  await postSlack(platform.url, slackReaction("+1", answer, { user: ada }));
  // A conversation goes on under the same id of a session, and its first run is not the one that was judged.
  await postSlack(
    platform.url,
    slackEvent({ channel: alone, user: ada, text: "again", thread_ts: answer.thread_ts }),
  );
  const next = await answerIn(alone, 1);
  await postSlack(platform.url, slackReaction("+1", answer, { user: ada }));
  await pressSlack(platform.url, slackThumb(next, 1, ada));
  await becomes(owner, [[owner, 1, "user"]]);
  expect((await votesOn(owner))[0]?.run_id).not.toBe(vote?.run_id);
  const { feedback } = await view.read();
  expect(feedback.filter((item) => JSON.stringify(item).includes(vote?.run_id ?? ""))).toEqual([]);
  const ids = ["pk", "sk", "run_id", "session_parts", "expires_at", "shape"].sort();
  for (const item of await sentItems()) expect(Object.keys(item).sort()).toEqual(ids);
});
