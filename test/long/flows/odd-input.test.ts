import { describe, expect } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
let admin: Client;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
});

describe("the subject of a token", () => {
  const paths = [
    "/sessions",
    "/memories",
    "/schedules",
    "/approvals",
    "/traces",
    "/eval-runs",
    "/metrics",
    "/config",
  ];
  const LONGEST = 1000;

  test.each([
    ["is longer than a key can hold", "x".repeat(LONGEST + 1)],
    ["is longer than a key can hold when it is encoded", "\u00fc".repeat(LONGEST / 6 + 1)],
    ["is much longer", "x".repeat(4000)],
    ["is cut within a character", "maria\ud83d"],
    ["begins within a character", "\ude00maria"],
  ])("that %s is no subject", async (_what, sub) => {
    for (const scopes of [["platform:admin"], ["sessions:read", "agents:run"]]) {
      const client = clientOf(platform.url, platform.token(sub, scopes));
      const answers = await Promise.all([...paths.map((path) => client.get(path)), client.run("hello")]);
      for (const { status, json } of answers) {
        expect([status, json.detail]).toEqual([401, "Invalid token subject"]);
      }
    }
  });

  test.each([["x".repeat(LONGEST)], ["\u00fc".repeat(LONGEST / 6)], ["\u{1f600}"], ["a/../b#c%00"]])(
    "that fits owns what it makes: %j",
    async (sub) => {
      const scopes = ["agents:run", "sessions:read", "memories:read", "schedules:read", "traces:read"];
      const client = clientOf(platform.url, platform.token(sub, scopes));
      expect((await client.run("hello")).json.user_id).toBe(sub);
      expect((await client.get("/sessions?limit=1")).json.meta.total_count).toBe(1);
      for (const path of ["/memories", "/schedules", "/traces"])
        expect((await client.get(path)).status).toBe(200);
    },
  );
});

describe("half a character", () => {
  const json = { "content-type": "application/json" };
  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string | Uint8Array<ArrayBuffer>,
  ) =>
    fetch(`${platform.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${platform.adminToken}`, ...headers },
      ...(body !== undefined && { body }),
    });
  const half = "%ED%A0%80";
  const utf16 = "text/plain; charset=utf-16le";
  const part = (name: string, type: string, value: Buffer) =>
    Buffer.concat([
      Buffer.from(`--x\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n`),
      value,
      Buffer.from("\r\n"),
    ]);
  const multipart = () =>
    new Uint8Array(
      Buffer.concat([
        part("message", utf16, Buffer.from("a\ud83d", "utf16le")),
        part("session_id", utf16, Buffer.from("s\ud83d", "utf16le")),
        part("stream", "text/plain", Buffer.from("false")),
        Buffer.from("--x--\r\n"),
      ]),
    );

  test.each<[string, number, () => Promise<Response>]>([
    ["a path", 404, () => send("GET", `/sessions/${half}`)],
    ["a query", 200, () => send("GET", `/sessions?session_name=${half}&user_id=${half}`)],
    ["a key of JSON", 201, () => send("POST", "/sessions", json, '{"session_state":{"\\ud83d":"\\ude00"}}')],
    ["an id in JSON", 201, () => send("POST", "/sessions", json, '{"session_id":"s\\ud83d"}')],
    [
      "a scope",
      201,
      () => send("POST", "/service-accounts", json, '{"name":"odd","scopes":[{"scope":"a:\\ud83d:b"}]}'),
    ],
    [
      "a header",
      202,
      () =>
        send(
          "POST",
          "/agents/assistant/runs",
          { "idempotency-key": "\u00ed\u00a0\u0080", "content-type": "application/x-www-form-urlencoded" },
          "message=hi&stream=false&background=true",
        ),
    ],
    [
      "a form",
      200,
      () =>
        send(
          "POST",
          "/agents/assistant/runs",
          { "content-type": "application/x-www-form-urlencoded" },
          `message=${half}&stream=false&session_id=${half}`,
        ),
    ],
    [
      "a part in UTF-16",
      200,
      () =>
        send(
          "POST",
          "/agents/assistant/runs",
          { "content-type": "multipart/form-data; boundary=x" },
          multipart(),
        ),
    ],
  ])("in %s is answered %i", async (_where, status, ask) => {
    expect((await ask()).status).toBe(status);
  });
});

