import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send } from "../../support/a2a-world.ts";
import { clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** Kits of A2A that send a body with GET: CloudFront refuses them before anything of ours sees them, the HTTP API serves them. */
const scopes = ["agents:run", "agents:read"];
const ROOT = "/a2a/agents/assistant";

/** A task of a finished run, asked for by a GET with a body. @returns its status and what it was answered */
async function taskByGetWithBody(
  platform: TestPlatform,
): Promise<{ status: number; id: string; got: unknown }> {
  const token = platform.token("maria", scopes);
  const maria = clientOf(platform.url, token);
  const sent = await send(maria, ROOT, "hello");
  expect(sent.status).toBe(200);
  const { id } = sent.json.task;
  const asking = request(`${platform.url}${ROOT}/v1/tasks/${id}`, {
    method: "GET",
    headers: {
      authorization: `Bearer ${token}`,
      "a2a-version": "1.0",
      "content-type": "application/json",
      "content-length": 2,
    },
  });
  asking.end("{}");
  const [response] = (await once(asking, "response")) as [IncomingMessage];
  const { statusCode: status = 0 } = response;
  if (status !== 200) response.resume();
  return { status, id, got: status === 200 ? await json(response) : undefined };
}

describe("a GET with a body", () => {
  const platforms: TestPlatform[] = [];
  const start = async (env: Record<string, string>) => {
    const platform = await startPlatform({ env });
    platforms.push(platform);
    return platform;
  };
  let direct: TestPlatform;
  beforeAll(async () => {
    direct = await start({ EDGE: "http-api" });
  });
  afterAll(() => Promise.all(platforms.map((platform) => platform.stop())));

  test("is served where the HTTP API is the address of the service", async () => {
    const { status, id, got } = await taskByGetWithBody(direct);
    expect(status).toBe(200);
    expect(got).toMatchObject({ id, status: { state: "TASK_STATE_COMPLETED" } });
  });

  test("is refused by CloudFront, as it is deployed by default", async () => {
    expect((await taskByGetWithBody(await start({}))).status).toBe(403);
  });

  test("does not change what else is served there: the card, and a stream, whole at its end", async () => {
    const client = clientOf(direct.url, direct.token("maria", scopes));
    const card = await client.get(`${ROOT}/.well-known/agent-card.json`);
    expect(card.status).toBe(200);
    for (const { url } of card.json.supportedInterfaces ?? []) expect(url).toContain(direct.url);
    const { text, status } = await client.post("/agents/assistant/runs", {
      form: { message: "hello", stream: "true" },
    });
    expect(status).toBe(200);
    expect(text).toContain("event: RunCompleted");
  });
});
