import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decisionId } from "../../shared/chat/decision-button.ts";
import { breakingDb } from "../support/breaking-db.ts";
import {
  type Bot,
  buttonPress,
  startBot,
  telegramUpdate,
  WEBHOOK_SECRET,
} from "../support/chat-platforms/bot-server.ts";
import {
  type Graph,
  signatureOf,
  startGraph,
  VERIFY_TOKEN,
  whatsappMessage,
  whatsappPayload,
} from "../support/chat-platforms/graph-server.ts";
import { type ChatWorld, chatWorld } from "../support/chat-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
let graph: Graph;
let bot: Bot;
let world: ChatWorld;
beforeAll(async () => {
  [stores, graph, bot] = await Promise.all([startStores(), startGraph(), startBot()]);
  world = chatWorld(stores.db, graph, bot);
});
afterAll(async () => {
  await Promise.all([stores?.stop(), graph?.stop(), bot?.stop()]);
});

const worldWith = (options: Parameters<typeof chatWorld>[3]) => chatWorld(stores.db, graph, bot, options);
const taken = async (act: () => Promise<unknown>): Promise<number> => {
  const before = (await world.messages()).length;
  await act();
  return (await world.messages()).length - before;
};
const handshake = (query: Record<string, string>, at = world) =>
  at.ask("GET", `/whatsapp/webhook?${new URLSearchParams(query)}`);
const right = { "hub.mode": "subscribe", "hub.verify_token": VERIFY_TOKEN, "hub.challenge": "1158201444" };

describe("the handshake of WhatsApp", () => {
  test("echoes the challenge and nothing else to who knows the token", async () => {
    const answer = await handshake(right);
    expect([answer.status, answer.text]).toEqual([200, "1158201444"]);
    expect(answer.type).toMatch(/^text\/plain/);
  });
  test.each([
    ["a wrong token", { ...right, "hub.verify_token": "guess" }, 403],
    ["a wrong mode", { ...right, "hub.mode": "unsubscribe" }, 403],
    ["no parameters", {}, 403],
    ["no challenge", { "hub.mode": "subscribe", "hub.verify_token": VERIFY_TOKEN }, 400],
  ])("refuses %s", async (_what, query, status) => {
    expect((await handshake(query as Record<string, string>)).status).toBe(status);
  });
  test("is a fault where no token is configured", async () => {
    const answer = await handshake(right, worldWith({ secrets: { WHATSAPP_VERIFY_TOKEN: undefined } }));
    expect(answer.status).toBe(500);
    expect(answer.json.detail).toContain("verify token");
  });
});

describe("the signature of WhatsApp", () => {
  const payload = () => JSON.stringify(whatsappMessage({ from: "1", text: { body: "signed?" } }));
  test.each([
    ["is missing", () => ({})],
    ["has no sha256=", (body: string) => ({ "x-hub-signature-256": signatureOf(body).slice(7) })],
    ["is no hexadecimal text", () => ({ "x-hub-signature-256": "sha256=zz" })],
    ["is that of another body", () => ({ "x-hub-signature-256": signatureOf("another") })],
    [
      "is by a secret that is unknown",
      (body: string) => ({ "x-hub-signature-256": signatureOf(body, "guess") }),
    ],
  ])("that %s is refused, and nothing is kept", async (_what, headersOf) => {
    const body = payload();
    const kept = await taken(async () => {
      expect((await world.ask("POST", "/whatsapp/webhook", body, headersOf(body))).status).toBe(403);
    });
    expect([kept, world.queue.sent]).toEqual([0, []]);
  });
  test("is over the bytes as they came, in capitals too", async () => {
    const body = payload().replace("signed?", "caf\\u00e9 \\/ \\ud83d\\ude00").replaceAll(",", " ,\n ");
    const signature = signatureOf(body).toUpperCase().replace("SHA256", "sha256");
    const answer = await world.whatsapp(body, { "x-hub-signature-256": signature });
    expect([answer.status, answer.json]).toEqual([200, { status: "ok" }]);
  });
  test("is checked the same way when the gateway hands the body over in base64", async () => {
    const body = payload();
    const headers = { "x-hub-signature-256": signatureOf(body) };
    const encoded = Buffer.from(body).toString("base64");
    const answer = await world.ask("POST", "/whatsapp/webhook", encoded, headers, true);
    expect([answer.status, answer.json]).toEqual([200, { status: "ok" }]);
  });
  test("by the secret before is taken while it is changed, and by no third one", async () => {
    const changing = worldWith({
      secrets: { WHATSAPP_APP_SECRET: "new", WHATSAPP_APP_SECRET_PREVIOUS: "old" },
    });
    const statusBy = async (secret: string) => {
      const body = payload();
      return (await changing.whatsapp(body, { "x-hub-signature-256": signatureOf(body, secret) })).status;
    };
    expect([await statusBy("new"), await statusBy("old"), await statusBy("older")]).toEqual([200, 200, 403]);
  });
  test("cannot be checked without a secret, so everything is refused", async () => {
    const open = worldWith({ secrets: { WHATSAPP_APP_SECRET: undefined } });
    const answer = await open.whatsapp(payload());
    expect(answer.status).toBe(500);
    expect(answer.json.detail).toContain("app secret");
  });
  test("over something that is no JSON answers 400", async () => {
    expect((await world.whatsapp('{"object":')).status).toBe(400);
  });
});

