import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { textFields, valueIn } from "../../../shared/pauses/text-fields.ts";
import { yesNoLabels, yesOrNo } from "../../../shared/pauses/yes-no.ts";
import { breakingDb } from "../../support/breaking-db.ts";
import { type Bot, buttonPress, startBot, telegramUpdate } from "../../support/chat-platforms/bot-server.ts";
import { type Graph, startGraph, whatsappMessage } from "../../support/chat-platforms/graph-server.ts";
import { type ChatWorld, chatWorld } from "../../support/chat-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
let graph: Graph;
let bot: Bot;
let people = 7_000_000;
let ada: number;
beforeAll(async () => {
  [stores, graph, bot] = await Promise.all([startStores(), startGraph(), startBot()]);
});
beforeEach(() => {
  ada = people++;
});
afterAll(async () => {
  await Promise.all([stores?.stop(), graph?.stop(), bot?.stop()]);
});

const worldOf = (component: string, more: object = {}) =>
  chatWorld(stores.db, graph, bot, { telegram: { component, streaming: false, ...more } });
const alone = (text: string, more: object = {}) =>
  telegramUpdate({ from: { id: ada, is_bot: false, ...more }, chat: { id: ada, type: "private" }, text });
/** What is said after it. */
const say = async (at: ChatWorld, text: string, more: object = {}): Promise<string[]> => {
  const before = bot.textsIn(ada).length;
  await at.telegram(alone(text, more));
  await at.settle();
  return bot.textsIn(ada).slice(before);
};
const buttonsOf = (position = -1): { text: string; callback_data: string }[] =>
  bot.callsOf("sendMessage", ada).at(position)?.body.reply_markup?.inline_keyboard[0] ?? [];
const press = async (at: ChatWorld, data: string | undefined): Promise<string[]> => {
  const before = bot.textsIn(ada).length;
  await at.telegram(buttonPress(data ?? "", { message_id: 1, chat: { id: ada, type: "private" } }, ada));
  await at.settle();
  return bot.textsIn(ada).slice(before);
};
const inputs = async (at: ChatWorld) => (await at.jobsOf(String(ada))).map(({ payload }) => payload.input);

const refund = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';

describe("a yes or no", () => {
  test("is a word too, in many languages, with buttons in that of the sender's program", async () => {
    const desk = worldOf("agents/refund-desk");
    await say(desk, refund, { language_code: "de-AT" });
    expect(buttonsOf().map(({ text }) => text)).toEqual(["Ja", "Nein"]);
    expect(await say(desk, " Ja! ")).toEqual([expect.stringContaining("Refunded 5 for order o-1.")]);
    await say(desk, refund);
    expect(buttonsOf().map(({ text }) => text)).toEqual(["Yes", "No"]);
    expect((await say(desk, "non")).join()).not.toContain("Refunded");
    expect(await inputs(desk)).toEqual([refund, refund]);
  });
  test("is the operator's word where they have chosen one", async () => {
    const desk = worldOf("agents/refund-desk", { texts: { approve: "Go ahead", decline: "Leave it" } });
    await say(desk, refund, { language_code: "de" });
    expect(buttonsOf().map(({ text }) => text)).toEqual(["Go ahead", "Leave it"]);
    expect(await say(desk, "go ahead")).toEqual([expect.stringContaining("Refunded 5")]);
  });
  test("leaves other words what they are: a message, which a later yes does not change", async () => {
    const desk = worldOf("agents/refund-desk");
    await say(desk, refund);
    await say(desk, "why that?");
    expect(await inputs(desk)).toEqual([refund, "why that?"]);
    expect((await say(desk, "yes")).join()).toContain("Refunded 5");
    expect(await say(desk, "yes")).toEqual(["You said: yes"]);
  });
  test("is no answer from the conversation after a fresh start", async () => {
    const desk = worldOf("agents/refund-desk");
    await say(desk, refund);
    await say(desk, "/new");
    expect(await say(desk, "yes")).toEqual(["You said: yes"]);
  });
  test("by a button answers its own question, and none that the same run asked before or asks later", async () => {
    const desk = worldOf("agents/refund-desk");
    await say(desk, refund);
    const [yes] = buttonsOf();
    expect(await press(desk, yes?.callback_data.replace(/[0-9a-f]{8}$/, "00000000"))).toEqual([]);
    expect((await desk.runsOf(String(ada)))[0]?.status).toBe("PAUSED");
    expect((await press(desk, yes?.callback_data)).join()).toContain("Refunded 5");
    expect(await press(desk, yes?.callback_data)).toEqual([]);
  });
});

