import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf, framesOf, orderOf } from "../../support/client.ts";
import { everythingStored } from "../../support/everything-stored.ts";
import { WITHHELD } from "../../support/guard-registry/index.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type StoreView, viewStores } from "../../support/stored.ts";
import { allBut, specialRegistry } from "../../support/test-registry.ts";

/** What a guard of the output withholds is nowhere, unless the component keeps it for admins. */
const dataDir = mkdtempSync(join(tmpdir(), "platform-"));
let platform: TestPlatform;
let stores: StoreView;
let admin: Client;
let maria: Client;
beforeAll(async () => {
  platform = await startPlatform({
    dataDir,
    registry: specialRegistry,
    without: allBut("runs", "sessions", "worker"),
  });
  stores = viewStores(platform);
  admin = clientOf(platform.url, platform.adminToken);
  maria = clientOf(
    platform.url,
    platform.token("maria", ["agents:run", "agents:read", "sessions:read", "traces:read"]),
  );
});
afterAll(async () => {
  stores?.close();
  await platform?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What the guard refuses, as JSON has it. The message has its parts alone, so that whoever has it has it from the model. */
const SECRET = "password\\nis tulip";
const message = '[[tool:word {"words":"password"}]][[tool:word {"words":"is tulip"}]]';
const streamed = (text: string) =>
  framesOf(text)
    .map(({ event, data }) => (event === "RunContent" ? data.content : ""))
    .join("");
const stored = async () =>
  (await everythingStored(stores, dataDir)).filter(({ text }) => /password(?:\\+n|\n)is tulip/.test(text));
const ask = (agent: string, form: Record<string, string> = {}) =>
  maria.post(`/agents/${agent}/runs`, { form: { message, stream: "false", ...form } });

describe("an answer that a guard refuses", () => {
  test("is in no answer, no record and no trace of a run that is waited for", async () => {
    const { text, json } = await ask("guarded");
    expect(json).toMatchObject({ status: "ERROR", content: WITHHELD });
    const shown = await Promise.all([
      maria.get(`/agents/guarded/runs/${json.run_id}?session_id=${json.session_id}`),
      maria.get(`/sessions/${json.session_id}/runs`),
      maria.get(`/sessions/${json.session_id}`),
      admin.get(`/agents/guarded/runs/${json.run_id}?session_id=${json.session_id}`),
      maria.get("/traces"),
    ]);
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect([text, ...shown.map((one) => one.text)].filter((one) => one.includes(SECRET))).toEqual([]);
    expect(shown[3]?.json).not.toHaveProperty("withheld");
    expect(await stored()).toEqual([]);
  });

  test("is not streamed, nor sent to who resumes the stream", async () => {
    const { text } = await ask("guarded", { stream: "true" });
    expect(orderOf(framesOf(text)).slice(-3)).toEqual(["RunContentCompleted", "PostHookStarted", "RunError"]);
    const { run_id, session_id } = framesOf(text)[0]?.data ?? {};
    const again = await maria.post(`/agents/guarded/runs/${run_id}/resume`, {
      form: { session_id: String(session_id) },
    });
    expect(streamed(text) + streamed(again.text)).toBe("");
    expect(await stored()).toEqual([]);
  });

  test("is nowhere where the queue executed the run", async () => {
    const { json } = await ask("guarded", { background: "true" });
    const at = `/agents/guarded/runs/${json.run_id}?session_id=${json.session_id}`;
    await expect.poll(async () => (await maria.get(at)).json.status).toBe("ERROR");
    expect(await stored()).toEqual([]);
  });

  test("is not shown to a later run of its session", async () => {
    const { json } = await ask("guarded");
    const again = await maria.post(`/agents/guarded/runs/${json.run_id}/continue`, {
      form: { session_id: json.session_id, stream: "false", input: "And?" },
    });
    expect(again.text).not.toContain(SECRET);
    expect(await stored()).toEqual([]);
  });
});

describe("a component that keeps what is withheld", () => {
  test("streams it at once, stores the reason, and shows the text to admins alone", async () => {
    const { text } = await ask("audited", { stream: "true" });
    expect(streamed(text)).toBe("password\nis tulip");
    const { run_id, session_id } = framesOf(text)[0]?.data ?? {};
    const at = `/agents/audited/runs/${run_id}?session_id=${session_id}`;
    const resumed = await maria.post(`/agents/audited/runs/${run_id}/resume`, {
      form: { session_id: String(session_id) },
    });
    const own = await maria.get(at);
    expect(`${own.text}${resumed.text}`).not.toContain(SECRET);
    expect(streamed(resumed.text)).toBe("");
    expect((await admin.get(at)).json).toMatchObject({
      content: WITHHELD,
      withheld: [{ run_id, hook: "no_passwords", error_id: "password", text: "password\nis tulip" }],
    });
    const places = (await stored()).map(({ where }) => where.replace(/#[\w-]+$/, ""));
    expect(places).toEqual([`runs run#${run_id} withheld`]);
    await admin.call("DELETE", `/sessions/${session_id}`);
    await expect.poll(stored).toEqual([]);
  });
});
