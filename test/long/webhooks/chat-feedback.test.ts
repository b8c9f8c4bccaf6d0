import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { feedbackOfRun } from "../../../shared/stores/feedback/index.ts";
import { breakingDb } from "../../support/breaking-db.ts";
import {
  type Bot,
  buttonPress,
  startBot,
  telegramReaction,
  telegramUpdate,
} from "../../support/chat-platforms/bot-server.ts";
import { type Graph, startGraph, whatsappMessage } from "../../support/chat-platforms/graph-server.ts";
import {
  type SlackServer,
  slackEvent,
  slackReaction,
  slackThumb,
  startSlack,
} from "../../support/chat-platforms/slack-server.ts";
import { chatWorld } from "../../support/chat-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";
import { watchedDb } from "../../support/watched-db.ts";

let stores: TestStores;
let graph: Graph;
let bot: Bot;
let slack: SlackServer;
let people = 70_000;
let ada: string;
beforeAll(async () => {
  [stores, graph, bot, slack] = await Promise.all([startStores(), startGraph(), startBot(), startSlack()]);
});
beforeEach(() => {
  people += 1;
  ada = String(people);
});
afterAll(async () => {
  await Promise.all([stores?.stop(), graph?.stop(), bot?.stop(), slack?.stop()]);
});

type Feedback = { whatsapp?: string; telegram?: string; slack?: string };
const worldWith = (
  { whatsapp, telegram, slack: inSlack }: Feedback,
  more: object = {},
  db = stores.db,
  here = {},
) =>
  chatWorld(db, graph, bot, {
    whatsapp: { feedback: whatsapp, ...here },
    telegram: { feedback: telegram, component: "agents/assistant", streaming: false, ...more },
    slack: {
      api_url: slack.url,
      feedback: inSlack,
      component: "agents/assistant",
      streaming: false,
      ...more,
    },
  });
const write = (text: string) => whatsappMessage({ from: ada, text: { body: text } });
const react = (emoji: string | undefined, from = ada) => {
  const reaction = { message_id: graph.idsTo(ada)[0]?.id, ...(emoji !== undefined && { emoji }) };
  return whatsappMessage({ from, type: "reaction", reaction });
};
const saidOn = async (world: ReturnType<typeof worldWith>, owner: string) => {
  const runs = await world.runsOf(owner);
  const all = await Promise.all(runs.map(({ run_id }) => feedbackOfRun(stores.db, run_id)));
  return all.flatMap(({ feedback }) => feedback.map(({ author, score }) => [author, score]));
};

describe("what it costs", () => {
  const writesOf = async (feedback: Feedback, text: string): Promise<number> => {
    let writes = 0;
    const db = watchedDb(stores.db, {
      // What was refused is no write: a wake-up finds the message leased, or done.
      after: ({ constructor: { name }, input }) => {
        const isOurs = JSON.stringify(input).includes(stores.db.tables.chats);
        if (isOurs && /Put|Update|Delete|Transact/.test(name)) writes += 1;
      },
    });
    const world = worldWith(feedback, {}, db);
    people += 1;
    ada = String(people);
    await world.whatsapp(write(text));
    await world.settle();
    return writes;
  };
  test("a part of an answer is one write more where answers are judged, and none where they are not", async () => {
    // Claimed, in the queue, leased, its run, the conversation, a part, done.
    expect(await writesOf({}, "short")).toBe(7);
    expect(await writesOf({ whatsapp: "reactions" }, "short")).toBe(8);
    const long = "word ".repeat(1_000);
    expect([await writesOf({}, long), graph.textsTo(ada).length]).toEqual([8, 2]);
    expect(await writesOf({ whatsapp: "reactions" }, long)).toBe(10);
  });
  test("a reaction is dropped as before where they are not judged, and where it is to no answer", async () => {
    const off = worldWith({});
    await off.whatsapp(write("off"));
    await off.settle();
    const before = (await off.messages()).length;
    expect((await off.whatsapp(react("👍"))).json).toEqual({ status: "ok" });
    const on = worldWith({ whatsapp: "reactions" });
    await on.whatsapp(react("👍"));
    await on.whatsapp(react(undefined));
    expect([(await on.messages()).length - before, on.queue.sent, off.queue.sent]).toEqual([0, [], []]);
  });
});

