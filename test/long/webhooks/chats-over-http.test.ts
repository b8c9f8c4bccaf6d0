import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bot, postTelegram, startBot, telegramUpdate } from "../../support/chat-platforms/bot-server.ts";
import { chatEnvironment } from "../../support/chat-platforms/chat-environment.ts";
import {
  type Graph,
  postWhatsapp,
  startGraph,
  whatsappMessage,
} from "../../support/chat-platforms/graph-server.ts";
import { deliverUntilTaken, until } from "../../support/chat-platforms/platform-server.ts";
import {
  buttonOf,
  postSlack,
  pressSlack,
  type SlackServer,
  slackEvent,
  slackPress,
  startSlack,
} from "../../support/chat-platforms/slack-server.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

let graph: Graph;
let bot: Bot;
let slack: SlackServer;
let platform: TestPlatform;
let admin: Client;
beforeAll(async () => {
  [graph, bot, slack] = await Promise.all([startGraph(), startBot(), startSlack()]);
  platform = await startPlatform({
    env: {
      ...chatEnvironment(
        { graph, bot, slack },
        { whatsapp: "agents/assistant", telegram: "agents/refund-desk", slack: "agents/refund-desk" },
      ),
    },
  });
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(async () => {
  await platform?.stop();
  await Promise.all([graph?.stop(), bot?.stop(), slack?.stop()]);
});

test("the interfaces that are on are listed", async () => {
  expect((await admin.get("/config")).json.interfaces).toEqual([
    { type: "a2a", version: "1.0", route: "/a2a" },
    { type: "agui", version: "1.0", route: "/agui" },
    { type: "chat", version: "1.0", route: "/chat" },
    { type: "mcp", version: "1.0", route: "/mcp" },
    { type: "openai", version: "1.0", route: "/v1" },
    { type: "whatsapp", version: "1.0", route: "/whatsapp" },
    { type: "telegram", version: "1.0", route: "/telegram" },
    { type: "slack", version: "1.0", route: "/slack" },
  ]);
});

test("a slow model is not waited for, a wrong bearer changes nothing, and the answer runs no method", async () => {
  const payload = whatsappMessage({ from: "15550200", text: { body: "[[sleep:6000]]slow" } });
  const startedAt = performance.now();
  const answer = await postWhatsapp(platform.url, payload, { authorization: "Bearer nonsense" });
  const took = performance.now() - startedAt;
  const body: object = JSON.parse(await answer.text());
  expect([answer.status, body]).toEqual([200, { status: "ok" }]);
  expect(graph.textsTo("15550200")).toEqual([]);
  expect(took).toBeLessThan(5_000);
  await until(() => graph.textsTo("15550200").length > 0, "the answer");
});

test("a message whose queue is out of reach is asked for again, and answered once", async () => {
  const payload = whatsappMessage({ from: "15550201", text: { body: "again" } });
  platform.faults.set(({ service, operation }) =>
    service === "sqs" && operation === "SendMessage"
      ? { status: 503, type: "ServiceUnavailable" }
      : undefined,
  );
  const first = await postWhatsapp(platform.url, payload);
  platform.faults.clear();
  expect(first.status).toBeGreaterThanOrEqual(500);
  const answers = await deliverUntilTaken(() => postWhatsapp(platform.url, payload));
  expect(answers.at(-1)?.status).toBe(200);
  await until(() => graph.textsTo("15550201").length > 0, "the answer");
  await postWhatsapp(platform.url, payload);
  expect(graph.textsTo("15550201")).toEqual(["You said: again"]);
});

test("a text of WhatsApp is acknowledged, shown as read, and answered", async () => {
  const payload = whatsappMessage({ text: { body: "What is on today?" } });
  const answer = await postWhatsapp(platform.url, payload);
  expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
  await until(() => graph.textsTo("15550199").length > 0, "the answer");
  expect(graph.textsTo("15550199")).toEqual(["You said: What is on today?"]);
});

test("a picture that the run draws is uploaded and sent before the text, by the roles of the template", async () => {
  const ada = "15550202";
  const drawing = '[[tool:draw_badge {"colour":"#cc0033"}]]';
  await postWhatsapp(platform.url, whatsappMessage({ from: ada, text: { body: drawing } }));
  await until(() => graph.textsTo(ada).includes("The badge is drawn."), "the answer");
  expect(graph.textsTo(ada)).toEqual(["<image>", "The badge is drawn."]);
});

test("a text of Telegram is acknowledged and answered", async () => {
  const answer = await postTelegram(platform.url, telegramUpdate({ text: "Good morning" }));
  expect([answer.status, await answer.json()]).toEqual([200, { status: "processing" }]);
  await until(() => bot.textsIn(42).includes("You said: Good morning"), "the answer");
});

test("a message of Slack is acknowledged, its question answered by a button, and the answer comes into its thread", async () => {
  const event = slackEvent({ text: '[[tool:issue_refund {"order_id":"o-5","amount":2}]]' });
  const answer = await postSlack(platform.url, event);
  expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
  const question = await until(
    () => slack.shownIn("D1").find(({ asked }) => asked.body.blocks !== undefined),
    "the question",
  );
  expect(question.thread_ts).toBe(event.event.ts);
  const pressed = await pressSlack(platform.url, slackPress(buttonOf(question, 0), question));
  expect([pressed.status, await pressed.json()]).toEqual([200, { status: "ok" }]);
  await until(() => slack.textsIn("D1").some((text) => text.includes("Refunded 2")), "the answer");
});
