import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { testSignIn } from "../../support/mcp-kit/authorization-server.ts";
import { testClient, testServer } from "../../support/mcp-kit/run-kit.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-"));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const scopes = ["agents:read", "agents:run", "sessions:read"];
const PASSED = /Total: (\d+) passed/;

/**
 * How many checks pass at least. Which ones may fail is the kit's to compare, but for those that it does not score: 144 pass of the later
 * revision, of which four give a run in the queue five seconds.
 */
const revisions = [
  { revision: "2025-11-25", ofServer: 42, ofClient: 12 },
  { revision: "2026-07-28", ofServer: 140, ofClient: 57 },
];

describe.each(revisions)(
  "the official kit finds what $revision requires",
  ({ revision, ofServer, ofClient }) => {
    test("in the server, but for what is expected to fail", async () => {
      const token = platform.token("mcp-kit", scopes);
      const { code, out } = await testServer(revision, folder, platform, token);
      expect(code, out).toBe(0);
      expect(Number(PASSED.exec(out)?.[1])).toBeGreaterThanOrEqual(ofServer);
    });

    test("in the tools of a run, but for what is expected to fail", async () => {
      const { code, out, err } = await testClient(revision, folder);
      expect(code, out + err).toBe(0);
      expect(Number(PASSED.exec(out)?.[1])).toBeGreaterThanOrEqual(ofClient);
    });
  },
);

test("the official kit finds the metadata of the sign-in, and signs in", async () => {
  expect(await testSignIn(platform, folder, scopes)).toContain("Total: 3 passed, 0 failed");
});