describe("feedback", () => {
  const judged = async (world = worldWith({ whatsapp: "reactions" })) => {
    await world.whatsapp(write("judge me"));
    await world.settle();
    return world;
  };
  test("is recorded once by processes that die at any write", async () => {
    const world = await judged();
    for (const when of ["before", "after"] as const) {
      for (let at = 1; at <= 4; at += 1) {
        let processes = 0;
        world.processesAre(() => {
          processes += 1;
          return processes > 1
            ? world.workerDeps
            : { ...world.workerDeps, db: breakingDb(stores.db, at, when).db };
        });
        await world.whatsapp(react(at % 2 === 0 ? "👍" : "💩"));
        await world.settle(2_000);
        // Where the process died that had it, or was slower than its lease.
        await world.sweepChats();
        await world.settle(2_000);
        expect(await saidOn(world, ada)).toEqual([[ada, at % 2 === 0 ? 1 : 0]]);
      }
    }
    const [run] = await world.runsOf(ada);
    const { summary } = await feedbackOfRun(stores.db, run.run_id);
    expect(summary.thumb).toEqual({ count: 1, sum: 1, scores: { 1: 1 } });
  });
  test("counts in the order in which it comes, also while the next message is answered", async () => {
    const world = await judged();
    await world.whatsapp(write("[[sleep:2000]]"));
    await world.whatsapp(react("👎"));
    await world.whatsapp(react("❤"));
    const groups = new Set(world.queue.sent.map(({ group }) => group));
    expect(groups).toEqual(new Set([expect.stringContaining(ada), `${ada}#feedback`]));
    await world.settle(1_000);
    expect(await saidOn(world, ada)).toEqual([[ada, 1]]);
    // Another emoji stands where the heart was.
    await world.whatsapp(react("😂"));
    await world.settle();
    expect(await saidOn(world, ada)).toEqual([]);
  });
  test("is not taken after thirty days, nor from another number", async () => {
    const world = await judged();
    await world.whatsapp(react("👍", "999"));
    world.clock.advance(30 * 86_400_000 - 60_000);
    await world.whatsapp(react("👎"));
    await world.settle();
    expect(await saidOn(world, ada)).toEqual([[ada, 0]]);
    world.clock.advance(120_000);
    await world.whatsapp(react("👍"));
    expect(world.queue.sent).toEqual([]);
  });
  test("in a group is that of who presses, whoever asked", async () => {
    const world = worldWith({ whatsapp: "reactions" }, {}, stores.db, { answer_groups: true });
    const [group_id, grace] = [`g-${ada}`, `9${ada}`];
    await world.whatsapp(whatsappMessage({ from: ada, group_id, text: { body: "we ask" } }));
    await world.settle();
    const message_id = graph.idsTo(group_id)[0]?.id;
    for (const [from, emoji] of [
      [ada, "🎉"],
      [grace, "😡"],
    ]) {
      const reaction = { message_id, emoji };
      await world.whatsapp(whatsappMessage({ from, group_id, type: "reaction", reaction }));
    }
    // The same message, and not in its group.
    await world.whatsapp(whatsappMessage({ from: ada, type: "reaction", reaction: { message_id } }));
    await world.settle();
    const said = await saidOn(world, `wa-group:${group_id}`);
    expect(said.sort()).toEqual([
      [ada, 1],
      [grace, 0],
    ]);
  });
  test("that cannot be recorded is given up without a word", async () => {
    const world = await judged();
    const broken = watchedDb(stores.db, {
      before: async ({ input }) => {
        if (JSON.stringify(input).includes(stores.db.tables.feedback)) throw new Error("out of reach");
      },
    });
    world.processesAre(() => ({ ...world.workerDeps, db: broken }));
    await world.whatsapp(react("👍"));
    await world.settle(2_000);
    expect(world.lines.some((line) => line.includes("was given up"))).toBe(true);
    expect(graph.textsTo(ada)).toEqual(["You said: judge me"]);
  });
});