describe("what WhatsApp sends", () => {
  test("is ignored when it is no account's", async () => {
    const answer = await world.whatsapp({ object: "page", entry: [] });
    expect([answer.status, answer.json]).toEqual([200, { status: "ignored" }]);
  });
  test("is taken message by message: two entries of two changes of two", async () => {
    const message = (n: number) => ({
      from: "15",
      id: `wamid.batch${n}`,
      type: "text",
      text: { body: `${n}` },
    });
    const payload = whatsappPayload([
      [
        [message(1), message(2)],
        [message(3), message(4)],
      ],
      [
        [message(5), message(6)],
        [message(7), message(8)],
      ],
    ]);
    expect(await taken(() => world.whatsapp(payload))).toBe(8);
  });
  test("is taken at the time of its arrival where its own is none", async () => {
    expect(
      await taken(() => world.whatsapp(whatsappMessage({ timestamp: "1e300", text: { body: "?" } }))),
    ).toBe(1);
  });
  test("says in the log which message of ours failed, and why what asks for nothing is not answered", async () => {
    const statuses = [
      { id: "wamid.x", status: "failed", errors: [{ code: 131026, title: "no" }] },
      { status: "read" },
    ];
    const change = { field: "messages", value: { statuses } };
    const before = world.lines.length;
    await world.whatsapp({ object: "whatsapp_business_account", entry: [{ changes: [change] }] });
    await world.whatsapp(whatsappMessage({ type: "reaction" }));
    await world.whatsapp(whatsappMessage({ group_id: "g-1", text: { body: "all" } }));
    await world.telegram(telegramUpdate({ text: "x", from: { id: 9, is_bot: true } }));
    const lines = world.lines.slice(before).map((line) => JSON.parse(line));
    expect(lines.filter(({ message }) => message !== "request")).toMatchObject([
      { message: "a message of ours was not delivered", platform: "whatsapp", code: 131026 },
      { platform: "whatsapp", why: "a message of the type reaction" },
      { platform: "whatsapp", why: "in a group" },
      { platform: "telegram", why: "written by a bot" },
    ]);
  });
  test("is fine without entries, without messages and with statuses alone", async () => {
    const statuses = { field: "messages", value: { statuses: [{ id: "wamid.x", status: "delivered" }] } };
    const said = [
      { object: "whatsapp_business_account" },
      { object: "whatsapp_business_account", entry: [{}] },
      { object: "whatsapp_business_account", entry: [{ changes: [{ field: "messages" }] }] },
      { object: "whatsapp_business_account", entry: [{ changes: [statuses] }] },
    ];
    const kept = await taken(async () => {
      for (const payload of said) expect((await world.whatsapp(payload)).json).toEqual({ status: "ok" });
    });
    expect(kept).toBe(0);
  });
  test("for another number of the app is skipped, and so is a change of another field", async () => {
    const other = whatsappMessage({ text: { body: "not ours" } }, "999");
    const field = JSON.parse(
      JSON.stringify(whatsappMessage({ text: { body: "x" } })).replace(
        '"messages","value"',
        '"calls","value"',
      ),
    );
    const kept = await taken(async () => {
      expect((await world.whatsapp(other)).status).toBe(200);
      expect((await world.whatsapp(field)).status).toBe(200);
    });
    expect(kept).toBe(0);
  });
  test("may hold members that are unknown, anywhere", async () => {
    const message = whatsappMessage({ text: { body: "hi", novel: 1 }, from: "16", novel: { deep: [1] } });
    expect(await taken(() => world.whatsapp({ ...message, novel: true }))).toBe(1);
  });
  test("asks for nothing when it is a reaction, a system note or unsupported", async () => {
    const kept = await taken(async () => {
      for (const type of ["reaction", "system", "unsupported"]) {
        expect((await world.whatsapp(whatsappMessage({ type }))).json).toEqual({ status: "ok" });
      }
    });
    expect(kept).toBe(0);
  });
  test("in a group is not answered unless that is switched on", async () => {
    const inGroup = () => whatsappMessage({ group_id: "g-1", text: { body: "all" } });
    expect(await taken(() => world.whatsapp(inGroup()))).toBe(0);
    const open = worldWith({ whatsapp: { answer_groups: true } });
    expect(await taken(() => open.whatsapp(inGroup()))).toBe(1);
  });
});

