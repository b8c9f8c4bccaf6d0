import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { chatWork } from "../../../shared/stores/chats/chat-work.ts";
import { type Bot, startBot } from "../../support/chat-platforms/bot-server.ts";
import { type Graph, startGraph, whatsappMessage } from "../../support/chat-platforms/graph-server.ts";
import { type ChatWorld, chatWorld } from "../../support/chat-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
let graph: Graph;
let bot: Bot;
let numbers = 21_000_000;
/** A new user for each test. */
let ada: string;
beforeAll(async () => {
  [stores, graph, bot] = await Promise.all([startStores(), startGraph(), startBot()]);
});
beforeEach(() => {
  ada = String(numbers++);
});
afterAll(async () => {
  await Promise.all([stores?.stop(), graph?.stop(), bot?.stop()]);
});

const text = (body: string) => whatsappMessage({ from: ada, text: { body } });

/** The platform takes nothing, for so long; the sweeper comes in between. */
const outage = async (at: ChatWorld, hours: number, code: number) => {
  graph.refusals.push(...Array.from({ length: 10_000 }, () => code));
  await at.settle(1_000);
  for (let half = 0; half < hours * 2; half += 1) {
    at.clock.advance(1_800_000);
    await at.sweepChats();
    await at.settle(1_000);
  }
  graph.refusals.length = 0;
};
test("an answer survives hours in which the platform takes nothing, and arrives once", async () => {
  const patient = chatWorld(stores.db, graph, bot);
  await patient.whatsapp(text("survives"));
  await outage(patient, 2, 131056);
  await patient.whatsapp(text("meanwhile"));
  await outage(patient, 4, 190);
  expect(graph.textsTo(ada)).toEqual([]);
  patient.clock.advance(900_000);
  await patient.sweepChats();
  await patient.settle(1_000);
  expect(graph.textsTo(ada).sort()).toEqual(["You said: meanwhile", "You said: survives"]);
  expect(await patient.jobsOf(ada)).toHaveLength(2);
  expect(patient.lines.join()).toContain("a chat platform is unavailable");
  expect(patient.lines.join()).not.toContain("could not be delivered");
});
test("an answer that the platform never takes is given up with its window, and an operator is notified once", async () => {
  const figures: object[] = [];
  const meter = { record: (counted: object) => void figures.push(counted) };
  const patient = chatWorld(stores.db, graph, bot);
  patient.processesAre(() => ({ ...patient.workerDeps, meter }));
  await patient.whatsapp(text("lost"));
  await outage(patient, 24, 190);
  expect(graph.textsTo(ada)).toEqual([]);
  expect((await patient.messages()).filter(({ target }) => target.to === ada)).toMatchObject([
    { status: "failed" },
  ]);
  expect(figures).toEqual([{ UndeliveredAnswers: 1 }]);
  expect(patient.lines.filter((line) => line.includes("could not be delivered"))).toHaveLength(1);
});
test("a worker that finds another one with its message leaves it, which is no error", async () => {
  const patient = chatWorld(stores.db, graph, bot);
  const { callRuns, clock } = patient.workerDeps;
  let taken = 0;
  patient.processesAre(() => ({
    ...patient.workerDeps,
    callRuns: async (call) => {
      const answer = await callRuns(call);
      taken += 1;
      // As one whose clock says that the lease is over.
      const later = Math.floor(clock.now() / 1000) + 3_600;
      if (taken === 1) await chatWork.claim(stores.db, call.messageKey, "another", later);
      return answer;
    },
  }));
  await patient.whatsapp(text("mine"));
  await patient.settle(1_000);
  expect(taken).toBe(1);
  expect(patient.lines.join()).toContain("another worker answers it");
  expect(patient.lines.join()).not.toContain("could not be answered");
  patient.clock.advance(7_200_000);
  await patient.sweepChats();
  await patient.settle(1_000);
  expect(graph.textsTo(ada)).toEqual(["You said: mine"]);
  expect(await patient.jobsOf(ada)).toHaveLength(1);
});