describe("buttons", () => {
  test("of Telegram are below the last part alone, also where it was shown while it grew", async () => {
    const world = worldWith({ telegram: "buttons" }, { streaming: true });
    const chat = { id: people, type: "private" };
    const from = { id: people, is_bot: false };
    await world.telegram(telegramUpdate({ text: "[[tokens:40]]", chat, from }));
    await world.settle();
    const [grown] = bot.shownIn(people);
    expect(bot.callsOf("editMessageText", people).length).toBeGreaterThan(0);
    expect(grown?.markup.inline_keyboard[0]).toHaveLength(2);
    await world.telegram(telegramUpdate({ text: "[[tokens:3000]]", chat, from }));
    await world.settle();
    const parts = bot.shownIn(people).slice(1);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ markup }) => markup !== undefined)).toEqual(
      parts.map((_, i) => i === parts.length - 1),
    );
  });
  test("are what the setting says: a reaction is none, and a press is nothing where it was switched off", async () => {
    const chat = { id: people, type: "private" };
    const from = { id: people, is_bot: false };
    const world = worldWith({ telegram: "buttons" });
    await world.telegram(telegramUpdate({ text: "hello", chat, from }));
    await world.settle();
    const [answer] = bot.shownIn(people);
    const [[good]] = answer?.markup.inline_keyboard ?? [[]];
    const press = () => buttonPress(good.callback_data, { message_id: answer?.message_id, chat }, people);
    const reaction = () => telegramReaction(answer?.message_id ?? 0, { is: ["👎"] }, { from: people, chat });
    expect((await world.telegram(reaction())).json).toEqual({ status: "ignored" });
    for (const telegram of ["off", "reactions"]) {
      expect((await worldWith({ telegram }).telegram(press())).json.status).toBe("ignored");
    }
    const { user: _, ...anonymous } = reaction().message_reaction;
    const hidden = { update_id: 1, message_reaction: anonymous };
    await worldWith({ telegram: "both" }).telegram(hidden);
    await world.telegram(press());
    await world.settle();
    expect(await saidOn(world, ada)).toEqual([[ada, 1]]);
  });
  test("of Slack are a block below a text that fits into one; where Slack takes no blocks, the text is sent", async () => {
    const world = worldWith({ slack: "both" });
    const channel = `D${ada}`;
    const say = async (text: string) => {
      await world.slack(slackEvent({ channel, user: `U${ada}`, text }));
      await world.settle();
    };
    await say("word ".repeat(1_600));
    const parts = slack.shownIn(channel).map(({ asked }) => asked.body);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.every(({ text }) => text.length <= 3_000)).toBe(true);
    expect(parts.map(({ blocks }) => blocks !== undefined)).toEqual(
      parts.map((_, i) => i === parts.length - 1),
    );
    slack.refusals.push({ method: "chat.postMessage", error: "invalid_blocks" });
    await say("plain");
    const last = slack.shownIn(channel).at(-1);
    expect([last?.asked.body.text, last?.asked.body.blocks]).toEqual(["You said: plain", undefined]);
  });
  test("of Slack are below what was shown while it grew, and reactions of a shared channel are dropped", async () => {
    const world = worldWith({ slack: "both" }, { streaming: true });
    const [channel, user] = [`D${ada}`, `U${ada}`];
    await world.slack(slackEvent({ channel, user, text: "[[tokens:40]]" }));
    await world.settle();
    const [answer] = slack.shownIn(channel);
    if (!answer) throw new Error("no answer");
    expect(slack.callsOf("chat.update", channel).length).toBeGreaterThan(0);
    const shared = { ...slackReaction("+1", answer, { user }), is_ext_shared_channel: true };
    expect((await world.slack(shared)).json).toEqual({ status: "ignored" });
    const others = slackReaction("+1", answer, { user, item_user: "UELSE" });
    expect((await world.slack(others)).json).toEqual({ status: "ignored" });
    await world.pressInSlack(slackThumb(answer, 1, user));
    await world.settle();
    expect(await saidOn(world, `sl:${user}`)).toEqual([[`sl:${user}`, 1]]);
  });
});
