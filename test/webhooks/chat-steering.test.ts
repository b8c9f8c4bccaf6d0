import * as v from "valibot";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import { defineTool } from "../../shared/engine/tool/tool.ts";
import { getChat } from "../../shared/stores/chats/index.ts";
import { listInbox } from "../../shared/stores/runs/inbox-item.ts";
import { type Bot, startBot, telegramUpdate } from "../support/chat-platforms/bot-server.ts";
import { type Graph, startGraph, whatsappMessage } from "../support/chat-platforms/graph-server.ts";
import { type SlackServer, slackEvent, startSlack } from "../support/chat-platforms/slack-server.ts";
import { type ChatWorld, chatWorld } from "../support/chat-world.ts";
import { interruptedModels } from "../support/steering.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
let graph: Graph;
let bot: Bot;
let slack: SlackServer;
let people = 8_000_000;
/** A new user for each test. */
let ada: number;
beforeAll(async () => {
  [stores, graph, bot, slack] = await Promise.all([startStores(), startGraph(), startBot(), startSlack()]);
});
beforeEach(() => {
  ada = people++;
  gate = Promise.withResolvers();
});
afterAll(async () => {
  await Promise.all([stores?.stop(), graph?.stop(), bot?.stop(), slack?.stop()]);
});

/** Opens what a run waits at; a new one for each test. */
let gate = Promise.withResolvers<void>();
const hold = defineTool({
  name: "hold",
  description: "Wait.",
  parameters: v.object({}),
  effect: "safe",
  execute: () => gate.promise.then(() => "held"),
});
const waiter = defineAgent({ id: "waiter", name: "Waiter", tools: [hold] });
const LONG = "[[tool:hold {}]] first";
/** What comes after its answer is a model call of its own. */
const suggester = defineAgent({ id: "suggester", name: "Suggester", followups: true });

const component = "agents/waiter";
const worldOf = (chatBusy: "queue" | "steer" = "steer", more: object = {}, models?: Models) =>
  chatWorld(stores.db, graph, bot, {
    chatBusy,
    agents: [waiter, suggester],
    ...(models && { models }),
    whatsapp: { component },
    telegram: { component, streaming: false, ...more },
    slack: { component, api_url: slack.url, streaming: false },
  });
const inPrivate = (text: string) =>
  telegramUpdate({ from: { id: ada, is_bot: false }, chat: { id: ada, type: "private" }, text });

/** Waits until a person's first run has been sent as many messages. */
const untilSaid = (world: ChatWorld, owner: string, count: number) =>
  expect
    .poll(async () => {
      const [run] = await world.runsOf(owner);
      return run ? (await listInbox(stores.db, run.run_id)).length : -1;
    })
    .toBe(count);
const untilRunning = (world: ChatWorld, owner: string) =>
  expect.poll(async () => (await world.runsOf(owner)).map(({ status }) => status)).toContain("RUNNING");
/** Sends a long question in a chat alone. @returns what settles when all is answered */
const begin = async (world: ChatWorld): Promise<{ settled: Promise<void> }> => {
  await world.telegram(inPrivate(LONG));
  const settled = world.settle();
  await untilRunning(world, String(ada));
  const scope = `tg:waiter:${ada}`;
  await expect.poll(async () => (await getChat(stores.db, scope)).answering).toBeDefined();
  return { settled };
};
const statesOf = async (world: ChatWorld) =>
  (await world.messages())
    .filter(({ sender }) => String(sender).endsWith(String(ada)))
    .map(({ status }) => status);
const inputsOf = async (world: ChatWorld, owner: string | number) =>
  (await world.jobsOf(String(owner))).map(({ payload }) => payload.input);

describe("what is written while a run goes on is said to it, and one answer is given for both", () => {
  const platforms = {
    telegram: {
      owner: () => String(ada),
      send: (world: ChatWorld, text: string) => world.telegram(inPrivate(text)),
      texts: () => bot.textsIn(ada),
    },
    whatsapp: {
      owner: () => String(ada),
      send: (world: ChatWorld, text: string) =>
        world.whatsapp(whatsappMessage({ from: String(ada), text: { body: text } })),
      texts: () => graph.textsTo(String(ada)),
    },
    slack: {
      owner: () => `sl:U${ada}`,
      send: (world: ChatWorld, text: string) =>
        world.slack(slackEvent({ channel: `D${ada}`, user: `U${ada}`, text, thread_ts: `${ada}.000100` })),
      texts: () => slack.textsIn(`D${ada}`),
    },
  };
  for (const [name, { owner, send, texts }] of Object.entries(platforms)) {
    test(`on ${name}`, async () => {
      const world = worldOf();
      await send(world, LONG);
      const settled = world.settle();
      await untilRunning(world, owner());
      await send(world, "second");
      await send(world, "third");
      await untilSaid(world, owner(), 2);
      gate.resolve();
      await settled;
      const answers = texts();
      expect(answers).toHaveLength(1);
      expect(answers.join()).toContain("You said: third");
      expect(await inputsOf(world, owner())).toEqual([LONG]);
      expect(new Set(await statesOf(world))).toEqual(new Set(["done"]));
      const [run] = await world.runsOf(owner());
      const said = run.output.messages.filter(({ steered }: { steered?: object }) => steered);
      expect(said.map(({ content }: { content: string }) => content)).toEqual(["second", "third"]);
      await send(world, "fourth");
      await world.settle();
      expect(await inputsOf(world, owner())).toEqual([LONG, "fourth"]);
    });
  }
});

