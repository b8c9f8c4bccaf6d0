import { setTimeout as pause } from "node:timers/promises";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import type { AcceptedRun, RunOutput } from "../../../../shared/schemas/runs/run.ts";
import { jobKey } from "../../../../shared/stores/jobs/job-keys.ts";
import { type Client, clientOf, framesOf } from "../../../support/client.ts";
import { taken } from "../../../support/fault-lab.ts";
import {
  accepted,
  asAdmin,
  asMaria,
  type Exception,
  get,
  neutralBody,
  type Scenario,
  unavailable,
  walkStoreFaults,
} from "../../../support/fault-walk.ts";
import { type FaultWorld, runsPath, start, waitingRun } from "../../../support/fault-world.ts";
import { faultsIn } from "../../../support/stored.ts";

const pausedRun = async ({ maria, settled }: FaultWorld): Promise<RunOutput> => {
  const message = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';
  const form = { message, stream: "false", background: "true" };
  const { json } = await maria.post("/agents/refund-desk/runs", { form });
  const path = `/agents/refund-desk/runs/${json.run_id}?session_id=${json.session_id}`;
  // A job whose message has not come yet is at rest too, as far as the stores show.
  await expect.poll(async () => (await maria.get(path)).json.status).toBe("PAUSED");
  await settled();
  return (await maria.get(path)).json;
};
const continued = ({ run_id, session_id }: AcceptedRun, agent: string, client: Client, form = {}) =>
  taken(
    client.send("POST", `/agents/${agent}/runs/${run_id}/continue`, {
      form: { session_id, stream: "false", ...form },
    }),
  );
const noteTo = ({ session_id }: AcceptedRun) => ({
  form: { session_id, message: "more", message_id: "note" },
});
const resolved = (run: AcceptedRun, client: Client, json: object) => {
  const [call] = "tools" in run ? ((run as RunOutput).tools ?? []) : [];
  return taken(client.send("POST", `/approvals/${call?.approval_id}/resolve`, { json }));
};
const confirmed = (run: AcceptedRun) =>
  JSON.stringify(
    ("tools" in run ? ((run as RunOutput).tools ?? []) : []).map((call) => ({ ...call, confirmed: true })),
  );
/** A workflow that waits for consent, in the foreground. */
const pausedWorkflow = async ({ admin }: FaultWorld): Promise<AcceptedRun> =>
  (await admin.post("/workflows/publish-report/runs", { form: { message: "lights", stream: "false" } })).json;
const continuedWorkflow: Scenario["send"] = ({ admin }, { run_id, session_id }) => {
  const step_requirements = JSON.stringify([{ step_id: "publish", confirmed: true }]);
  const form = { session_id, stream: "false", step_requirements };
  return taken(admin.send("POST", `/workflows/publish-report/runs/${run_id}/continue`, { form }));
};
const resumed: Scenario["send"] = ({ maria }, { run_id, session_id }) =>
  taken(maria.send("POST", `${runsPath}/${run_id}/resume`, { form: { session_id } }));
const cancelledAt =
  (agent: string): Scenario["send"] =>
  ({ maria }, { run_id, session_id }) =>
    taken(maria.send("POST", `/agents/${agent}/runs/${run_id}/cancel?session_id=${session_id}`));
/** How long a reading of the queue's depth serves. */
const DEPTH_SERVES_MS = 1_000;
/** The depth is read when the last reading has grown old; then a request makes every call that it can make. */
const oldDepth = async ({ past }: FaultWorld, kind: string): Promise<AcceptedRun> => {
  if (kind === "" || kind.endsWith("COUNT")) await pause(DEPTH_SERVES_MS + 20);
  return past;
};
/** A reading of the last ten seconds serves while it is replaced; without one the submission waits for the new reading. */
const replacedDepth: Exception = {
  kind: / COUNT$/,
  check: (answer) => expect([202, 503]).toContain(answer.status),
};
const pathOf = ({ run_id, session_id }: AcceptedRun) => `${runsPath}/${run_id}?session_id=${session_id}`;
const failsInStream: Exception = {
  kind: /^(Query session|TransactWriteItems Update session)/,
  check: (answer) => {
    expect(answer.status).toBe(200);
    const events = framesOf(answer.text).map(({ event }) => event);
    expect(events.at(-1)).toBe("RunError");
    expect(events).not.toContain("RunCompleted");
  },
};

