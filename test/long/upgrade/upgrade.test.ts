import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../client/index.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { LONG } from "../../upgrade/furnish.ts";
import {
  delivered,
  type Recording,
  readRecording,
  recordedReleases,
  restore,
} from "../../upgrade/recording.ts";

type Address = Recording["made"]["ended"]["first"];

/** The stores of an earlier release, killed at work, under today's code and template. */
describe.each(recordedReleases())("what release %s has left", (release) => {
  const recording = readRecording(release);
  const { made } = recording;
  const dataDir = mkdtempSync(join(tmpdir(), "upgrade-"));
  let platform: TestPlatform;
  let admin: Client;
  let maria: Client;

  beforeAll(async () => {
    await restore(dataDir, delivered(recording, new Date()));
    // Its contents were embedded by the default of its time.
    platform = await startPlatform({ dataDir, context: { embedder: "local" } });
    const client = (token: string) => createClient({ baseUrl: platform.url, token });
    admin = client(platform.adminToken);
    const kinds = ["agents", "teams", "workflows", "schedules", "memories"];
    const scopes = kinds.flatMap((kind) => [`${kind}:read`, `${kind}:run`, `${kind}:write`]);
    maria = client(platform.token("maria", [...scopes, "sessions:read", "sessions:write"]));
  });
  afterAll(async () => {
    await platform?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const at = (agent_id: string, { run_id, session_id }: Address) => ({
    path: { agent_id, run_id },
    query: { session_id },
  });

  /**
   * A run that goes on in the background completes. Since 0.2.0 its code is that of its beginning, which the recording does not
   * have: as after `RUN_PIN_DAYS` it says so, and continues with today's when it is requeued.
   */
  async function completes(agent_id: string, run: Address): Promise<void> {
    const read = () => maria.getAgentRun(at(agent_id, run));
    const state = async () => (await read()).status;
    if (release !== "0.1.0") {
      await expect.poll(state).toBe("ERROR");
      expect((await read()).content).toMatch(/^the code that this run began with .* is not kept any more/);
      await admin.requeueJob({ path: { job_id: run.run_id }, query: { force: true } });
    }
    await expect.poll(state).toBe("COMPLETED");
  }

  test("its conversations are listed and read", async () => {
    const { data } = await maria.listSessions({ query: { limit: 100 } });
    const listed = data.map(({ session_id }) => session_id);
    const { first, background, failed, team, long } = made.ended;
    const waiting = Object.values(made.paused);
    for (const run of [first, background, failed, team, long, ...waiting])
      expect(listed).toContain(run.session_id);
    const talk = await maria.getSession({ path: { session_id: first.session_id } });
    const history = "chat_history" in talk ? (talk.chat_history ?? []) : [];
    expect(history.map(({ role, content }) => [role, content])).toEqual([
      ["user", "the first message"],
      ["assistant", "You said: the first message"],
      ["user", expect.stringContaining("sum")],
      ["assistant", undefined],
      ["assistant", "5"],
    ]);
    expect((await maria.getAgentRun(at("assistant", background))).content).toContain("in the background");
    expect(await maria.getAgentRun(at("assistant", failed))).toMatchObject({ status: "ERROR" });
    expect((await maria.getAgentRun(at("assistant", long))).content).toBe(`You said: ${LONG}`);
  });

  test("a conversation continues with what was said in it", async () => {
    const { session_id } = made.ended.first;
    const run = await maria.createAgentRun({
      path: { agent_id: "assistant" },
      body: { message: "the third message", session_id },
    });
    const said = run.messages?.map(({ content }) => content);
    expect(said).toContain("the first message");
    expect(run).toMatchObject({ status: "COMPLETED", session_id });
  });

  test("queued runs are executed, in the order of their session", async () => {
    const { agent, next, team } = made.queued;
    for (const run of [agent, next])
      await expect.poll(async () => (await maria.getAgentRun(at("assistant", run))).status).toBe("COMPLETED");
    const path = { team_id: "support-team", run_id: team.run_id };
    const query = { session_id: team.session_id };
    await expect.poll(async () => (await maria.getTeamRun({ path, query })).status).toBe("COMPLETED");
  });

  test("runs that were at work fail, and say why; an operator can requeue them", async () => {
    for (const run of made.atWork) {
      await expect.poll(async () => (await maria.getAgentRun(at("assistant", run))).status).toBe("ERROR");
      expect((await maria.getAgentRun(at("assistant", run))).content).toMatch(/worker/i);
    }
    const { data } = await admin.listJobs({ query: { status: ["failed"], limit: 50 } });
    const failed = data.map(({ id }) => id);
    for (const { run_id } of made.atWork) expect(failed).toContain(run_id);
  });

  test.each(["confirmation", "queued"] as const)(
    "a run that waits for a confirmation (%s) goes on",
    async (name) => {
      const run = made.paused[name];
      const { tools = [] } = await maria.getAgentRun(at("refund-desk", run));
      expect(tools).toHaveLength(1);
      await maria.continueAgentRun({
        path: { agent_id: "refund-desk", run_id: run.run_id },
        body: {
          session_id: run.session_id,
          tools: tools.map((tool) => ({ ...tool, confirmed: true })),
          background: name === "queued",
        },
      });
      if (name === "queued") await completes("refund-desk", run);
      else
        await expect
          .poll(async () => (await maria.getAgentRun(at("refund-desk", run))).status)
          .toBe("COMPLETED");
    },
  );

  test("a run that waits for an approval goes on when it is approved", async () => {
    const run = made.paused.approval;
    const { data } = await admin.listApprovals({ query: { run_id: run.run_id } });
    expect(data).toHaveLength(1);
    const path = { approval_id: data[0]?.id ?? "" };
    await admin.resolveApproval({ path, body: { status: "approved", continue: true } });
    await completes("account-desk", run);
  });

  test("a member of a team and a step of a workflow that wait go on", async () => {
    const { team, workflow } = made.paused;
    const inTeam = {
      path: { team_id: "support-team", run_id: team.run_id },
      query: { session_id: team.session_id },
    };
    const { requirements = [] } = await maria.getTeamRun(inTeam);
    expect(requirements).toHaveLength(1);
    await maria.continueTeamRun({
      path: inTeam.path,
      body: {
        session_id: team.session_id,
        requirements: requirements.map((one) => ({ ...one, confirmation: true })),
      },
    });
    await expect.poll(async () => (await maria.getTeamRun(inTeam)).status).toBe("COMPLETED");
    const inWorkflow = {
      path: { workflow_id: "publish-report", run_id: workflow.run_id },
      query: { session_id: workflow.session_id },
    };
    const { step_requirements = [] } = await maria.getWorkflowRun(inWorkflow);
    expect(step_requirements).toHaveLength(1);
    await maria.continueWorkflowRun({
      path: inWorkflow.path,
      body: {
        session_id: workflow.session_id,
        step_requirements: step_requirements.map((one) => ({ ...one, confirmed: true })),
      },
    });
    await expect
      .poll(async () => (await maria.getWorkflowRun(inWorkflow)).status)
      .toMatch(/COMPLETED|PAUSED/);
  });

  test("schedules are there, and start runs: by hand, and by what their entry sends", async () => {
    const { data } = await maria.listSchedules({});
    const enabled = Object.fromEntries(data.map(({ id, enabled }) => [id, enabled]));
    expect(enabled).toEqual({ [made.schedule_id]: true, [made.disabled_id]: false });
    const path = { schedule_id: made.schedule_id };
    await maria.triggerSchedule({ path });
    const ended = async () => {
      const { data } = await maria.listScheduleRuns({ path });
      // A Monday since the recording is recorded as missed, before or after these.
      const fired = data.filter(({ status }) => status !== "missed");
      return fired.map(({ status, triggered_at }) => [status, typeof triggered_at]);
    };
    const succeeded = ["success", "number"];
    await expect.poll(ended).toEqual([succeeded, succeeded]);
  });

  test("components, memories, contents, evaluations and accounts are there and work", async () => {
    const path = { component_id: made.component_id };
    expect((await admin.listConfigVersions({ path })).map(({ stage }) => stage).toSorted()).toEqual([
      "draft",
      "published",
    ]);
    const run = await maria.createAgentRun({
      path: { agent_id: made.component_id },
      body: { message: '[[tool:add_numbers {"a":2,"b":3}]]' },
    });
    expect(run).toMatchObject({ status: "COMPLETED", content: "5" });
    expect(await maria.getMemory({ path: { memory_id: made.memory_id } })).toMatchObject({
      memory: "Sails in summer.",
    });
    expect(await admin.getLearning({ path: { learning_id: made.learning_id } })).toMatchObject({
      content: { city: "Bern" },
    });
    const found = await admin.searchKnowledge({ body: { query: "When was the lighthouse lit?" } });
    expect(JSON.stringify(found.data)).toContain("1844");
    expect(await admin.getEval({ path: { eval_run_id: made.eval_run_id } })).toMatchObject({ name: "adds" });
    const account = createClient({ baseUrl: platform.url, token: made.serviceToken });
    expect((await account.listAgents({})).map(({ id }) => id)).toContain("assistant");
  });

  test("after the migration it is of today's version, and the runs are listed over all sessions", async () => {
    const path = { db_id: "main" };
    await admin.migrateDatabase({ path, body: null });
    await expect
      .poll(async () => {
        const { version, latest_version } = await admin.getDatabase({ path });
        return version === latest_version;
      })
      .toBe(true);
    const { data } = await admin.listRuns({ query: { limit: 100 } });
    const listed = data.map(({ run_id }) => run_id);
    for (const { run_id } of [made.ended.first, made.ended.team, made.paused.workflow, made.queued.agent])
      expect(listed).toContain(run_id);
  });
});
