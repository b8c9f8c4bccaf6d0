import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defineAgent, defineTool } from "../../../shared/engine/define/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { breakingDb } from "../../support/breaking-db.ts";
import { type Bot, startBot } from "../../support/chat-platforms/bot-server.ts";
import { type Graph, startGraph, whatsappMessage } from "../../support/chat-platforms/graph-server.ts";
import { type ChatWorld, chatWorld } from "../../support/chat-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
let graph: Graph;
let bot: Bot;
beforeAll(async () => {
  [stores, graph, bot] = await Promise.all([startStores(), startGraph(), startBot()]);
});
afterAll(async () => {
  await Promise.all([stores?.stop(), graph?.stop(), bot?.stop()]);
});

let numbers = 18_000_000;
const long = "[[tokens:1500]]";

/**
 * One message, delivered twenty times at once and again between crashes. The first process dies at its n-th write, before
 * it is done or after, and a second one at its own n-th; whoever comes then lives.
 */
async function answered(body: string, atWrite: number, when: "before" | "after") {
  const world = chatWorld(stores.db, graph, bot);
  const from = String(numbers++);
  const payload = whatsappMessage({ from, text: { body } });
  let processes = 0;
  const lastWishes: string[][] = [];
  world.processesAre(() => {
    processes += 1;
    if (processes > 2) return world.workerDeps;
    const { db } = breakingDb(stores.db, atWrite, when);
    const wishes: string[] = [];
    lastWishes.push(wishes);
    return { ...world.workerDeps, db: watchingDeath(db, (wish) => wishes.push(wish)) };
  });
  const deliveries = await Promise.all(Array.from({ length: 20 }, () => world.whatsapp(payload)));
  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set([200]));
  await world.settle(2_000);
  world.queue.forget();
  await world.whatsapp(payload);
  await world.sweepChats();
  await world.settle(2_000);
  const runs = await world.jobsOf(from);
  // Who dies before it can note that a part was taken has sent it, and it is unknown: it is sent again.
  const doubts = lastWishes.filter(wishesToNote).length;
  return { texts: graph.textsTo(from), runs: runs.length, processes, doubts };
}

const wishesToNote = (wishes: readonly string[]): boolean => wishes.some((wish) => wish.includes("#sending"));

/** Reports the writes that a process could not do any more: what beats in the background may be refused before the last. */
function watchingDeath(db: Db, onRefused: (expression: string) => void): Db {
  const client = new Proxy(db.client, {
    get: (target, name) => {
      if (name !== "send") return Reflect.get(target, name);
      return async (command: { readonly input: { readonly UpdateExpression?: string } }) => {
        try {
          return await target.send(command as never);
        } catch (error) {
          if (String(error).includes("dead")) onRefused(command.input.UpdateExpression ?? "");
          throw error;
        }
      };
    },
  });
  return { ...db, client };
}

const noted = /^\[(\d+)\/(\d+)\] /;

test.each([1, 2, 3, 4, 5, 6, 7])(
  "a message that is delivered twenty times is answered once although two processes die before their write %i",
  async (atWrite) => {
    const { texts, runs, doubts } = await answered("hello", atWrite, "before");
    expect(runs).toBe(1);
    expect(texts).toHaveLength(1 + doubts);
    expect(new Set(texts)).toEqual(new Set(["You said: hello"]));
  },
);

test.each([1, 2, 3, 4, 5, 6])("and once although they die after their write %i", async (atWrite) => {
  const { texts, runs, doubts } = await answered("hello", atWrite, "after");
  expect([runs, texts.length]).toEqual([1, 1 + doubts]);
  expect(new Set(texts)).toEqual(new Set(["You said: hello"]));
});

test("a process that dies after the first part was noted leaves the rest to the next one", async () => {
  const { texts, processes, doubts } = await answered(long, 4, "after");
  expect(processes).toBeGreaterThan(1);
  const places = texts.map((text) => noted.exec(text)?.slice(1, 3).join("/"));
  const parts = Number(places[0]?.split("/")[1]);
  expect(parts).toBeGreaterThan(1);
  // Each once, in their order, but for the one that a process could not note any more.
  expect(places).toHaveLength(parts + doubts);
  expect([...new Set(places)]).toEqual(Array.from({ length: parts }, (_, i) => `${i + 1}/${parts}`));
});