/** A stream has begun before its events are read. */
const brokenStream: Exception = {
  kind: /^Query run/,
  check: (answer) => expect(answer.text).not.toContain("RunCompleted"),
};
/** What is said to a run is found at its end where it could not be read before. */
const unreadInbox: Exception = {
  kind: /^Query run/,
  check: (answer) => expect(answer.status).toBe(200),
};
/** The place of a foreground run that could not be freed expires by itself. */
const placeStays: Exception = {
  kind: /^UpdateItem user/,
  check: (answer) => expect(answer.status).toBe(200),
};
const createRun: readonly Scenario[] = [
  {
    what: "waiting, new session",
    send: ({ maria }) => start(maria, { stream: "false" }),
    status: 200,
    except: [placeStays, unreadInbox],
  },
  {
    what: "waiting, known session",
    send: ({ maria }, { session_id }) => start(maria, { stream: "false", session_id }),
    status: 200,
    except: [placeStays, unreadInbox],
  },
  {
    what: "waiting, session without a component",
    prepare: ({ openSession }) => openSession(),
    send: ({ maria }, { session_id }) => start(maria, { stream: "false", session_id }),
    status: 200,
    except: [placeStays, unreadInbox],
  },
  {
    what: "waiting, behind the HTTP API",
    send: ({ platform }) => start(clientOf(platform.apiUrl, platform.adminToken), { stream: "false" }),
    status: 200,
    except: [placeStays, unreadInbox],
  },
  {
    what: "streamed, known session",
    send: ({ maria }, { session_id }) => start(maria, { session_id }),
    status: 200,
    except: [failsInStream, placeStays],
  },
  {
    what: "background",
    prepare: oldDepth,
    send: ({ maria }) => start(maria, { stream: "false", background: "true" }),
    status: 202,
    except: [accepted(202), replacedDepth],
  },
  {
    what: "background, known session, with a key",
    prepare: oldDepth,
    send: ({ maria }, { session_id }) =>
      start(
        maria,
        { stream: "false", background: "true", session_id },
        { "idempotency-key": crypto.randomUUID() },
      ),
    status: 202,
    except: [accepted(202), replacedDepth],
  },
  {
    what: "background, alone in a known session",
    prepare: async (world, kind) => {
      const run = await world.failedRun();
      await oldDepth(world, kind);
      return run;
    },
    send: ({ maria }, { session_id }) =>
      start(maria, { stream: "false", background: "true", session_id, session_policy: "reject" }),
    status: 202,
    except: [accepted(202), replacedDepth],
  },
];

