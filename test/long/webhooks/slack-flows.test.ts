import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { artist, exhibiting } from "../../support/chat-platforms/artist.ts";
import { type Bot, startBot } from "../../support/chat-platforms/bot-server.ts";
import { type Graph, startGraph } from "../../support/chat-platforms/graph-server.ts";
import {
  BOT_USER,
  buttonOf,
  type SlackServer,
  slackEvent,
  slackHeaders,
  slackPress,
  startSlack,
} from "../../support/chat-platforms/slack-server.ts";
import { type ChatWorld, chatWorld } from "../../support/chat-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
let graph: Graph;
let bot: Bot;
let slack: SlackServer;
/** Streams; `calm` does not. */
let world: ChatWorld;
let calm: ChatWorld;
let people = 1_000;
/** A new user for each test, with a conversation and a channel of their own. */
let ada: string;
let alone: string;
let channel: string;
beforeAll(async () => {
  [stores, graph, bot, slack] = await Promise.all([startStores(), startGraph(), startBot(), startSlack()]);
  world = worldWith({ streaming: true });
  calm = worldWith({});
});
beforeEach(() => {
  people += 1;
  [ada, alone, channel] = [`U${people}`, `D${people}`, `C${people}`];
  slack.refusals.length = 0;
});
afterAll(async () => {
  await Promise.all([stores?.stop(), graph?.stop(), bot?.stop(), slack?.stop()]);
});

const worldWith = (settings: Record<string, unknown>, options: Parameters<typeof chatWorld>[3] = {}) =>
  chatWorld(stores.db, graph, bot, {
    ...options,
    slack: { api_url: slack.url, streaming: false, ...settings },
  });
const direct = (message: object) => slackEvent({ channel: alone, user: ada, ...message });
const mention = (message: { text: string; [more: string]: unknown }, more: object = {}) =>
  slackEvent(
    { type: "app_mention", channel, user: ada, ...message, text: `<@${BOT_USER}> ${message.text}` },
    more,
  );
const send = async (event: unknown, at = calm, place = alone): Promise<string[]> => {
  const answer = await at.slack(event);
  expect([answer.status, answer.json]).toEqual([200, { status: "ok" }]);
  await at.settle();
  return slack.textsIn(place);
};
const statusOf = async (event: unknown, at = calm) => (await at.slack(event)).json.status;
const asked = async (owner: string) =>
  (await calm.jobsOf(owner)).map(({ payload, session_id }) => [payload.input, session_id]);

