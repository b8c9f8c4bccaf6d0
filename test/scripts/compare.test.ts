import { createServer } from "node:http";
import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { compareRecords } from "../../scripts/compare/differences.ts";
import { instantOf } from "../../scripts/compare/instants.ts";
import { withoutChance } from "../../scripts/compare/left-to-chance.ts";
import { mergeEvents } from "../../scripts/compare/merge-events.ts";
import { inOneOrder } from "../../scripts/compare/one-order.ts";
import { messagesOf, plainTemplate } from "../../scripts/compare/plain-template.ts";
import { recordRoutes } from "../../scripts/compare/record-routes.ts";
import { createStandIns } from "../../scripts/compare/stand-ins.ts";
import { unpacked } from "../../scripts/compare/unpacked.ts";
import { temporaryFolder } from "../local/fixture-cloud.ts";

/** Some minutes after a full hour, as any recording starts. */
const T0 = 1_795_334_352;
const DAY = 86_400;
const plain = (value: unknown) => createStandIns(T0).plain(value);

describe("a stand-in", () => {
  test("is the same wherever an id is the same, in texts and in names of members", () => {
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const value = { list: [one, other, `session#${one}`], more: { [one]: `%3D${other}` } };
    expect(plain(value)).toEqual({
      list: ["<id 1>", "<id 2>", "session#<id 1>"],
      more: { "<id 1>": "%3D<id 2>" },
    });
  });

  test("of a time shows how far away it is and in which form it is written", () => {
    const value = { a: T0 + 2, b: (T0 + 2) * 1000, c: T0 + 30 * DAY, d: new Date(T0 * 1000).toISOString() };
    expect(plain(value)).toEqual({
      a: "<now>",
      b: "<now ms>",
      c: "<now + 30 d>",
      d: "<now 0000-00-00T00:00:00.000Z>",
    });
    expect(plain([`00${T0}#x`, `00${T0}#673#x`, `${999_999_999_999 - T0}#x`])).toEqual([
      "00<now>#x",
      "00<now>#<ms>#x",
      "<falling now>#x",
    ]);
  });

  test("stands for durations, shards and addresses, and for nothing else", () => {
    const value = {
      duration: 0.012,
      content: "add(a=1) completed in 0.0012s.",
      status_shard: "queued#3",
      url: "http://127.0.0.1:4711/docs",
      attempt: 3,
      total_tokens: 68,
      note: "page #3 of 2026",
    };
    expect(plain(value)).toEqual({
      duration: "<duration>",
      content: "add(a=1) completed in <duration>.",
      status_shard: "queued#<shard>",
      url: "http://platform/docs",
      attempt: 3,
      total_tokens: 68,
      note: "page #3 of 2026",
    });
  });
});

test("a record that the audit makes once in ten minutes is the same in the next ten", () => {
  const name = "0c9fc5aa5420e75fdce1c8635a1e6c77";
  const recordIn = (window: number) => ({
    id: `${name}-${window}`,
    sk: `${window * 600_000}#${name}-${window}`,
  });
  const expected = { id: "<id 1>-<window>", sk: "<window>#<id 1>-<window>" };
  expect([plain(recordIn(2_993_221)), plain(recordIn(2_993_222))]).toEqual([expected, expected]);
});

test("a histogram of durations is recorded as how many there are, whichever bucket they are in", () => {
  const took = [{ took: { 20: 1, 24: 2 } }, { took: { 31: 3 } }, { took: {} }];
  expect(plain(took)).toEqual([
    { took: { "<duration>": 3 } },
    { took: { "<duration>": 3 } },
    { took: { "<duration>": 0 } },
  ]);
});

describe("an item is recorded without what the speed of a machine decides", () => {
  test("a change in the audit is the same in the second of the one before it and in a later one", () => {
    const change = { pk: "month#2026-11", due: "unsealed", due_at: 1, operation: "updateComponent" };
    const [before, after] = [{ revision: 4 }, { revision: 5, description: "A bot" }];
    const later = { before: { ...before, updated_at: T0 }, after: { ...after, updated_at: T0 + 1 } };
    expect(withoutChance([{ ...change, ...later }])).toEqual(withoutChance([{ ...change, before, after }]));
    expect(withoutChance([{ ...change, before, after: null }])).not.toEqual(
      withoutChance([{ ...change, before, after }]),
    );
  });

  test("a schedule's attempt is the same whichever comes first, its run's end or the record of its start", () => {
    const attempt = { pk: "schedule#s", sk: "run#r", slot: "trigger:t", status: "success" };
    expect(withoutChance([{ ...attempt, revision: 4 }])).toEqual(
      withoutChance([{ ...attempt, revision: 5 }]),
    );
    expect(withoutChance([{ pk: "component#c", revision: 4 }])).toEqual([{ pk: "component#c", revision: 4 }]);
  });
});

test.each([
  [5, "now"],
  [8 * 60, "now"],
  [15 * 60, "now + 10 min"],
  [90 * DAY, "now + 90 d"],
  [-3600, "now - 60 min"],
])("%i seconds after the start is %s, also some seconds later", (offset, expected) => {
  expect([instantOf(T0 + offset, T0), instantOf(T0 + offset + 20, T0)]).toEqual([expected, expected]);
});

test("the start is now, also on a full hour and when its fraction of a second is cut off", () => {
  const hour = Math.ceil(T0 / 3600) * 3600;
  expect([instantOf(hour, hour + 0.7), instantOf(hour + 1, hour + 0.7)]).toEqual(["now", "now"]);
});

test("a number that is far away from the start is no time", () => {
  expect(instantOf(1_000_000_007, T0)).toBeUndefined();
});

