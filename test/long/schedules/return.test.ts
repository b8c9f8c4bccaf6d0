import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

const dataDir = mkdtempSync(join(tmpdir(), "return-"));
let platform: TestPlatform | undefined;
afterAll(async () => {
  await platform?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Names of the entries that the scheduler has on disk. */
function entries(): string[] {
  const db = new DatabaseSync(join(dataDir, "scheduler.db"), { readOnly: true });
  const rows = db.prepare("SELECT name FROM entries ORDER BY name").all();
  db.close();
  return rows.map(({ name }) => String(name));
}

/** What the removal of the service stack does to schedules: their group goes with its entries, the tables stay. */
function removeGroup(): void {
  for (const file of readdirSync(dataDir).filter((name) => name.startsWith("scheduler.db")))
    rmSync(join(dataDir, file));
}

test("schedules fire again as soon as the service is back, also those of just before it was removed", async () => {
  platform = await startPlatform({ dataDir });
  const admin = clientOf(platform.url, platform.adminToken);
  const body = { name: "nightly", cron_expr: "0 9 13 * 5", endpoint: "/agents/assistant/runs" };
  expect((await admin.post("/schedules", { json: body })).status).toBe(201);
  const disabled = await admin.post("/schedules", { json: { ...body, name: "off" } });
  await admin.post(`/schedules/${disabled.json.id}/disable`, {});
  const before = entries();
  expect(before).toHaveLength(2);
  await platform.stop();
  removeGroup();
  // The service shows in seconds when a group was made.
  await pause(1000);
  platform = await startPlatform({ dataDir });
  await expect.poll(entries).toEqual(before);
  // It was no accident, so no alarm is raised.
  expect(platform.lines.join("\n")).not.toMatch(/would not have fired|had no entry/);
});
