import { describe, expect } from "vitest";
import type { AskedRequest } from "../../support/openapi/asked-request.ts";
import { decisionFault } from "../../support/openapi/decision-fault.ts";
import { type JsonSchema, operations } from "../../support/openapi/document.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

/** A request is refused as invalid exactly when the interface description does not allow it. */

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const operationOf = (operationId: string) => {
  const found = operations.find((one) => one.operationId === operationId);
  if (!found) throw new Error(`${operationId} is not described`);
  return found;
};

type Asked = Partial<Omit<AskedRequest, "method">>;

/** What is answered, and where the description decides differently. */
async function ask(operationId: string, asked: Asked) {
  const operation = operationOf(operationId);
  const { path = operation.path, headers = {}, body } = asked;
  const response = await fetch(platform.url + path, {
    method: operation.method,
    headers: { authorization: `Bearer ${platform.adminToken}`, ...headers },
    ...(body !== undefined && { body }),
  });
  const { status } = response;
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  const request = { method: operation.method, path, headers, body };
  return { status, text, disagreement: await decisionFault(operation, request, { status, type, text }) };
}

const json = (value: unknown): Asked => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});
const form = (fields: Readonly<Record<string, string>>): Asked => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});

describe("a request that is refused is not as described", () => {
  test.each(["y7x8- k1q k", "openai:", ":gpt", "unknown:gpt"])("the model %s of a merge", async (model) => {
    const asked = await ask("optimizeMemories", json({ user_id: "maria", model, apply: false }));
    expect(asked).toMatchObject({ status: 400, disagreement: undefined });
  });

  test("a component type that there is not", async () => {
    const created = await ask(
      "createComponent",
      json({ name: "Typed", component_type: "agent", component_id: "described-type" }),
    );
    expect(created.status).toBe(201);
    const path = "/components/described-type";
    const unknown = await ask("updateComponent", { path, ...json({ component_type: "y--" }) });
    expect(unknown).toMatchObject({ status: 400, disagreement: undefined });
    const other = await ask("updateComponent", { path, ...json({ component_type: "team" }) });
    expect(other).toMatchObject({ status: 400, disagreement: undefined });
    expect(other.text).toContain("a component stays what it is: agent");
  });

  test.each(['"text"', "[]", "{", '{"metadata":1}'])("the body %s about a task", async (body) => {
    const headers = { "content-type": "application/json", "a2a-version": "1.0" };
    for (const [operationId, verb] of [
      ["cancelAgentTask", "cancel"],
      ["subscribeToAgentTask", "subscribe"],
    ] as const) {
      const path = `/a2a/agents/assistant/v1/tasks/t-1:${verb}`;
      const asked = await ask(operationId, { path, headers, body });
      expect(asked).toMatchObject({ status: 400, disagreement: undefined });
      for (const none of ["null", "{}"]) {
        expect((await ask(operationId, { path, headers, body: none })).status).toBe(404);
      }
    }
  });

  test("a list in place of a guard, which would be dropped", async () => {
    const body = { name: "Guarded", component_type: "agent", component_id: "described-guard" };
    expect((await ask("createComponent", json(body))).status).toBe(201);
    const path = "/components/described-guard";
    for (const [operationId, more] of [
      ["updateComponent", { name: "Unguarded" }],
      ["removeComponent", {}],
    ] as const) {
      const asked = await ask(operationId, { path, ...json({ ...more, guard: [] }) });
      expect(asked).toMatchObject({ status: 422, disagreement: undefined });
      const item = { loc: ["body", "guard"], msg: "Input should be a valid dictionary", type: "dict_type" };
      expect(JSON.parse(asked.text).detail).toMatchObject([item]);
    }
  });

  test("metadata of a message to an agent that is no object", async () => {
    const message = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "hello" }] };
    for (const operationId of ["sendToAgent", "streamToAgent"]) {
      const verb = operationId.replace("ToAgent", "");
      const path = `/a2a/agents/assistant/v1/message:${verb}?A2A-Version=1.0`;
      for (const body of [
        { message, metadata: "dme" },
        { message, configuration: false },
        { message, configuration: [] },
        { message: { ...message, metadata: 1 } },
      ]) {
        const asked = await ask(operationId, { path, ...json(body) });
        expect(asked).toMatchObject({ status: 400, disagreement: undefined });
      }
    }
  });

  test("an integer that no double holds", async () => {
    const path = "/workflows/publish-report/runs/r-1/resume";
    for (const last_event_index of ["9007199254740993", "-99999999999999999999"]) {
      const asked = await ask("resumeWorkflowRun", { path, ...form({ last_event_index }) });
      expect(asked).toMatchObject({ status: 422, disagreement: undefined });
    }
  });

  test.each(["user_id", "component_id", "error_contains"])("a longer %s of a list of jobs", async (name) => {
    const fits = await ask("listJobs", {
      path: `/queue/jobs?${name}=${encodeURIComponent("é".repeat(1000))}`,
    });
    expect(fits).toMatchObject({ status: 200, disagreement: undefined });
    const tooLong = await ask("listJobs", { path: `/queue/jobs?${name}=${"e".repeat(1001)}` });
    expect(tooLong).toMatchObject({ status: 400, disagreement: undefined });
    for (const operationId of ["cancelJobs", "requeueJobs"]) {
      const many = await ask(operationId, json({ [name]: "e".repeat(1001) }));
      expect(many).toMatchObject({ status: 422, disagreement: undefined });
    }
  });
});