const world = walkStoreFaults(
  "runs",
  {
    createAgentRun: createRun,
    // They begin, continue and read runs by the handlers of these; what is their own reads the same record.
    runAgui: "as createAgentRun",
    runAgentAgui: "as createAgentRun",
    runTeamAgui: "as createTeamRun",
    runWorkflowAgui: "as createWorkflowRun",
    runAgentChat: "as createAgentRun",
    runTeamChat: "as createTeamRun",
    runWorkflowChat: "as createWorkflowRun",
    callMcp: "as createAgentRun",
    getAguiStatus: "reaches no store",
    getMcpServerCard: "reaches no store",
    getAiCatalog: "reaches no store",
    getMcpCatalog: "reaches no store",
    getMcpResource: "reaches no store",
    getMcpResourceOfPath: "reaches no store",
    continueAgentRun: [
      {
        what: "a paused run, by its own answers",
        prepare: ({ undecidedRun }) => undecidedRun(),
        send: ({ admin }, run) => continued(run, "account-desk", admin, { tools: confirmed(run) }),
        status: 200,
        except: [placeStays],
      },
      {
        what: "a queued run that paused",
        prepare: pausedRun,
        send: ({ maria }, run) =>
          continued(run, "refund-desk", maria, { background: "true", tools: confirmed(run) }),
        status: 202,
        except: [accepted(202)],
      },
      {
        what: "a completed run, as a new one",
        send: ({ maria }, run) => continued(run, "assistant", maria, { input: "and then?" }),
        status: 200,
        except: [placeStays],
      },
    ],
    resumeAgentRun: [{ what: "a run that has ended", send: resumed, status: 200, except: [brokenStream] }],
    listAgentCheckpoints: [
      {
        what: "one run",
        send: get(asMaria, (run) => `${runsPath}/${run.run_id}/checkpoints?session_id=${run.session_id}`),
        status: 200,
      },
    ],
    getAgentCheckpoint: [
      {
        what: "one place",
        send: get(asMaria, (run) => `${runsPath}/${run.run_id}/checkpoints/1?session_id=${run.session_id}`),
        status: 200,
      },
    ],
    forkAgentSession: [
      {
        what: "one session",
        send: ({ maria }, { session_id }) =>
          taken(maria.send("POST", `/agents/assistant/sessions/${session_id}/fork`)),
        prepare: ({ endedRun }) => endedRun("once more"),
        status: 200,
      },
    ],
    compactAgentSession: [
      {
        what: "one session",
        send: ({ maria }, { session_id }) =>
          taken(maria.send("POST", `/agents/assistant/sessions/${session_id}/compact`)),
        prepare: ({ endedRun }) => endedRun("to be compacted"),
        status: 200,
      },
    ],
    cancelAgentRun: [
      {
        what: "a waiting run",
        prepare: waitingRun,
        send: cancelledAt("assistant"),
        status: 200,
      },
      {
        what: "a paused run",
        prepare: pausedRun,
        send: cancelledAt("refund-desk"),
        status: 200,
      },
    ],
    sendAgentMessage: [
      {
        what: "to a waiting run",
        prepare: waitingRun,
        send: ({ maria }, run) =>
          taken(maria.send("POST", `${runsPath}/${run.run_id}/messages`, noteTo(run))),
        status: 202,
      },
      {
        what: "to a run that has ended",
        prepare: ({ endedRun }) => endedRun("to go on"),
        send: ({ maria }, run) =>
          taken(maria.send("POST", `${runsPath}/${run.run_id}/messages`, noteTo(run))),
        status: 202,
      },
    ],
    listAgentMessages: [
      {
        what: "none",
        send: get(asMaria, (run) => `${runsPath}/${run.run_id}/messages?session_id=${run.session_id}`),
        status: 200,
      },
    ],
    withdrawAgentMessage: [
      {
        what: "one that waits",
        prepare: async (lab) => {
          const run = await waitingRun(lab);
          await lab.maria.post(`${runsPath}/${run.run_id}/messages`, noteTo(run));
          return run;
        },
        send: ({ maria }, run) =>
          taken(maria.send("DELETE", `${runsPath}/${run.run_id}/messages/note?session_id=${run.session_id}`)),
        status: 204,
      },
    ],
    getAgentRun: [
      { what: "its owner", send: get(asMaria, pathOf), status: 200 },
      { what: "an admin", send: get(asAdmin, pathOf), status: 200 },
    ],
    listRuns: [
      { what: "a user", send: get(asMaria, () => "/runs"), status: 200 },
      { what: "an admin, those that failed", send: get(asAdmin, () => "/runs?status=ERROR"), status: 200 },
    ],
    listAgentRuns: [
      {
        what: "one session",
        send: get(asMaria, (run) => `${runsPath}?session_id=${run.session_id}`),
        status: 200,
      },
    ],
    // Teams and workflows reach the store by the same code: what differs is what is executed.
    createTeamRun: "as createAgentRun",
    continueTeamRun: "as continueAgentRun",
    resumeTeamRun: "as resumeAgentRun",
    listTeamCheckpoints: "as listAgentCheckpoints",
    getTeamCheckpoint: "as getAgentCheckpoint",
    forkTeamSession: "as forkAgentSession",
    cancelTeamRun: "as cancelAgentRun",
    sendTeamMessage: "as sendAgentMessage",
    listTeamMessages: "as listAgentMessages",
    withdrawTeamMessage: "as withdrawAgentMessage",
    sendWorkflowMessage: "as sendAgentMessage",
    listWorkflowMessages: "as listAgentMessages",
    withdrawWorkflowMessage: "as withdrawAgentMessage",
    getTeamRun: "as getAgentRun",
    listTeamRuns: "as listAgentRuns",
    createWorkflowRun: "as createAgentRun",
    continueWorkflowRun: [
      {
        what: "a paused run",
        prepare: pausedWorkflow,
        send: continuedWorkflow,
        status: 200,
        except: [placeStays],
      },
    ],
    resumeWorkflowRun: "as resumeAgentRun",
    cancelWorkflowRun: "as cancelAgentRun",
    getWorkflowRun: "as getAgentRun",
    listWorkflowRuns: "as listAgentRuns",
    resolveApproval: [
      {
        what: "one",
        prepare: ({ undecidedRun }) => undecidedRun(),
        send: ({ admin }, run) => resolved(run, admin, { status: "approved" }),
        status: 200,
      },
      {
        what: "one whose run goes on by that",
        prepare: ({ undecidedRun }) => undecidedRun(),
        send: ({ admin }, run) => resolved(run, admin, { status: "approved", continue: true }),
        status: 200,
        except: [accepted(200)],
      },
    ],
  },
  "own world",
);

