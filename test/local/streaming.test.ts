import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Cloud } from "../../local/cloud.ts";
import { fixtureCloud, originAt, streamingUrl, temporaryFolder, until } from "./fixture-cloud.ts";

const streaming = `
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const handler = awslambda.streamifyResponse(async (event, responseStream, context) => {
  const kind = event.rawPath.split("/")[2];
  if (kind === "early-crash") throw new Error("before the head");
  const stream = awslambda.HttpResponseStream.from(responseStream, { statusCode: 201, headers: { "content-type": "text/event-stream", "x-route": event.routeKey }, cookies: ["a=1"] });
  if (kind === "empty") { stream.write(""); return stream.end(); }
  if (kind === "headless") return stream.end();
  if (kind === "only-end") return stream.end("all of it");
  stream.write("first|");
  if (kind === "late-crash") { await pause(50); throw new Error("after the head"); }
  if (kind === "left") {
    stream.on("close", () => appendFileSync(process.env.MARK, "closed|"));
    for (let piece = 0; piece < 30; piece += 1) { stream.write("more|"); await pause(10); }
    appendFileSync(process.env.MARK, "end|");
    stream.end();
    return;
  }
  if (kind === "after") {
    stream.end();
    while (!existsSync(process.env.ANSWERED)) await pause(10);
    writeFileSync(process.env.WORKED_ON, "");
    return;
  }
  while (!existsSync(process.env.GATE)) await pause(10);
  stream.write("remaining:" + (context.getRemainingTimeInMillis() > 0));
  stream.end();
});`;

const folder = temporaryFolder();
const mark = join(folder, "mark");
const gate = join(folder, "gate");
const answered = join(folder, "answered");
const workedOn = join(folder, "worked-on");
let cloud: Cloud & { readonly lines: string[] };
beforeAll(async () => {
  cloud = await fixtureCloud({
    functions: {
      streaming: {
        code: streaming,
        environment: { MARK: mark, GATE: gate, ANSWERED: answered, WORKED_ON: workedOn },
      },
      plain: { code: `export const handler = async () => ({ statusCode: 200, body: "from the API" });` },
    },
    routes: { $default: "plain" },
    resources: {
      Url: streamingUrl("streaming"),
      Cdn: {
        Type: "AWS::CloudFront::Distribution",
        Properties: {
          DistributionConfig: {
            Origins: [originAt("api", "Api", "ApiEndpoint"), originAt("url", "Url", "FunctionUrl")],
            CacheBehaviors: [
              { PathPattern: "/things/*/runs*", TargetOriginId: "url" },
              { PathPattern: "/posted", TargetOriginId: "api", AllowedMethods: ["GET", "HEAD", "POST"] },
              { PathPattern: "/s/*", TargetOriginId: "url" },
            ],
            DefaultCacheBehavior: { TargetOriginId: "api" },
          },
        },
      },
    },
  });
});
afterAll(async () => {
  await cloud.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ["/things/1/runs", 201],
  ["/things/1/runs/2", 201],
  ["/things/1/run", 200],
  ["/things", 200],
  ["/s/x", 201],
])("the distribution sends %s to the origin of its pattern", async (path, status) => {
  expect((await fetch(cloud.url + path)).status).toBe(status);
});

test.each([
  ["/things", "GET", 200],
  ["/things", "POST", 403],
  ["/posted", "POST", 200],
  ["/posted", "DELETE", 403],
])(
  "the distribution answers %s %s with %i: a pattern has its methods, only reading ones unless it names others",
  async (path, method, status) => {
    expect((await fetch(cloud.url + path, { method })).status).toBe(status);
  },
);

test("the distribution refuses a GET with a body", async () => {
  const asked = request(`${cloud.url}/things`, { headers: { "content-length": 2 } }).end("{}");
  const [answer] = await once(asked, "response");
  expect(answer.statusCode).toBe(403);
});

test("the API's own address knows nothing of the distribution", async () => {
  expect(await (await fetch(`${cloud.apiUrl}/s/x`)).text()).toBe("from the API");
});

test("pieces arrive when they are written", async () => {
  const response = await fetch(`${cloud.url}/s/slow`);
  expect(response.status).toBe(201);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("x-route")).toBe("$default");
  expect(response.headers.getSetCookie()).toEqual(["a=1"]);
  // The function goes on only after its first piece has arrived here.
  const pieces: string[] = [];
  for await (const chunk of response.body ?? []) {
    pieces.push(Buffer.from(chunk).toString());
    writeFileSync(gate, "");
  }
  expect(pieces).toEqual(["first|", "remaining:true"]);
});

test.each(["headless", "only-end"])("an answer that is ended without a write (%s) is a 502", async (kind) => {
  expect((await fetch(`${cloud.url}/s/${kind}`)).status).toBe(502);
});

test("an answer without a byte has its head when nothing was written", async () => {
  const response = await fetch(`${cloud.url}/s/empty`);
  expect(response.status).toBe(201);
  expect(await response.text()).toBe("");
});

test("a handler that throws before the head is a 502, whose reason is in the log alone", async () => {
  const response = await fetch(`${cloud.url}/s/early-crash`);
  expect(response.status).toBe(502);
  expect(await response.json()).toEqual({ message: "Internal Server Error" });
  await until(() =>
    cloud.lines.some((line) => line.includes(`"error_type":"Error","error_text":"before the head"`)),
  );
});

test("a handler that throws after the head breaks the connection off", async () => {
  const response = await fetch(`${cloud.url}/s/late-crash`);
  expect(response.status).toBe(201);
  await expect(response.text()).rejects.toThrow();
});

test("the function is not notified that its client has left, and works to its end", async () => {
  const leave = new AbortController();
  const response = await fetch(`${cloud.url}/s/left`, { signal: leave.signal });
  await response.body?.getReader().read();
  expect(existsSync(mark)).toBe(false);
  leave.abort();
  await until(() => existsSync(mark) && readFileSync(mark, "utf8").includes("closed|"));
  expect(readFileSync(mark, "utf8")).toBe("end|closed|");
});

test("an answer that the function has ended arrives while the function works on", async () => {
  expect(await (await fetch(`${cloud.url}/s/after`)).text()).toBe("first|");
  expect(existsSync(workedOn)).toBe(false);
  writeFileSync(answered, "");
  await until(() => existsSync(workedOn));
});