describe("in a chat", () => {
  test("what is written meanwhile waits and is answered by itself, unless a setting or its first word says otherwise", async () => {
    const world = worldOf("queue");
    const { settled } = await begin(world);
    await world.telegram(inPrivate("second"));
    await world.telegram(inPrivate("/steer now"));
    await untilSaid(world, String(ada), 1);
    gate.resolve();
    await settled;
    expect(bot.textsIn(ada)).toEqual([expect.stringContaining("You said: now"), "You said: second"]);
    expect(await inputsOf(world, ada)).toEqual([LONG, "second"]);
  });
  test("a first word lets a message wait where others do not", async () => {
    const world = worldOf();
    const { settled } = await begin(world);
    await world.telegram(inPrivate("/queue later"));
    await world.telegram(inPrivate("now"));
    await untilSaid(world, String(ada), 1);
    gate.resolve();
    await settled;
    expect(bot.textsIn(ada)).toEqual([expect.stringContaining("You said: now"), "You said: later"]);
  });
  test("only who asked talks to a run: in a group another person's message waits", async () => {
    const world = worldOf("steer", { reply_to_mentions_only: false });
    const owner = `tg-chat:${-ada}`;
    const from = (id: number, text: string) =>
      telegramUpdate({ from: { id }, chat: { id: -ada, type: "supergroup" }, text });
    await world.telegram(from(ada, LONG));
    const settled = world.settle();
    await untilRunning(world, owner);
    await world.telegram(from(ada, "more"));
    await untilSaid(world, owner, 1);
    await world.telegram(from(77, "and I?"));
    gate.resolve();
    await settled;
    expect(bot.textsIn(-ada)).toEqual([expect.stringContaining("You said: more"), "You said: and I?"]);
    expect(await inputsOf(world, owner)).toEqual([LONG, "and I?"]);
  });
  test("who has said something to a run that was stopped before it looked gets a word about that", async () => {
    const world = worldOf();
    const { settled } = await begin(world);
    await world.telegram(inPrivate("more"));
    await untilSaid(world, String(ada), 1);
    await world.telegram(inPrivate("/stop"));
    await expect
      .poll(async () => (await world.runsOf(String(ada))).map(({ status }) => status))
      .toEqual(["CANCELLED"]);
    gate.resolve();
    await settled;
    expect(bot.textsIn(ada).sort()).toEqual([
      "This request was cancelled.",
      "What I was at ended before I read this. Please send it again.",
    ]);
    expect(await inputsOf(world, ada)).toEqual([LONG]);
  });
  test("what comes once its run has answered is answered by one more run, all of it together and once", async () => {
    const answered = Promise.withResolvers<void>();
    const models = interruptedModels(createModels({ MODEL: "scripted" }), async (call) => {
      if (call !== 2) return;
      answered.resolve();
      await gate.promise;
    });
    const world = worldOf("steer", { component: "agents/suggester" }, models);
    await world.telegram(inPrivate("first"));
    const settled = world.settle();
    await answered.promise;
    await world.telegram(inPrivate("second"));
    await world.telegram(inPrivate("third"));
    await untilSaid(world, String(ada), 2);
    gate.resolve();
    await settled;
    expect(bot.textsIn(ada)).toEqual(["You said: first", "You said: second\n\nthird"]);
    expect(await inputsOf(world, ada)).toEqual(["first", "second\n\nthird"]);
    expect(new Set(await statesOf(world))).toEqual(new Set(["done"]));
    await world.telegram(inPrivate("fourth"));
    await world.settle();
    expect(bot.textsIn(ada).slice(2)).toEqual(["You said: fourth"]);
  });
  test("a message whose worker dies once it is said is said and answered once", async () => {
    const world = worldOf();
    const { settled } = await begin(world);
    let died = 0;
    world.processesAre(() => ({
      ...world.workerDeps,
      callRuns: async (call) => {
        await world.workerDeps.callRuns(call);
        died += 1;
        throw new Error("killed");
      },
    }));
    await world.telegram(inPrivate("more"));
    await untilSaid(world, String(ada), 1);
    await expect.poll(() => died).toBe(1);
    world.processesAre(() => world.workerDeps);
    gate.resolve();
    await expect.poll(() => bot.textsIn(ada)).toHaveLength(1);
    world.clock.advance(11_000);
    await settled;
    expect(bot.textsIn(ada)).toEqual([expect.stringContaining("You said: more")]);
    expect(await statesOf(world)).not.toContain("enqueued");
    const [run] = await world.runsOf(String(ada));
    expect(await listInbox(stores.db, run.run_id)).toHaveLength(1);
  });
});