describe("the secret token of Telegram", () => {
  const update = () => telegramUpdate({ text: "secret?" });
  const header = (secret: string) => ({ "x-telegram-bot-api-secret-token": secret });
  test("opens, and wrong or missing it does not", async () => {
    expect((await world.telegram(update())).status).toBe(200);
    expect((await world.telegram(update(), header("guess"))).status).toBe(403);
    expect((await world.ask("POST", "/telegram/webhook", JSON.stringify(update()))).status).toBe(403);
  });
  test("that is not configured is a fault, and a missing one is refused even then", async () => {
    const open = worldWith({ secrets: { TELEGRAM_WEBHOOK_SECRET_TOKEN: undefined } });
    expect((await open.telegram(update())).status).toBe(500);
    expect((await open.ask("POST", "/telegram/webhook", JSON.stringify(update()))).status).toBe(403);
  });
  test("is asked for in development too", async () => {
    process.env.APP_ENV = "development";
    const answer = await world.ask("POST", "/telegram/webhook", JSON.stringify(update()));
    delete process.env.APP_ENV;
    expect(answer.status).toBe(403);
  });
  test("may be the one before while it is changed", async () => {
    const changing = worldWith({
      secrets: {
        TELEGRAM_WEBHOOK_SECRET_TOKEN: "new",
        TELEGRAM_WEBHOOK_SECRET_TOKEN_PREVIOUS: WEBHOOK_SECRET,
      },
    });
    expect((await changing.telegram(update())).status).toBe(200);
    expect((await changing.telegram(update(), header("older"))).status).toBe(403);
  });
  test("before something that is no JSON answers 400", async () => {
    expect((await world.ask("POST", "/telegram/webhook", "{", header(WEBHOOK_SECRET))).status).toBe(400);
  });
});

