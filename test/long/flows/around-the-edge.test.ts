import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EDGE_HEADER } from "../../../shared/runtime/edge-secret.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

const dataDir = mkdtempSync(join(tmpdir(), "around-the-edge-"));
const secretFile = join(dataDir, "secrets", "agent-platform-local-edge-local");
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ dataDir, env: { A2A_ENABLED: "true" } });
});
afterAll(async () => {
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const secret = (): { current: string; previous?: string } => JSON.parse(readFileSync(secretFile, "utf8"));

function ask(base: string, path: string, headers: Record<string, string> = {}) {
  return fetch(base + path, { headers: { authorization: `Bearer ${platform.adminToken}`, ...headers } });
}

/** A path that each origin serves. */
const served: readonly (readonly [origin: string, path: string])[] = [
  ["RunsStream", "/agents/assistant/runs?session_id=none"],
  ["A2aStream", "/a2a/agents/assistant/.well-known/agent-card.json"],
  ["api", "/sessions"],
];

test("every origin of the distribution is tried here", () => {
  expect(Object.keys(platform.origins).toSorted()).toEqual(served.map(([origin]) => origin).toSorted());
});

describe.each(served)("%s", (origin, path) => {
  const direct = (headers?: Record<string, string>) => ask(platform.origins[origin] ?? "", path, headers);

  test("a request through CloudFront is served", async () => {
    expect((await ask(platform.url, path)).status).not.toBe(403);
  });

  test("a direct request is refused, with a good credential and whatever it says of itself", async () => {
    expect((await direct()).status).toBe(403);
    expect((await direct({ [EDGE_HEADER]: "x".repeat(48) })).status).toBe(403);
    expect((await direct({ [EDGE_HEADER]: "" })).status).toBe(403);
    expect((await direct({ via: "2.0 cloudfront", "x-amz-cf-id": "a" })).status).toBe(403);
  });

  test("what a client sends under the header's name does not get past CloudFront", async () => {
    expect((await ask(platform.url, path, { [EDGE_HEADER]: "nonsense" })).status).not.toBe(403);
  });
});

test("neither the environment of a function nor an answer holds the secret", async () => {
  const { current } = secret();
  expect(JSON.stringify(platform.model.functions)).not.toContain(current);
  expect(await (await ask(platform.url, "/config")).text()).not.toContain(current);
});

test("an agent card names the address that the client asked, never an origin's", async () => {
  const card = await (await ask(platform.url, "/a2a/agents/assistant/.well-known/agent-card.json")).text();
  expect(card).toContain(platform.url);
  expect(card).not.toMatch(/lambda-url|execute-api/);
  for (const origin of Object.values(platform.origins)) expect(card).not.toContain(origin);
  const spoofed = await ask(platform.url, "/a2a/agents/assistant/.well-known/agent-card.json", {
    "x-forwarded-host": "evil.example",
  });
  expect(await spoofed.text()).not.toContain("evil.example");
});

test("while the secret cannot be read, requests are asked to come back, and none gets through", async () => {
  const other = await startPlatform({ env: { A2A_ENABLED: "true" } });
  try {
    other.faults.set(({ service }) =>
      service === "secretsmanager"
        ? { status: 500, type: "InternalServiceError", message: "down" }
        : undefined,
    );
    for (const [, path] of served) {
      const headers = { authorization: `Bearer ${other.adminToken}` };
      const answer = await fetch(other.url + path, { headers });
      expect([answer.status, await answer.json()]).toMatchObject([503, { error_code: "UNAVAILABLE" }]);
    }
  } finally {
    await other.stop();
  }
});

test("after a rotation both values are accepted, and what no value is still is not", async () => {
  const { current } = secret();
  const next = "n".repeat(48);
  const [origin = "", path = ""] = served[0] ?? [];
  const direct = (value: string) => ask(platform.origins[origin] ?? "", path, { [EDGE_HEADER]: value });
  expect((await direct(current)).status).not.toBe(403);
  writeFileSync(secretFile, JSON.stringify({ current: next, previous: current }));
  // A value that does not match is looked up again after ten seconds.
  await expect.poll(async () => (await direct(next)).status, { interval: 500 }).not.toBe(403);
  expect((await direct(current)).status).not.toBe(403);
  expect((await direct("o".repeat(48))).status).toBe(403);
  expect((await ask(platform.url, path)).status).not.toBe(403);
});