describe("a form", () => {
  const booking = '[[tool:book_table {"restaurant":"Roma"}]]';
  test("is asked question by question, says what it does not understand, and continues with all answers", async () => {
    const desk = worldOf("agents/front-desk");
    expect(await say(desk, booking)).toEqual([
      "book_table needs input.\n• book_table (restaurant: Roma)\nguests (how many come)?",
    ]);
    expect(await say(desk, "some")).toEqual([
      "I did not understand that. Please answer this:\nbook_table needs input.\n• book_table (restaurant: Roma)\nguests (how many come)?",
    ]);
    expect(await say(desk, "4")).toEqual(["time (such as 19:30)?"]);
    expect(await say(desk, "19:30")).toEqual([expect.stringContaining("Booked Roma for 4 at 19:30.")]);
    expect(await inputs(desk)).toEqual([booking]);
    const mine = (await desk.messages()).filter(({ sender }) => sender === String(ada));
    expect(JSON.stringify(mine)).not.toContain("19:30");
  });
  test("has choices by their name or number", async () => {
    const questions = [
      { question: "Which colour?", header: "Colour", options: [{ label: "red" }, { label: "blue" }] },
      { question: "Which size?", header: "Size", options: [{ label: "S" }, { label: "L" }] },
    ];
    const desk = worldOf("agents/front-desk");
    const [asked = ""] = await say(desk, `[[tool:ask_user ${JSON.stringify({ questions })}]]`);
    expect(asked).toBe("Which colour?\n\n1. red\n2. blue");
    expect(await say(desk, "2")).toEqual(["Which size?\n\n1. S\n2. L"]);
    const [answer = ""] = await say(desk, "l");
    expect([answer.includes("blue"), answer.includes("L")]).toEqual([true, true]);
  });
  test("takes each answer once though the process that took it dies at any of its writes", async () => {
    for (const atWrite of [1, 2, 3, 4, 5]) {
      ada = people++;
      const desk = worldOf("agents/front-desk");
      await say(desk, booking);
      for (const text of ["4", "20:00"]) {
        let processes = 0;
        desk.processesAre(() => {
          processes += 1;
          return processes > 1
            ? desk.workerDeps
            : { ...desk.workerDeps, db: breakingDb(stores.db, atWrite).db };
        });
        await desk.telegram(alone(text));
        await desk.settle(2_000);
        desk.queue.forget();
        await desk.sweepChats();
        await desk.settle(2_000);
      }
      const asked = bot.textsIn(ada).filter((text) => text === "time (such as 19:30)?");
      expect(asked.length).toBeGreaterThan(0);
      expect(bot.textsIn(ada).at(-1)).toContain("Booked Roma for 4 at 20:00.");
      expect(await inputs(desk)).toEqual([booking]);
    }
  });
  test("works on WhatsApp too", async () => {
    const desk = chatWorld(stores.db, graph, bot, { whatsapp: { component: "agents/front-desk" } });
    const from = String(ada);
    for (const body of [booking, "2", "18:00"]) {
      await desk.whatsapp(whatsappMessage({ from, text: { body } }));
      await desk.settle();
    }
    expect(graph.textsTo(from).at(-1)).toContain("Booked Roma for 2 at 18:00.");
  });
});

describe("what words mean", () => {
  test("to the fields of an answer", () => {
    const values = {
      type: "object",
      properties: {
        n: { type: "integer" },
        x: { type: "number" },
        tags: { type: "array" },
        on: { type: "boolean" },
      },
      required: ["n", "x", "tags", "on"],
    };
    const fields = textFields({ type: "object", properties: { values }, required: ["values"] });
    expect(fields.map(({ path, kind }) => [path.join("."), kind])).toEqual([
      ["values.n", "integer"],
      ["values.x", "number"],
      ["values.tags", "list"],
      ["values.on", "yes_no"],
    ]);
    const said = ["3", "1,5", "a, b", "nein"];
    expect(fields.map((field, i) => valueIn(field, said[i] ?? ""))).toEqual([3, 1.5, ["a", "b"], false]);
    expect(fields.map((field) => valueIn(field, "[[["))).toEqual([undefined, undefined, ["[[["], undefined]);
    const several = { path: ["s"], kind: "choices", choices: ["Yes, please", "no"] } as const;
    expect([valueIn(several, "yes, please"), valueIn(several, "1;2"), valueIn(several, "3")]).toEqual([
      ["Yes, please"],
      ["Yes, please", "no"],
      undefined,
    ]);
  });
  test("as yes and no: the word alone, in any language, and never half a sentence", () => {
    const yes = ["Yes.", "JA", "oui", "sí", "да", "はい", "evet", "ok"];
    const no = ["No!", "nein", "Não", "нет", "いいえ", "hayır"];
    expect(yes.map((word) => yesOrNo(word))).toEqual(yes.map(() => true));
    expect(no.map((word) => yesOrNo(word))).toEqual(no.map(() => false));
    for (const text of ["yes but", "not now", "", "o", "no way"]) expect(yesOrNo(text)).toBeUndefined();
    expect([yesNoLabels("pt-BR"), yesNoLabels("xx"), yesNoLabels(undefined)]).toEqual([
      { yes: "Sim", no: "Não" },
      undefined,
      undefined,
    ]);
  });
});
