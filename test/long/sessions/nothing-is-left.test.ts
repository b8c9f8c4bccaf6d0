import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { everythingStored, type Place } from "../../support/everything-stored.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type StoreView, viewStores } from "../../support/stored.ts";

const dataDir = mkdtempSync(join(tmpdir(), "nothing-is-left-"));
let platform: TestPlatform;
let view: StoreView;
let maria: Client;
let admin: Client;
beforeAll(async () => {
  // As `npm start` has it: runs are traced.
  platform = await startPlatform({ dataDir, env: { TRACING: "" } });
  view = viewStores(platform);
  const families = ["sessions", "schedules", "evals", "memories", "learnings", "approvals"];
  const scopes = families.flatMap((family) => [`${family}:read`, `${family}:write`, `${family}:delete`]);
  maria = clientOf(
    platform.url,
    platform.token("maria", [...scopes, "agents:read", "agents:run", "teams:run", "workflows:run"]),
  );
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(async () => {
  view.close();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What is said begins with this, and ends with where it was said. */
const MARK = "swordfish";
const ESCAPED = "sword\\u0066ish";
const run = (agent: string, message: string, form: Record<string, string> = {}) =>
  maria.post(`/agents/${agent}/runs`, { form: { message, stream: "false", ...form } });

const marksIn = (places: readonly Place[]): string[] =>
  [...new Set(places.flatMap(({ text }) => text.match(new RegExp(`${MARK}-[a-z]+`, "g")) ?? []))].sort();

/** What a user stores outside of the session and deletes there: a schedule with its order. */
const isOrder = ({ where }: Place): boolean => where.startsWith("schedules ") && where.endsWith(" schedule");
const saidIn = async () =>
  (await everythingStored(view, dataDir)).filter((place) => place.text.includes(MARK) && !isOrder(place));

describe("after its sessions are deleted, nothing is left of what was said", () => {
  const sessions = new Set<string>();

  test("what is planted is stored, in every place that there is", async () => {
    const session_id = "said";
    sessions.add(session_id);
    const form = new FormData();
    form.set("message", `${MARK}-message`);
    form.set("stream", "false");
    form.set("session_id", session_id);
    form.set("files", new Blob([`${MARK}-file`], { type: "text/plain" }), "note.txt");
    expect((await maria.post("/agents/assistant/runs", { form })).status).toBe(200);

    // A job that ended, one that failed, and one whose payload is too large for its item.
    for (const message of [
      `${MARK}-background`,
      `[[fail:${MARK}-error]]`,
      `${MARK}-large ${Array.from({ length: 20_000 }, () => Math.random().toString(36)).join(" ")}`,
    ]) {
      await maria.settled(await maria.submit(message, { session_id }));
    }

    const tool = `[[tool:remember_name {"name":"${MARK}-tool"}]]`;
    const asked = (await run("concierge", tool, { session_id: "said-to-tools" })).json;
    sessions.add(asked.session_id);

    // An approval that was resolved with a note, and one that is pending.
    for (const name of ["resolved", "pending"]) {
      const paused = (await run("account-desk", `[[tool:close_account {"account":"${MARK}-approval"}]]`))
        .json;
      expect(paused.status).toBe("PAUSED");
      sessions.add(paused.session_id);
      if (name === "pending") continue;
      const resolution_data = { note: `${MARK}-note` };
      const json = { status: "approved", resolution_data };
      expect((await admin.post(`/approvals/${paused.tools[0].approval_id}/resolve`, { json })).status).toBe(
        200,
      );
    }

    // Attempts of a schedule: one that ended, one that failed, and one that pauses.
    for (const [name, agent, message] of [
      ["succeeds", "assistant", `${MARK}-schedule`],
      ["fails", "assistant", `[[fail:${MARK}-attempt]]`],
      ["pauses", "account-desk", `[[tool:close_account {"account":"${MARK}-paused"}]]`],
    ]) {
      const json = {
        name,
        cron_expr: "0 0 29 2 *",
        endpoint: `/agents/${agent}/runs`,
        payload: { message },
      };
      const schedule = (await maria.post("/schedules", { json })).json;
      const attempt = (await maria.post(`/schedules/${schedule.id}/trigger`)).json;
      sessions.add(attempt.session_id);
    }

    // The source of a memory and of a learning about the session.
    const remembered = '[[remember:{"memory":"Sails.","topics":[]}]]';
    const companionRun = (await run("companion", `${MARK}-source ${remembered}`)).json;
    sessions.add(companionRun.session_id);
    const learned = { session_id: companionRun.session_id, content: { summary: `${MARK}-learning` } };
    const json = { learning_type: "session_context", user_id: "maria", ...learned };
    expect((await maria.post("/learnings", { json })).status).toBe(201);

    const evaluated = await maria.post("/eval-runs", {
      json: {
        agent_id: "concierge",
        eval_type: "accuracy",
        input: `[[tool:remember_name {"name":"${ESCAPED}-answer"}]]`,
        expected_output: "hello",
        // The questions are the evaluation's own; what is answered to them has the mark only once it is parsed.
        additional_guidelines: `[[answer:{"score":9,"reason":"${ESCAPED}-verdict"}]]`,
      },
    });
    expect(evaluated.json.status).toBe("completed");
    sessions.add(`eval_${evaluated.json.id}_1`);

    await expect
      .poll(async () => marksIn(await saidIn()))
      .toEqual(
        [
          "answer",
          "approval",
          "attempt",
          "background",
          "error",
          "file",
          "large",
          "learning",
          "message",
          "note",
          "paused",
          "schedule",
          "source",
          "tool",
          "verdict",
        ].map((name) => `${MARK}-${name}`),
      );
    const tables = new Set((await saidIn()).map(({ where }) => where.split(" ")[0]));
    expect([...tables].filter((table) => !table?.startsWith("/")).sort()).toEqual([
      "approvals",
      "evals",
      "jobs",
      "learnings",
      "runs",
      "schedules",
      "sessions",
      "traces",
    ]);
  });

  test("and is gone afterwards, from all tables, objects, queues and the log", async () => {
    for (const id of sessions) expect((await maria.call("DELETE", `/sessions/${id}`)).status, id).toBe(204);
    await expect
      .poll(async () => (await saidIn()).map(({ where, text }) => `${where}: ${marksIn([{ where, text }])}`))
      .toEqual([]);
  });

  test("while the records that named it still answer, with ids and times", async () => {
    const { json: jobs } = await admin.get("/queue/jobs?status=failed");
    for (const { id } of jobs.data) {
      const { status, json } = await admin.get(`/queue/jobs/${id}`);
      expect([status, json.payload.input]).toEqual([200, ""]);
    }
    const { json: approvals } = await admin.get("/approvals");
    expect(approvals.data.length).toBeGreaterThan(0);
    for (const approval of approvals.data)
      expect(approval).toMatchObject({ tool_args: null, requirements: null });
  });
});