describe("what Telegram sends", () => {
  const statusOf = async (update: unknown) => (await world.telegram(update)).json.status;
  test("is a duplicate the second time", async () => {
    const update = telegramUpdate({ text: "once" });
    expect([await statusOf(update), await statusOf(update)]).toEqual(["processing", "duplicate"]);
  });
  test("is ignored where it is no message, and taken where it is an edited one", async () => {
    expect(await statusOf({ update_id: 1, channel_post: { text: "x" } })).toBe("ignored");
    const press = { id: "1", from: { id: 42 }, data: "another user's" };
    expect(await statusOf({ update_id: 2, callback_query: press })).toBe("ignored");
    expect(await taken(() => world.telegram(telegramUpdate({ text: "edited" }, "edited_message")))).toBe(1);
  });
  const over = "This button does nothing any more.";
  const chat = { id: 4242, type: "private" };
  const pressed = (data: string) => buttonPress(data, { message_id: 7, chat }, chat.id);
  const nowhere = randomUUID();
  test.each([
    ["nothing known", "off", "whatever:1"],
    ["feedback, which is off", "off", `fb:${nowhere}:1`],
    ["feedback on no answer", "buttons", `fb:${nowhere}:1`],
  ])("is acknowledged at once where a button means %s", async (_, feedback, data) => {
    const press = pressed(data);
    const { json } = await worldWith({ telegram: { feedback } }).telegram(press);
    const callback_query_id = press.callback_query.id;
    expect(json).toEqual({ status: "ignored", method: "answerCallbackQuery", callback_query_id, text: over });
  });
  test("is acknowledged where a button decides what is not asked any more", async () => {
    const press = pressed(decisionId(nowhere, true, "0123abcd"));
    const { json } = await world.telegram(press);
    expect(json).toEqual({ status: "processing" });
    await world.settle();
    const [{ body } = { body: {} }] = bot.callsOf("answerCallbackQuery");
    expect(body).toEqual({ callback_query_id: press.callback_query.id, text: over });
  });
  test("is ignored where an id or a time is none that the platform could send", async () => {
    expect(await statusOf(telegramUpdate({ text: "x", chat: { id: 1e300, type: "private" } }))).toBe(
      "ignored",
    );
    expect(await statusOf(telegramUpdate({ text: "x", date: 1e300 }))).toBe("ignored");
  });
  test("asks for nothing when a bot or no user sent it, or when nothing is in it", async () => {
    const kept = await taken(async () => {
      await world.telegram(telegramUpdate({ text: "x", from: { id: 9, is_bot: true } }));
      await world.telegram(telegramUpdate({ text: "x", from: undefined }));
      await world.telegram(telegramUpdate({ text: "x", chat: undefined }));
      await world.telegram(telegramUpdate({ poll: { question: "?" } }));
    });
    expect(kept).toBe(0);
  });
});

test("an interface that is off is not there", async () => {
  const off = worldWith({ whatsapp: "off", telegram: "off" });
  const statuses = [
    (await off.whatsapp(whatsappMessage({ text: { body: "x" } }))).status,
    (await off.telegram(telegramUpdate({ text: "x" }))).status,
    (await handshake(right, off)).status,
    (await off.ask("GET", "/whatsapp/status")).status,
    (await off.ask("GET", "/telegram/status")).status,
  ];
  expect(statuses).toEqual([404, 404, 404, 404, 404]);
  expect((await world.ask("GET", "/whatsapp/status")).json).toEqual({ status: "available" });
  expect((await world.ask("GET", "/telegram/status")).json).toEqual({ status: "available" });
});

test("a message that could not be queued is asked for again, and then taken once", async () => {
  const fresh = worldWith({});
  const payload = whatsappMessage({ from: "17", text: { body: "again" } });
  fresh.queue.reachable = false;
  expect((await fresh.whatsapp(payload)).status).toBe(500);
  fresh.queue.reachable = true;
  expect((await fresh.whatsapp(payload)).status).toBe(200);
  expect((await fresh.whatsapp(payload)).status).toBe(200);
  expect(fresh.queue.sent).toHaveLength(1);
});

test.each([1, 2])(
  "an entry point that dies before its write %i has the message sent again, which is then queued once",
  async (atWrite) => {
    const from = String(19_000_000 + atWrite);
    const payload = whatsappMessage({ from, text: { body: "again" } });
    const dying = chatWorld(breakingDb(stores.db, atWrite).db, graph, bot);
    expect((await dying.whatsapp(payload)).status).toBeGreaterThanOrEqual(500);
    const next = worldWith({});
    next.queue.sent.push(...dying.queue.sent);
    for (const { once } of dying.queue.sent) next.queue.know(once);
    expect((await next.whatsapp(payload)).json).toEqual({ status: "ok" });
    expect((await next.whatsapp(payload)).json).toEqual({ status: "ok" });
    expect(next.queue.sent).toHaveLength(1);
  },
);