describe("events", () => {
  const event = (event_index: number, event: string, more: object = {}) => ({ event_index, event, ...more });

  test("of members that work side by side are recorded member by member", () => {
    const began = event(0, "TeamToolCallStarted", { run_id: "team" });
    const ended = event(4, "TeamToolCallCompleted", { run_id: "team" });
    const of = (agent_id: string, index: number) =>
      event(index, "RunContent", { agent_id, run_id: agent_id });
    const orders = [
      [began, of("ann", 1), of("ben", 2), of("ann", 3), ended],
      [began, of("ben", 1), of("ann", 2), of("ann", 3), ended],
    ];
    const expected = [began, of("ann", 1), of("ann", 2), of("ben", 3), ended];
    for (const order of orders) expect(inOneOrder(order, (value) => value)).toEqual(expected);
  });

  test("that were written in several batches are recorded as one", () => {
    const [one, two, three] = [event(0, "RunStarted"), event(1, "RunContent"), event(2, "RunCompleted")];
    const batch = (first_index: number, events: object[]) => ({
      ...{ attempt: 1, starts_over: first_index === 0, first_index, next_index: first_index + events.length },
      events: { "<packed>": events },
    });
    const run = { pk: "session#s", sk: "run#r", run_id: "r" };
    const stored = { pk: "run#r", sk: "event#1#0", shape: 1, ...batch(0, [one, two]) };
    const whole = [{ ...run, last_events: batch(0, [one, two, three]) }];
    expect(mergeEvents([stored, { ...run, last_events: batch(2, [three]) }])).toEqual(whole);
    expect(mergeEvents(whole)).toEqual(whole);
  });
});

describe("a template", () => {
  const code = (digit: string) => ({
    Type: "AWS::Lambda::Function",
    Properties: { Code: { S3Key: `${digit.repeat(64)}.zip` }, MemorySize: 512 },
    Metadata: { "aws:asset:path": `/somewhere/dist/${digit}`, "aws:asset:property": "Code" },
  });

  test("is recorded without digests of code, but with which functions share theirs", () => {
    const plainCode = (number: number) => ({
      Type: "AWS::Lambda::Function",
      Properties: { Code: { S3Key: `<code ${number}>.zip` }, MemorySize: 512 },
      Metadata: { "aws:asset:path": "<folder>", "aws:asset:property": "Code" },
    });
    const template = { Resources: { Ab12: code("a"), Cd34: code("b"), Ef56: code("a") } };
    expect(plainTemplate(template)).toEqual({
      Resources: { Ab12: plainCode(1), Cd34: plainCode(2), Ef56: plainCode(1) },
    });
  });

  test("is recorded without digests of what a deployment step has looked at, but with which steps share theirs", () => {
    const step = (Content: string) => ({
      Type: "AWS::CloudFormation::CustomResource",
      Properties: { Content },
    });
    const [one, other] = ["0c9fc5aa5420e75fdce1c8635a1e6c77", "3f756f152dda47b517272bf179807a6b"];
    const template = { Ab12: step(one), Cd34: step(other), Ef56: step(one), Ab78: step("a text") };
    expect(plainTemplate(template)).toEqual({
      Ab12: step("<content 1>"),
      Cd34: step("<content 2>"),
      Ef56: step("<content 1>"),
      Ab78: step("a text"),
    });
  });

  test("has its messages beside it, without where they come from", () => {
    const warning = { type: "aws:cdk:warning", data: "No issuer.", trace: ["at /somewhere/lib/a.ts"] };
    const made = { type: "aws:cdk:creationStack", data: ["/somewhere/lib/a.ts"] };
    expect(messagesOf({ "/Service": [made, warning] })).toEqual([
      { construct: "/Service", type: "aws:cdk:warning", data: "No issuer." },
    ]);
  });
});

test("stored bytes are recorded as what is packed in them, or as they are", () => {
  expect(unpacked(deflateRawSync('{"shape":2}'))).toEqual({ "<packed>": { shape: 2 } });
  expect(unpacked(deflateRawSync("a text"))).toEqual({ "<packed>": "a text" });
  expect(unpacked(Buffer.from("PNG"))).toEqual({ "<bytes>": "UE5H" });
});

describe("the responses of all routes", () => {
  const paths = { "/one": { get: { operationId: "getOne" } }, "/two": { get: { operationId: "getTwo" } } };
  /** @param late  how many requests for `/one` its function does not answer in time */
  async function recorded(late: number): Promise<string> {
    let asked = 0;
    const { address, stop } = await serveOnLoopback(
      createServer(({ url }, response) => {
        const isLate = url === "/one" && asked++ < late;
        response.writeHead(isLate ? 503 : 200, {
          "content-type": "application/json",
          ...(!isLate && { "apigw-requestid": crypto.randomUUID() }),
        });
        const answer = { id: crypto.randomUUID() };
        response.end(
          JSON.stringify(
            isLate ? { message: "Service Unavailable" } : url === "/openapi.json" ? { paths } : answer,
          ),
        );
      }),
    );
    const output = temporaryFolder();
    await recordRoutes({ url: address, tokens: { token: async () => "a token" } }, output);
    await stop();
    return output;
  }
  const differing = async (late: number) =>
    compareRecords(await recorded(0), await recorded(late)).flatMap((group) => group.differing);

  test("do not depend on a request that a busy machine did not answer in time", async () => {
    expect(await differing(3)).toEqual([]);
  });

  test("show a route that is never answered in time, and change no other's record", async () => {
    expect(await differing(99)).toEqual(["routes/getOne.json"]);
  });
});