test("a wake-up that was lost is sent again by the sweeper, in whatever state it was lost", async () => {
  const world = chatWorld(stores.db, graph, bot);
  const from = String(numbers++);
  await world.whatsapp(whatsappMessage({ from, text: { body: "lost" } }));
  world.queue.sent.splice(0);
  world.queue.forget();
  await world.sweepChats();
  await world.settle();
  expect(graph.textsTo(from)).toEqual([]);
  world.clock.advance(1_000_000);
  expect(await world.sweepChats()).toBeGreaterThan(0);
  await world.settle();
  expect(graph.textsTo(from)).toEqual(["You said: lost"]);
});

test("a message whose every process dies without a word is given up, and the user is notified", async () => {
  const world = chatWorld(stores.db, graph, bot);
  const from = String(numbers++);
  let processes = 0;
  world.processesAre(() => {
    processes += 1;
    // A takeover is two writes: one that finds a lease which is over, and one that takes it.
    const { db } = processes > 4 ? stores : breakingDb(stores.db, processes === 1 ? 2 : 3, "before");
    return { ...world.workerDeps, db };
  });
  await world.whatsapp(whatsappMessage({ from, text: { body: "poison" } }));
  for (let rounds = 0; rounds < 8; rounds += 1) {
    await world.settle(1_500);
    world.queue.forget();
    world.clock.advance(200_000);
    await world.sweepChats();
  }
  const message = (await world.messages()).find(({ target }) => target.to === from);
  expect(message).toMatchObject({ status: "failed" });
  // The last of them may have notified the user already, without living to note it.
  expect([...new Set(graph.textsTo(from))]).toEqual(["That did not work. Please send it again in a moment."]);
});

/** An agent whose tool works until it may end, so that no test depends on how long a run takes. */
function slowAgent() {
  const gate = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const lookUp = defineTool({
    name: "look_up",
    description: "Look something up, slowly.",
    parameters: v.object({}),
    effect: "safe",
    execute: () => {
      begun.resolve();
      return gate.promise;
    },
  });
  const agent = defineAgent({ id: "slow-desk", name: "Slow desk", tools: [lookUp] });
  return { agent, works: begun.promise, mayEnd: () => gate.resolve("found") };
}

/** One message to the slow desk, whose chat worker runs out of time while the run is at work, and keeps its lock. */
async function outlastedChatWorker(processesOf: (world: ChatWorld, from: string) => void = () => {}) {
  const { agent, works, mayEnd } = slowAgent();
  const whatsapp = { component: "agents/slow-desk" };
  const world = chatWorld(stores.db, graph, bot, { agents: [agent], whatsapp });
  const from = String(numbers++);
  processesOf(world, from);
  await world.whatsapp(whatsappMessage({ from, text: { body: "[[tool:look_up {}]]" } }));
  const settled = world.settle();
  await works;
  const jumped = epochSeconds(world.clock) + 200;
  world.clock.advance(200_000);
  // A run that takes a step before it has its lock again counts it as lost, and ends nothing.
  await expect.poll(async () => (await world.jobsOf(from))[0]?.locked_at).toBeGreaterThanOrEqual(jumped);
  return { world, from, settled, mayEnd };
}

test("a run that outlasts its chat worker is answered when it ends", async () => {
  const { world, from, settled, mayEnd } = await outlastedChatWorker();
  const waiting = async () => (await world.messages()).find(({ target }) => target.to === from)?.status;
  await expect.poll(waiting).toBe("waiting");
  mayEnd();
  await settled;
  expect(graph.textsTo(from)).toHaveLength(1);
  expect(graph.textsTo(from)[0]).toContain("found");
});

test("a run that ends before its chat worker has let it wait is answered, though the wake-up came too early", async () => {
  const { from, settled, mayEnd } = await outlastedChatWorker((before, person) => {
    const hasEnded = async () =>
      (await before.runsOf(person))[0]?.status === "COMPLETED" && before.queue.sent.length === 0;
    before.processesAre(() => ({ ...before.workerDeps, db: slowToWait(stores.db, hasEnded) }));
  });
  mayEnd();
  await settled;
  expect(graph.textsTo(from)).toHaveLength(1);
  expect(graph.textsTo(from)[0]).toContain("found");
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Writes that a message waits only after something has come to pass, and a wake-up has had time to be dropped. */
function slowToWait(db: Db, hasCome: () => Promise<boolean>): Db {
  const client = new Proxy(db.client, {
    get(target, name) {
      if (name !== "send") return Reflect.get(target, name);
      return async (command: { input: unknown }) => {
        if (JSON.stringify(command.input).includes('"waiting"')) {
          while (!(await hasCome())) await pause(20);
          await pause(300);
        }
        return target.send(command as never);
      };
    },
  });
  return { ...db, client };
}
