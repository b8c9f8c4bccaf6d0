import { afterAll, beforeAll, expect, test } from "vitest";
import {
  BOT_TOKEN,
  type Bot,
  postTelegram,
  startBot,
  telegramUpdate,
  WEBHOOK_SECRET,
} from "../support/chat-platforms/bot-server.ts";
import {
  ACCESS_TOKEN,
  APP_SECRET,
  type Graph,
  PHONE,
  postWhatsapp,
  startGraph,
  VERIFY_TOKEN,
  whatsappMessage,
} from "../support/chat-platforms/graph-server.ts";
import { until } from "../support/chat-platforms/platform-server.ts";
import { type Client, clientOf } from "../support/client.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";

let graph: Graph;
let bot: Bot;
let platform: TestPlatform;
let admin: Client;
beforeAll(async () => {
  [graph, bot] = await Promise.all([startGraph(), startBot()]);
  platform = await startPlatform({
    env: {
      WHATSAPP: JSON.stringify({ component: "agents/assistant", phone_number_id: PHONE, api_url: graph.url }),
      WHATSAPP_ACCESS_TOKEN: ACCESS_TOKEN,
      WHATSAPP_APP_SECRET: APP_SECRET,
      WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
      TELEGRAM: JSON.stringify({ component: "agents/refund-desk", api_url: bot.url }),
      TELEGRAM_TOKEN: BOT_TOKEN,
      TELEGRAM_WEBHOOK_SECRET_TOKEN: WEBHOOK_SECRET,
    },
  });
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(async () => {
  await platform?.stop();
  await Promise.all([graph?.stop(), bot?.stop()]);
});

test("a text of WhatsApp is acknowledged, shown as read, and answered", async () => {
  const payload = whatsappMessage({ text: { body: "What is on today?" } });
  const answer = await postWhatsapp(platform.url, payload);
  expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
  await until(() => graph.textsTo("15550199").length > 0, "the answer");
  expect(graph.textsTo("15550199")).toEqual(["You said: What is on today?"]);
});

test("a text of Telegram is acknowledged and answered", async () => {
  const answer = await postTelegram(platform.url, telegramUpdate({ text: "Good morning" }));
  expect([answer.status, await answer.json()]).toEqual([200, { status: "processing" }]);
  await until(() => bot.textsIn(42).includes("You said: Good morning"), "the answer");
});
