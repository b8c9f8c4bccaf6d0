import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { settingSources, sourceLine } from "../../package/doctor/setting-sources.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-platform-sources-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("each setting, key and secret has its place, in the order in which places count, and no value is shown", () => {
  writeFileSync(join(folder, ".env.local"), "CRM_KEY=hidden-1\nMAX_ATTEMPTS=7\n");
  writeFileSync(join(folder, ".env"), "CRM_KEY=hidden-2\nMAIL_KEY=hidden-3\nOPENAI_API_KEY=hidden-4\n");
  const sources = settingSources({
    config: { settings: { max_attempts: 3, model: "scripted" }, local: { max_attempts: 2 } },
    environment: { OPENAI_API_KEY: "hidden-5", HOME: "/home/ada" },
    folder,
    secrets: ["CRM_KEY", "MAIL_KEY", "LOST_KEY"],
    mapped: { CRM_KEY: "prod/crm" },
  });
  expect(sources.map(sourceLine)).toEqual([
    // A file gives no settings, and the model of a deployment is not that of this machine.
    "MAX_ATTEMPTS: the config's local, before the config's settings",
    "OPENAI_API_KEY: environment, before .env",
    "CRM_KEY: .env.local, before .env, Secrets Manager (prod/crm), when deployed",
    "MAIL_KEY: .env",
    "LOST_KEY: nowhere",
  ]);
  expect(JSON.stringify(sources)).not.toContain("hidden");
});