describe("a name that every object has", () => {
  const names = ["constructor", "__proto__", "prototype", "toString", "hasOwnProperty"];
  const member = (name: string, value: string) => `{${JSON.stringify(name)}:${JSON.stringify(value)}}`;
  const post = (path: string, body: string) =>
    fetch(`${platform.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${platform.adminToken}`, "content-type": "application/json" },
      body,
    });

  test("is refused where JavaScript would take it for an object's prototype", async () => {
    for (const body of ['{"query":"x","filters":{"__proto__":"x"}}', '{"constructor":{"prototype":{}}}']) {
      const answer = await post("/knowledge/search", body);
      const { detail } = (await answer.json()) as { detail: unknown };
      expect([answer.status, detail]).toMatchObject([
        422,
        [{ type: "json_invalid", loc: ["body", body.length] }],
      ]);
    }
  });

  const harmless = names.filter((name) => name !== "__proto__");
  test.each(harmless)("filters a search as any other: %s", async (name) => {
    const form = { name: "note", text_content: "lemurs sleep in trees" };
    const { json: content } = await admin.post("/knowledge/content", { form });
    const status = async () => (await admin.get(`/knowledge/content/${content.id}/status`)).json.status;
    await expect.poll(status).toBe("completed");
    const search = async (filters: string): Promise<unknown[]> => {
      const answer = await post("/knowledge/search", `{"query":"lemurs","filters":${filters}}`);
      return ((await answer.json()) as { data: unknown[] }).data;
    };
    expect((await search("{}")).length).toBeGreaterThan(0);
    expect(await search(member(name, "x"))).toEqual([]);
  });

  const plain = (name: string) => name.replaceAll("_", "");
  const workflow = async (component_id: string, step: object) => {
    const json = {
      name: "Odd",
      component_type: "workflow",
      component_id,
      stage: "published",
      config: { steps: [step] },
    };
    const created = await admin.post("/components", { json });
    const form = { message: "hello", stream: "false" };
    return { created, run: await admin.post(`/workflows/${component_id}/runs`, { form }) };
  };

  test.each(names)("is no registered function: %s", async (name) => {
    const { created, run } = await workflow(`calls-${plain(name)}`, { name: "first", executor_ref: name });
    expect([created.status, run.status].filter((status) => status >= 500)).toEqual([]);
    expect(`${created.text} ${run.text}`).toContain(`function ${name} is not registered`);
  });

  test.each(names)("names a step that runs, or is refused with the reason: %s", async (name) => {
    const { created, run } = await workflow(`step-${plain(name)}`, { name, agent_id: "assistant" });
    if (name === "toString" || name === "hasOwnProperty") {
      expect(run.json).toMatchObject({ status: "COMPLETED", content: "You said: hello" });
    } else {
      expect([created.status, run.status]).toEqual([422, 404]);
      expect(created.json.detail).toContain(`cannot have the name ${name}`);
    }
  });

  test.each(harmless)("is kept in the config of a component: %s", async (name) => {
    const id = `holds-${plain(name)}`;
    const config = `{"instructions":"x","metadata":${member(name, "y")}}`;
    const body = `{"name":"Odd","component_type":"agent","component_id":"${id}","config":${config}}`;
    expect((await post("/components", body)).status).toBe(201);
    const { text } = await admin.get(`/components/${id}/configs/current`);
    expect(text).toContain(member(name, "y"));
  });

  test.each(names)("answers no step of a paused workflow: %s", async (name) => {
    const { json: run } = await admin.post("/workflows/publish-report/runs", {
      form: { message: "bees", stream: "false" },
    });
    expect(run.status).toBe("PAUSED");
    const answer = await admin.post(`/workflows/publish-report/runs/${run.run_id}/continue`, {
      form: {
        session_id: run.session_id,
        stream: "false",
        step_requirements: JSON.stringify([{ step_id: name, confirmed: true }]),
      },
    });
    expect(answer.status).toBe(400);
  });
});
