import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDocx, aPdf, aZip } from "../../knowledge/sample-files.ts";
import { type Client, clientOf } from "../../support/client.ts";
import {
  type HostileModel,
  protocols,
  startHostileModel,
} from "../../support/hostile-model/start-hostile-model.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { specialRegistry } from "../../support/test-registry.ts";

/** Uploads through the deployed bundles: the readers work in the process that is bundled beside each function. */
let platform: TestPlatform;
let model: HostileModel;
let client: Client;
beforeAll(async () => {
  model = await startHostileModel();
  platform = await startPlatform({
    registry: specialRegistry,
    without: [
      "a2a",
      "components",
      "config",
      "eval-worker",
      "evals",
      "memories",
      "platform",
      "runnables",
      "schedules",
      "sessions",
    ],
    env: { ...model.environment },
  });
  client = clientOf(platform.url, platform.adminToken);
}, 600_000);
afterAll(async () => {
  await platform?.stop();
  await model?.stop();
});

const SAID = "The ferry leaves at nine.";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const uploads: readonly (readonly [name: string, type: string, bytes: Uint8Array | string])[] = [
  ["notes.txt", "text/plain", SAID],
  ["table.csv", "text/csv", `what,when\nferry,${SAID}`],
  ["data.json", "application/json", JSON.stringify({ said: SAID })],
  ["plan.docx", DOCX, aDocx([SAID])],
  ["plan.pdf", "application/pdf", aPdf([SAID])],
  ["all.zip", "application/zip", aZip({ "inner.txt": SAID })],
];

function send(provider: string, plan: string, background: boolean, files: typeof uploads) {
  const form = new FormData();
  form.set("message", plan);
  form.set("stream", "false");
  form.set("background", String(background));
  for (const [name, type, bytes] of files)
    form.append("files", new Blob([Buffer.from(bytes)], { type }), name);
  return client.post(`/agents/${provider}-clerk/runs`, { form });
}

describe.each(protocols.map(({ provider }) => provider))("%s", (provider) => {
  test.each([false, true])(
    "gets every file that it takes or a reader reads; background: %s",
    async (background) => {
      const plan = `plan-${provider}-files-${background}`;
      const { requests } = model.plan(plan, [{ text: ["Nine."] }]);
      expect((await send(provider, plan, background, uploads)).status).toBe(background ? 202 : 200);
      await expect.poll(() => requests.length).toBe(1);
      const body = JSON.stringify(requests[0]?.body);
      for (const [name, , bytes] of uploads) {
        const isNative = body.includes(Buffer.from(bytes).toString("base64"));
        const text = body.split(`[file: ${name}`)[1]?.split("[end of")[0] ?? "";
        expect([name, isNative || text.includes(SAID)]).toEqual([name, true]);
      }
    },
  );

  test("refuses by name what it cannot be shown", async () => {
    const video = ["clip.webm", "video/webm", "x"] as const;
    const refused = await send(provider, `plan-${provider}-refused`, false, [video]);
    expect(refused).toMatchObject({ status: 400, json: { detail: expect.stringContaining("clip.webm") } });
  });
});