test("a run whose message could not be sent is sent again by the sweeper and completes", async () => {
  const { maria, stores, platform } = world();
  const run = await waitingRun(world());
  expect((await maria.poll(run)).json.status).toBe("PENDING");
  // It counts as lost once it has been due for a while.
  const due = { ":due": Math.floor(Date.now() / 1000) - 60 };
  await stores.db.client.send(
    new UpdateCommand({
      TableName: stores.db.tables.jobs,
      Key: jobKey(run.run_id),
      UpdateExpression: "SET available_at = :due",
      ExpressionAttributeValues: due,
    }),
  );
  platform.faults.clear();
  await platform.fireSchedules();
  expect((await maria.settled(run)).status).toBe("COMPLETED");
});

describe("a stream that follows a background run", () => {
  test.each(["GetItem session", "Query run"])(
    "is refused with 503 when the record cannot be read before its first frame (%s)",
    async (kind) => {
      const { maria, lab, settled } = world();
      const answer = await lab.fail(kind, "refused", () => start(maria, { background: "true" }));
      expect(neutralBody(answer)).toMatchObject(unavailable);
      // The run itself was accepted, and goes on.
      expect(faultsIn(await settled())).toEqual([]);
    },
  );

  test("breaks off instead of ending when the record cannot be read later, and the run goes on", async () => {
    const { maria, lab } = world();
    const form = { message: "[[sleep:900]] done", background: "true" };
    const { body } = await maria.send("POST", runsPath, { form });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader?.read())?.value ?? "";
    const { run_id, session_id } = framesOf(text)[0]?.data ?? {};
    const read = async () => {
      for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) text += chunk.value;
    };
    await expect(lab.fail("Query run", "dropped", read)).rejects.toThrow();
    expect(text).not.toContain("RunCompleted");
    const run = { run_id: String(run_id), session_id: String(session_id) };
    expect(await maria.settled(run)).toMatchObject({ status: "COMPLETED" });
  });
});
