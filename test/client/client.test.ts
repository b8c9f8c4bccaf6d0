import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient, PlatformError } from "../../client/index.ts";
import { clientFile, clientSource } from "../../scripts/generate-client.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";

test("the operations are those of the route table (npm run client writes them)", () => {
  expect(readFileSync(clientFile, "utf8")).toBe(clientSource());
});

describe("against a platform", () => {
  let platform: TestPlatform;
  let client: Client;
  beforeAll(async () => {
    platform = await startPlatform();
    client = createClient({ baseUrl: platform.url, token: platform.adminToken });
  });
  afterAll(() => platform?.stop());

  const path = { agent_id: "assistant" };

  test("a run is waited for, its values encoded as a form carries them", async () => {
    const session_state = { colour: "blue" };
    const run = await client.createAgentRun({ path, body: { message: "hi", session_state } });
    expect(run).toMatchObject({ status: "COMPLETED", content: "You said: hi", session_state });
  });

  test("a stream is read event by event", async () => {
    const events: string[] = [];
    let said = "";
    for await (const { event, data } of client.stream("createAgentRun", { path, body: { message: "hi" } })) {
      events.push(event);
      if (event === "RunContent") said += data.content;
    }
    expect([events[0], events.at(-1), said]).toEqual(["RunStarted", "RunCompleted", "You said: hi"]);
  });

  test("whoever stops listening closes the connection, and the run is cancelled", async () => {
    const body = { message: "[[sleep:20000]] late", session_id: crypto.randomUUID() };
    for await (const { event } of client.stream("createAgentRun", { path, body })) {
      if (event === "RunStarted") break;
    }
    const status = async () => {
      const runs = await client.listAgentRuns({ path, query: { session_id: body.session_id } });
      return JSON.stringify(runs);
    };
    await expect.poll(status).toContain('"CANCELLED"');
  });

  test("files travel as parts of a form", async () => {
    const files = [new File(["The answer is 42."], "answer.txt", { type: "text/plain" })];
    const run = await client.createAgentRun({ path, body: { message: "read it", files } });
    expect(JSON.stringify(run)).toContain("answer.txt");
  });

  test("JSON, queries, lists and empty answers work", async () => {
    const { session_id } = await client.createSession({ body: { session_name: "mine" } });
    const { data } = await client.listSessions({ query: { session_name: "mine", limit: 5 } });
    expect(data.map((one) => one.session_id)).toEqual([session_id]);
    expect(await client.removeSession({ path: { session_id } })).toBeUndefined();
    expect(await client.listAgents()).toContainEqual(expect.objectContaining({ id: "assistant" }));
  });

  test("a refusal is thrown with its status, its code and the request's id", async () => {
    const asked = client.getSession({ path: { session_id: "unknown" } });
    const error = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ status: 404, code: "NOT_FOUND", requestId: expect.any(String) });
  });

  test("a token may be asked for before every request", async () => {
    let asked = 0;
    const token = async () => {
      asked += 1;
      return platform.adminToken;
    };
    const renewed = createClient({ baseUrl: `${platform.url}/`, token });
    await renewed.listAgents();
    await renewed.listTeams();
    expect(asked).toBe(2);
  });
});