describe("what the fuzz has come upon", () => {
  test.each([{ " #;": null }, { extra: 1 }, { result: {} }])(
    "a call with %j, which JSON-RPC has not",
    async (more) => {
      const call = { jsonrpc: "2.0", id: 1, method: "tools/list", ...more };
      const accept = "application/json, text/event-stream";
      const { headers, body } = json(call);
      const asked = await ask("callMcp", { headers: { ...headers, accept }, body });
      expect(asked).toMatchObject({ status: 400, disagreement: undefined });
    },
  );

  test("schedules with more attempts than one answer has", async () => {
    const asked = await ask("listSchedules", { path: "/schedules?latest_runs=20&limit=1000" });
    expect(asked).toMatchObject({ status: 400, disagreement: undefined });
  });

  test("a change of cases that changes none, and a new one without an input", async () => {
    const path = "/eval-datasets/dataset_none/cases";
    for (const change of [{ set: [], remove: [] }, { set: [{}] }]) {
      const asked = await ask("changeDatasetCases", { path, ...json({ base_version: 1, ...change }) });
      expect(asked).toMatchObject({ status: 422, disagreement: undefined });
    }
  });

  test("metadata of files that are no objects are ignored", async () => {
    const fields = { message: "hello", stream: "false" };
    for (const files_metadata of ['["no object"]', '"text"', "no JSON"]) {
      const path = "/agents/assistant/runs";
      const asked = await ask("createAgentRun", { path, ...form({ ...fields, files_metadata }) });
      expect(asked).toMatchObject({ status: 200, disagreement: undefined });
    }
  });
});

test("a part of a form without a name is ignored, in either encoding", async () => {
  const path = "/agents/assistant/runs";
  const parts = [
    ["message", "hello"],
    ["stream", "false"],
    ["", "nameless"],
  ];
  const sent = parts
    .map(([name, text]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`)
    .join("");
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const multipart = await ask("createAgentRun", { path, headers, body: `${sent}--b--\r\n` });
  const urlencoded = await ask("createAgentRun", { path, ...form(Object.fromEntries(parts)) });
  for (const asked of [multipart, urlencoded]) {
    expect(asked).toMatchObject({ status: 200, disagreement: undefined });
  }
});

describe("a body that is no form is not read as an empty one", () => {
  // The chats are off on this platform; test/webhooks sends them what is no form.
  const taking = operations.filter(
    ({ requestBody, path }) => requestBody?.content["multipart/form-data"] && !path.startsWith("/slack/"),
  );

  test.each(taking.map(({ operationId }) => operationId))("%s", async (operationId) => {
    const path = operationOf(operationId).path.replace(/\{[^}]*\}/g, "assistant");
    for (const type of ["text/plain", "application/xml"]) {
      const { status, text } = await ask(operationId, {
        path,
        headers: { "content-type": type },
        body: '"text"',
      });
      expect([status, text]).toEqual([422, expect.stringContaining(`takes a form, not ${type}`)]);
      expect(JSON.parse(text).detail).toMatchObject([{ loc: ["body"] }]);
    }
  });

  test("bytes without a type are refused too", async () => {
    const path = "/agents/assistant/runs/r-1/resume";
    const { status, text } = await ask("resumeAgentRun", { path, body: new Blob(["a=1"]) as never });
    expect([status, text]).toEqual([422, expect.stringContaining("content-type")]);
  });
});

/** Longer than any bound of a text in an address, and short enough to arrive. */
const LONG = "é".repeat(1400);

const isText = ({ type, enum: several, format, pattern, maxLength, anyOf }: JsonSchema): boolean =>
  type === "string" && [several, format, pattern, maxLength, anyOf].every((one) => one === undefined);

const texts = operations.flatMap(({ operationId, method, parameters = [] }) =>
  parameters
    .filter((one) => one.in === "query" && method === "GET" && isText(one.schema))
    .map(({ name }) => [operationId, name] as const),
);

test.each(texts)("%s takes a long %s, because no bound of it is described", async (operationId, name) => {
  const { path, parameters = [] } = operationOf(operationId);
  const needed = parameters.filter((one) => one.in === "query" && one.required && one.name !== name);
  const query = new URLSearchParams([
    ...needed.map((one): [string, string] => [one.name, String(one.example)]),
    [name, LONG],
  ]);
  const asked = await ask(operationId, { path: `${path.replace(/\{[^}]*\}/g, "assistant")}?${query}` });
  expect(asked.disagreement).toBeUndefined();
  expect(asked.status).toBeLessThan(500);
});