describe("the entry point of Slack", () => {
  test("answers the check of the address, and is not there where the interface is off", async () => {
    const check = { type: "url_verification", challenge: "c-1", token: "old" };
    const answer = await calm.slack(check);
    expect([answer.status, answer.json]).toEqual([200, { challenge: "c-1" }]);
    expect((await calm.ask("GET", "/slack/status")).json).toEqual({ status: "available" });
    const off = chatWorld(stores.db, graph, bot);
    const statuses = [
      await off.slack(check),
      await off.pressInSlack({}),
      await off.ask("GET", "/slack/status"),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
  test("takes only what was signed by the secret, over these bytes, within five minutes", async () => {
    const body = JSON.stringify(direct({ text: "signed?" }));
    const now = Math.floor(Date.now() / 1000);
    const right = slackHeaders(body);
    const refused: Record<string, string>[] = [
      { "x-slack-signature": "" },
      { "x-slack-signature": right["x-slack-signature"].replace("v0=", "") },
      { ...slackHeaders(`${body} `) },
      { ...slackHeaders(body, now, "guess") },
      { ...slackHeaders(body, now - 310) },
      { ...slackHeaders(body, now + 310) },
      { "x-slack-request-timestamp": String(now - 1) },
    ];
    for (const headers of refused) expect((await calm.slack(body, headers)).status).toBe(403);
    expect((await calm.ask("POST", "/slack/events", body)).status).toBe(403);
    expect(calm.queue.sent).toEqual([]);
    expect((await calm.slack(body, slackHeaders(body, now - 290))).status).toBe(200);
    expect((await calm.slack('{"type":')).status).toBe(400);
    expect((await calm.pressInSlack("{")).status).toBe(400);
    await calm.settle();
  });
  test("takes the secret before while it is changed, and nothing without one", async () => {
    const body = JSON.stringify({ type: "url_verification", challenge: "x" });
    const secretsOf = (secrets: Record<string, string | undefined>) => worldWith({}, { secrets });
    const changing = secretsOf({ SLACK_SIGNING_SECRET: "new", SLACK_SIGNING_SECRET_PREVIOUS: "old" });
    const statusBy = async (secret: string, at = changing) =>
      (await at.slack(body, slackHeaders(body, undefined, secret))).status;
    expect([await statusBy("new"), await statusBy("old"), await statusBy("older")]).toEqual([200, 200, 403]);
    expect(await statusBy("new", secretsOf({ SLACK_SIGNING_SECRET: undefined }))).toBe(500);
  });
  test("asks for nothing in what is not for the bot, and says so in the log without a word of it", async () => {
    const events = [
      direct({ bot_id: "B1", text: "I am an app" }),
      direct({ user: BOT_USER, text: "I am the bot" }),
      direct({ subtype: "message_changed", text: "edited" }),
      direct({ text: "  " }),
      slackEvent({ channel, user: ada, text: "chatter" }),
      mention({ text: "strangers" }, { is_ext_shared_channel: true }),
      slackEvent({ type: "reaction_added", item: {} }),
      { type: "app_rate_limited" },
    ];
    const before = calm.lines.length;
    for (const event of events) expect(await statusOf(event)).toBe("ignored");
    expect(calm.queue.sent).toEqual([]);
    const lines = calm.lines.slice(before).filter((line) => line.includes("is not answered"));
    expect(lines).toHaveLength(events.length);
    expect(lines.join()).not.toMatch(/I am|edited|chatter|strangers/);
  });
  test("takes a repeated event, and the two events of one message, once", async () => {
    const ts = "1790000001.000001";
    const event = mention({ text: "once", ts });
    const twin = slackEvent({ channel, user: ada, ts, text: `<@${BOT_USER}> once` });
    const all = worldWith({ reply_to_mentions_only: false });
    await all.slack(event);
    expect((await all.slack(event, { "x-slack-retry-num": "1" })).status).toBe(200);
    expect(await send(twin, all, channel)).toEqual(["You said: once"]);
    await all.slack(event, { "x-slack-retry-num": "2" });
    await all.settle();
    expect(slack.textsIn(channel)).toEqual(["You said: once"]);
  });
});

describe("a thread", () => {
  test("is a conversation: answered there, with a session of its own, which all of a channel share", async () => {
    const first = direct({ text: "one", ts: "1790000010.000001" });
    await send(first);
    await send(direct({ text: "two", thread_ts: "1790000010.000001" }));
    await send(direct({ text: "three", ts: "1790000011.000001" }));
    expect(slack.shownIn(alone).map(({ thread_ts }) => thread_ts)).toEqual([
      "1790000010.000001",
      "1790000010.000001",
      "1790000011.000001",
    ]);
    const sessionAt = (ts: string) => `sl:refund-desk:sl:${alone}:${ts}`;
    expect(await asked(`sl:${ada}`)).toEqual([
      ["one", sessionAt("1790000010.000001")],
      ["two", sessionAt("1790000010.000001")],
      ["three", sessionAt("1790000011.000001")],
    ]);
    await send(mention({ text: "I am Ada", ts: "1790000012.000001" }), calm, channel);
    await send(
      mention({ text: "I am Grace", user: "UGRACE", thread_ts: "1790000012.000001" }),
      calm,
      channel,
    );
    const runs = await calm.runsOf(`sl:sl-channel:${channel}`);
    expect(new Set(runs.map(({ session_id }) => session_id)).size).toBe(1);
    expect(runs.map(({ output }) => output.metadata.sender_id)).toEqual([`sl:${ada}`, "sl:UGRACE"]);
    const [status] = slack.callsOf("assistant.threads.setStatus").slice(-1);
    expect(status?.body).toMatchObject({ channel_id: channel, thread_ts: "1790000012.000001" });
  });
  test("has commands that begin with an exclamation mark, because Slack keeps the slash", async () => {
    const thread_ts = "1790000020.000001";
    await send(direct({ text: "!help", thread_ts }));
    expect(await send(direct({ text: "!stop", thread_ts }))).toEqual([
      expect.stringContaining("!stop cancels"),
      "There is nothing to stop.",
    ]);
    await calm.slack(direct({ text: "[[sleep:60000]]", thread_ts }));
    const settled = calm.settle();
    await expect.poll(() => calm.runsOf(`sl:${ada}`).then(([run]) => run?.status)).toBe("RUNNING");
    await calm.slack(direct({ text: "!stop", thread_ts }));
    await settled;
    expect(slack.textsIn(alone).at(-1)).toBe("This request was cancelled.");
    await send(direct({ text: "!new", thread_ts }));
    await send(direct({ text: "afresh", thread_ts }));
    expect((await asked(`sl:${ada}`)).at(-1)?.[1]).toMatch(/:[0-9a-f]{8}$/);
  });
  test("gives the run what a reader sees, and the reader what the run means", async () => {
    const text = "see <https://e.org/a|the page>, <#C1|general> &amp; <@U2|grace> &lt;b&gt; <!here>";
    await send(direct({ text }));
    expect((await asked(`sl:${ada}`))[0]?.[0]).toBe(
      "see the page (https://e.org/a), #general & @grace <b> @here",
    );
    const said = await send(direct({ text: "**bold** [x](!channel) [y](https://e.org) &lt;!channel&gt;" }));
    expect(said.at(-1)).toBe("You said: *bold* x (!channel) <https://e.org|y> &lt;!channel&gt;");
  });
});

describe("a question in Slack", () => {
  const refund = '[[tool:issue_refund {"order_id":"<!channel>","amount":7}]]';
  test("has two buttons, counts for who asked alone, and loses the buttons with the answer", async () => {
    await send(mention({ text: refund.replaceAll("<", "&lt;").replaceAll(">", "&gt;") }), calm, channel);
    const [question] = slack.shownIn(channel);
    if (!question) throw new Error("nothing was asked");
    const { body } = question.asked;
    expect(body.text).toContain("issue_refund (amount: 7, order_id: &lt;!channel&gt;)");
    expect(body.blocks[0].text).toMatchObject({ type: "plain_text" });
    await calm.pressInSlack(slackPress(buttonOf(question, 0), question, "UEVE"));
    await calm.settle();
    expect(slack.callsOf("chat.postEphemeral", channel)[0]?.body).toMatchObject({
      user: "UEVE",
      thread_ts: question.thread_ts,
      text: "Only the person who asked can answer this.",
    });
    expect((await calm.runsOf(`sl:sl-channel:${channel}`))[0]?.status).toBe("PAUSED");
    const press = slackPress(buttonOf(question, 0), question, ada);
    expect((await calm.pressInSlack(press)).json).toEqual({ status: "ok" });
    expect((await calm.pressInSlack(press)).json).toEqual({ status: "ok" });
    await calm.settle();
    const [answered] = slack.callsOf("chat.update", channel);
    expect(answered?.body.blocks.map(({ type }: { type: string }) => type)).toEqual(["section", "context"]);
    expect(answered?.body.blocks[0].text.text).toContain("order_id: <!channel>");
    expect(slack.textsIn(channel).at(-1)).toContain("Refunded 7 for order");
    expect(slack.textsIn(channel)).toHaveLength(2);
  });
  test("of another app is none of ours", async () => {
    const shown = { channel, ts: "1.1", thread_ts: "1.1", asked: { body: { text: "?" } } } as never;
    expect((await calm.pressInSlack(slackPress("theirs", shown))).json).toEqual({ status: "ignored" });
  });
});

describe("a file in Slack", () => {
  const keep = (id: string, mimetype: string, more: object = {}) => {
    slack.files.set(id, { bytes: Buffer.from(`bytes of ${id}`), mimetype, ...more });
    return { id, name: `${id}.x`, mimetype, size: 5 };
  };
  test("is given to the run, fetched with the token from Slack's hosts alone, within the limit", async () => {
    const files = [keep("FPNG", "image/png"), keep("FPDF", "application/pdf")];
    slack.refusals.push({ method: "files.info", retry_after: 1 });
    await send(direct({ subtype: "file_share", text: "read", files }));
    const [run] = await calm.runsOf(`sl:${ada}`);
    expect(run?.output.input).toMatchObject({
      input_content: "read",
      images: [{ mime_type: "image/png", object: { bytes: "bytes of FPNG".length } }],
      files: [{ filename: "FPDF.x" }],
    });
    const elsewhere = keep("FOUT", "text/plain", { url: "https://files.example/x" });
    expect(await send(direct({ files: [elsewhere], text: "and" }))).toContain(
      "You said: [The document could not be fetched]\nand",
    );
    const large = keep("FBIG", "text/plain", { claims: 21_000_000 });
    expect((await send(direct({ files: [large] }))).at(-1)).toContain("larger than 20 MB");
  });
  test("of an answer is uploaded into the thread; one that fails does not stop the rest", async () => {
    const studio = worldWith({ component: "agents/artist" }, { agents: [artist] });
    slack.refusals.push({ method: "files.getUploadURLExternal", error: "file_type_not_allowed" });
    const thread_ts = "1790000030.000001";
    await send(direct({ text: exhibiting("png", "mp4", "pdf"), thread_ts }), studio);
    expect(slack.textsIn(alone)).toEqual([
      "<https://videos.example/v.mp4|video.mp4>",
      "<bill.pdf>",
      expect.stringMatching(/^There you are\./),
    ]);
    const [bill] = [...slack.uploads.values()].filter(({ filename }) => filename === "bill.pdf");
    expect([bill?.bytes?.toString(), bill?.thread_ts]).toEqual(["%PDF", thread_ts]);
  });
});

describe("an answer in Slack", () => {
  test("grows in one message by edits three seconds apart, and is whole in the end", async () => {
    await world.slack(direct({ text: "[[tokens:30]][[sleep:3500]][[tokens:30]]the end" }));
    await world.settle();
    expect(slack.callsOf("chat.postMessage", alone)).toHaveLength(1);
    const edits = slack.callsOf("chat.update", alone);
    const times = [...slack.callsOf("chat.postMessage", alone), ...edits].map(({ at }) => at);
    const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(2_800);
    const [run] = await world.runsOf(`sl:${ada}`);
    expect(slack.textsIn(alone)).toEqual([run?.output.content]);
    expect(slack.callsOf("chat.postMessage", alone)[0]?.body.unfurl_links).toBe(false);
  });
  test("that is longer than a message goes on in further ones, none above 4,000 characters", async () => {
    await world.slack(direct({ text: "[[tokens:200]][[sleep:500]][[tokens:1200]]" }));
    await world.settle(200);
    const texts = slack.textsIn(alone);
    const [run] = await world.runsOf(`sl:${ada}`);
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(4_000);
    const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
    expect(words(texts.join(" "))).toEqual(words(String(run?.output.content)));
  });
  test("waits as long as Slack says", async () => {
    slack.refusals.push({ method: "chat.postMessage", retry_after: 2 });
    expect(await send(direct({ text: "patience" }))).toEqual(["You said: patience"]);
    const [refused, sent] = slack.callsOf("chat.postMessage", alone).map(({ at }) => at);
    expect(Number(sent) - Number(refused)).toBeGreaterThan(1_900);
  });
  test("is not tried again in a channel that is gone, and a failed run says so without its reason", async () => {
    slack.refusals.push({ method: "chat.postMessage", error: "channel_not_found" });
    expect(await send(direct({ text: "hello?" }))).toEqual([]);
    expect(slack.callsOf("chat.postMessage", alone)).toHaveLength(1);
    expect(await send(direct({ text: "[[fail:the password is 1234]]" }))).toEqual([
      "That did not work. Please send it again in a moment.",
    ]);
    expect(calm.lines.join()).not.toContain("1234");
  });
});
