import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AwsCall } from "../../local/aws-endpoint.ts";
import { families } from "../../shared/routes/index.ts";
import type { AcceptedRun, RunOutput } from "../../shared/schemas/run.ts";
import { jobKey } from "../../shared/stores/jobs/job-keys.ts";
import { isWrite } from "../support/call-kind.ts";
import { type Client, clientOf, framesOf } from "../support/client.ts";
import { type Answered, type Failing, faultLab, taken } from "../support/fault-lab.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";
import { faultsIn, type Stored, type StoreView, viewStores } from "../support/stored.ts";

let platform: TestPlatform;
let maria: Client;
let admin: Client;
let stores: StoreView;
let lab: ReturnType<typeof faultLab>;
/** A run that ended well, in a session of its own. */
let past: AcceptedRun;
beforeAll(async () => {
  platform = await startPlatform();
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
  admin = clientOf(platform.url, platform.adminToken);
  stores = viewStores(platform);
  lab = faultLab(platform);
  past = await maria.submit("once upon a time");
  await maria.settled(past);
  await failedRun();
});
afterAll(async () => {
  stores?.close();
  await platform?.stop();
});

const runs = "/agents/assistant/runs";
const endedRun = async (message: string): Promise<AcceptedRun> => {
  const run = await maria.submit(message);
  await maria.settled(run);
  return run;
};
const failedRun = () => endedRun("[[fail:boom]]");
/** A run whose message was lost: it waits until somebody sends it again. */
const waitingRun = async (): Promise<AcceptedRun> => {
  const answer = await lab.fail("sqs SendMessage", "refused", () =>
    start(maria, { stream: "false", background: "true" }),
  );
  if (answer.status !== 202) throw new Error("the run was not accepted");
  return answer.json;
};
const pausedRun = async (): Promise<RunOutput> => {
  const message = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';
  const form = { message, stream: "false", background: "true" };
  const { json } = await maria.post("/agents/refund-desk/runs", { form });
  await settled();
  return (await maria.get(`/agents/refund-desk/runs/${json.run_id}?session_id=${json.session_id}`)).json;
};
const deskScopes = ["agents:read", "agents:run", "approvals:read"];
/** A run that waits for an approval, in the foreground. */
const undecidedRun = async (): Promise<RunOutput> => {
  const client = clientOf(platform.url, platform.token("maria", deskScopes));
  const form = { message: '[[tool:close_account {"account":"K-7"}]]', stream: "false" };
  return (await client.post("/agents/account-desk/runs", { form })).json;
};
const approvalPath = (run: RunOutput, rest = "") => `/approvals/${run.tools?.[0]?.approval_id}${rest}`;
const continued = ({ run_id, session_id }: AcceptedRun, agent: string, client: Client, form = {}) =>
  taken(
    client.send("POST", `/agents/${agent}/runs/${run_id}/continue`, {
      form: { session_id, stream: "false", ...form },
    }),
  );
const confirmed = (run: AcceptedRun) =>
  JSON.stringify(
    ("tools" in run ? ((run as RunOutput).tools ?? []) : []).map((call) => ({ ...call, confirmed: true })),
  );
/** A workflow that waits for consent, in the foreground. */
const pausedWorkflow = async (): Promise<AcceptedRun> =>
  (await maria.post("/workflows/publish-report/runs", { form: { message: "lights", stream: "false" } })).json;
const continuedWorkflow = ({ run_id, session_id }: AcceptedRun) => {
  const step_requirements = JSON.stringify([{ step_id: "publish", confirmed: true }]);
  const form = { session_id, stream: "false", step_requirements };
  return taken(maria.send("POST", `/workflows/publish-report/runs/${run_id}/continue`, { form }));
};
const resumed = ({ run_id, session_id }: AcceptedRun) =>
  taken(maria.send("POST", `${runs}/${run_id}/resume`, { form: { session_id } }));
const cancelled = ({ run_id, session_id }: AcceptedRun, agent: string) =>
  taken(maria.send("POST", `/agents/${agent}/runs/${run_id}/cancel?session_id=${session_id}`));
/** How long a reading of the queue's depth serves. */
const DEPTH_SERVES_MS = 1_000;
/** The depth is read when the last reading has grown old; then a request makes every call that it can make. */
const oldDepth = async (kind: string): Promise<AcceptedRun> => {
  if (kind === "" || kind.endsWith("COUNT")) await pause(DEPTH_SERVES_MS + 20);
  return past;
};
const start = (client: Client, form: Record<string, string>, headers = {}) =>
  taken(client.send("POST", runs, { form: { message: "go on", ...form }, headers }));

type Scenario = {
  readonly what: string;
  /** Puts in place what one request needs; each fault gets its own. */
  readonly prepare?: (kind: string) => Promise<AcceptedRun>;
  readonly send: (prepared: AcceptedRun) => Promise<Answered>;
  readonly status: number;
  /** How the answer may look for these kinds of calls; a neutral 503 for all others. */
  readonly except?: readonly Exception[];
};
type Exception = { readonly kind: RegExp; readonly check: (answer: Answered) => void };

const get = (client: () => Client, path: (run: AcceptedRun) => string) => (run: AcceptedRun) =>
  taken(client().send("GET", path(run)));
const pathOf = ({ run_id, session_id }: AcceptedRun) => `${runs}/${run_id}?session_id=${session_id}`;
const existing = async () => past;
const asMaria = () => maria;
const asAdmin = () => admin;

/** A session of maria's that no run was in yet. */
const openSession = async (): Promise<AcceptedRun> => {
  const { json } = await admin.post("/sessions", { json: { user_id: "maria" } });
  return { run_id: "", session_id: json.session_id, status: "PENDING" };
};
/** A content that is processed, under the name of a run. */
const someContent = async (): Promise<AcceptedRun> => {
  const form = { text_content: `a text ${crypto.randomUUID()}` };
  const { json } = await admin.post("/knowledge/content", { form });
  const status = async () => (await admin.get(`/knowledge/content/${json.id}/status`)).json.status;
  while ((await status()) === "processing") await pause(50);
  return { run_id: json.id, session_id: "", status: "COMPLETED" };
};
const contentPath = ({ run_id }: AcceptedRun) => `/knowledge/content/${run_id}`;
const toSession = (method: string, json?: object, below = "") => {
  const sent = json && { json };
  return ({ session_id }: AcceptedRun) => taken(admin.send(method, `/sessions/${session_id}${below}`, sent));
};

/** Accepted, although the message could not be sent. */
const accepted = (status: number): Exception => ({
  kind: /^sqs SendMessage/,
  check: (answer) => expect(answer.status).toBe(status),
});
const toldInStream: Exception = {
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
const createRun: readonly Scenario[] = [
  { what: "waiting, new session", send: () => start(maria, { stream: "false" }), status: 200 },
  {
    what: "waiting, known session",
    send: ({ session_id }) => start(maria, { stream: "false", session_id }),
    status: 200,
  },
  {
    what: "waiting, session without a component",
    prepare: openSession,
    send: ({ session_id }) => start(maria, { stream: "false", session_id }),
    status: 200,
  },
  {
    what: "waiting, behind the HTTP API",
    send: () => start(clientOf(platform.apiUrl, platform.adminToken), { stream: "false" }),
    status: 200,
  },
  {
    what: "streamed, known session",
    send: ({ session_id }) => start(maria, { session_id }),
    status: 200,
    except: [toldInStream],
  },
  {
    what: "background",
    prepare: oldDepth,
    send: () => start(maria, { stream: "false", background: "true" }),
    status: 202,
    except: [accepted(202)],
  },
  {
    what: "background, known session, with a key",
    prepare: oldDepth,
    send: ({ session_id }) =>
      start(
        maria,
        { stream: "false", background: "true", session_id },
        { "idempotency-key": crypto.randomUUID() },
      ),
    status: 202,
    except: [accepted(202)],
  },
  {
    what: "background, alone in a known session",
    prepare: async (kind) => {
      const run = await failedRun();
      await oldDepth(kind);
      return run;
    },
    send: ({ session_id }) =>
      start(maria, { stream: "false", background: "true", session_id, session_policy: "reject" }),
    status: 202,
    except: [accepted(202)],
  },
];

/** Every operation; those that reach no store say so. */
const scenarios: Readonly<Record<string, readonly Scenario[] | "reaches no store" | `as ${string}`>> = {
  getRoot: "reaches no store",
  getHealth: "reaches no store",
  getInfo: "reaches no store",
  getOpenApi: "reaches no store",
  getDocs: "reaches no store",
  getConfig: "reaches no store",
  listModels: "reaches no store",
  listAgents: "reaches no store",
  getAgent: "reaches no store",
  listTeams: "reaches no store",
  getTeam: "reaches no store",
  listWorkflows: "reaches no store",
  getWorkflow: "reaches no store",
  createAgentRun: createRun,
  cancelAgentRun: [
    { what: "a waiting run", prepare: waitingRun, send: (run) => cancelled(run, "assistant"), status: 200 },
    { what: "a paused run", prepare: pausedRun, send: (run) => cancelled(run, "refund-desk"), status: 200 },
  ],
  continueAgentRun: [
    {
      what: "a paused run, by its own answers",
      prepare: undecidedRun,
      send: (run) => continued(run, "account-desk", admin, { tools: confirmed(run) }),
      status: 200,
    },
    {
      what: "a queued run that paused",
      prepare: pausedRun,
      send: (run) => continued(run, "refund-desk", maria, { background: "true", tools: confirmed(run) }),
      status: 202,
      except: [accepted(202)],
    },
    {
      what: "a completed run, as a new one",
      send: (run) => continued(run, "assistant", maria, { input: "and then?" }),
      status: 200,
    },
  ],
  resumeAgentRun: [{ what: "a run that has ended", send: resumed, status: 200, except: [brokenStream] }],
  listAgentCheckpoints: [
    {
      what: "one run",
      send: get(asMaria, (run) => `${runs}/${run.run_id}/checkpoints?session_id=${run.session_id}`),
      status: 200,
    },
  ],
  getAgentCheckpoint: [
    {
      what: "one place",
      send: get(asMaria, (run) => `${runs}/${run.run_id}/checkpoints/1?session_id=${run.session_id}`),
      status: 200,
    },
  ],
  forkAgentSession: [
    {
      what: "one session",
      send: ({ session_id }) => taken(maria.send("POST", `/agents/assistant/sessions/${session_id}/fork`)),
      prepare: () => endedRun("once more"),
      status: 200,
    },
  ],
  // Teams and workflows reach the store by the same code: what differs is what is executed.
  createTeamRun: "as createAgentRun",
  continueTeamRun: "as continueAgentRun",
  resumeTeamRun: "as resumeAgentRun",
  cancelTeamRun: "as cancelAgentRun",
  getTeamRun: "as getAgentRun",
  listTeamRuns: "as listAgentRuns",
  listTeamCheckpoints: "as listAgentCheckpoints",
  getTeamCheckpoint: "as getAgentCheckpoint",
  forkTeamSession: "as forkAgentSession",
  createWorkflowRun: "as createAgentRun",
  continueWorkflowRun: [
    {
      what: "a paused run",
      prepare: pausedWorkflow,
      send: continuedWorkflow,
      status: 200,
    },
  ],
  resumeWorkflowRun: "as resumeAgentRun",
  cancelWorkflowRun: "as cancelAgentRun",
  getWorkflowRun: "as getAgentRun",
  listWorkflowRuns: "as listAgentRuns",
  listApprovals: [
    { what: "all of them", send: get(asAdmin, () => "/approvals"), status: 200 },
    { what: "one user's", send: get(asAdmin, () => "/approvals?user_id=maria"), status: 200 },
  ],
  countApprovals: [{ what: "the pending ones", send: get(asAdmin, () => "/approvals/count"), status: 200 }],
  getApproval: [
    {
      what: "one",
      prepare: undecidedRun,
      send: get(asAdmin, (run) => approvalPath(run as RunOutput)),
      status: 200,
    },
  ],
  getApprovalStatus: [
    {
      what: "one",
      prepare: undecidedRun,
      send: get(asAdmin, (run) => approvalPath(run as RunOutput, "/status")),
      status: 200,
    },
  ],
  resolveApproval: [
    {
      what: "one",
      prepare: undecidedRun,
      send: (run) =>
        taken(
          admin.send("POST", approvalPath(run as RunOutput, "/resolve"), { json: { status: "approved" } }),
        ),
      status: 200,
    },
  ],
  removeApproval: [
    {
      what: "one",
      prepare: undecidedRun,
      send: (run) => taken(admin.send("DELETE", approvalPath(run as RunOutput))),
      status: 204,
    },
  ],
  getAgentRun: [
    { what: "its owner", send: get(asMaria, pathOf), status: 200 },
    { what: "an admin", send: get(asAdmin, pathOf), status: 200 },
  ],
  listAgentRuns: [
    { what: "one session", send: get(asMaria, (run) => `${runs}?session_id=${run.session_id}`), status: 200 },
  ],
  listJobs: [
    {
      what: "two statuses",
      send: get(asAdmin, () => "/queue/jobs?status=failed&status=queued"),
      status: 200,
    },
    { what: "sorted", send: get(asAdmin, () => "/queue/jobs?status=failed&sort_by=user_id"), status: 200 },
  ],
  getJob: [{ what: "one job", send: get(asAdmin, (run) => `/queue/jobs/${run.run_id}`), status: 200 }],
  getQueueStats: [{ what: "all counts", send: get(asAdmin, () => "/queue/stats"), status: 200 }],
  requeueJob: [
    {
      what: "a failed job",
      prepare: failedRun,
      send: ({ run_id }) => taken(admin.send("POST", `/queue/jobs/${run_id}/requeue?force=true`)),
      status: 200,
      except: [accepted(200)],
    },
  ],
  mintServiceAccount: [{ what: "a new name", send: () => mint(), status: 201 }],
  listServiceAccounts: [{ what: "all", send: get(asAdmin, () => "/service-accounts"), status: 200 }],
  revokeServiceAccount: [
    {
      what: "a live account",
      prepare: () => account(),
      send: ({ run_id }) => taken(admin.send("DELETE", `/service-accounts/${run_id}`)),
      status: 204,
    },
  ],
  requeueJobs: [
    {
      what: "a failed job of many",
      prepare: failedRun,
      send: () =>
        taken(admin.send("POST", "/queue/jobs/requeue", { json: { dry_run: false, force: true, limit: 1 } })),
      status: 200,
      except: [accepted(200)],
    },
  ],
  addContent: [
    {
      what: "a text",
      send: () => taken(admin.send("POST", "/knowledge/content", { form: { text_content: crypto.randomUUID() } })),
      status: 202,
      except: [accepted(202)],
    },
  ],
  addRemoteContent: "as addContent",
  createUploadUrl: [
    {
      what: "a file",
      send: () => {
        const json = { filename: "large.txt", size: 5_000_000 };
        return taken(admin.send("POST", "/knowledge/content/upload-url", { json }));
      },
      status: 201,
    },
  ],
  listContent: [{ what: "the newest", send: get(asAdmin, () => "/knowledge/content"), status: 200 }],
  getContent: [{ what: "one", prepare: someContent, send: get(asAdmin, contentPath), status: 200 }],
  getContentStatus: [
    { what: "one", prepare: someContent, send: get(asAdmin, (one) => `${contentPath(one)}/status`), status: 200 },
  ],
  updateContent: [
    {
      what: "a name",
      prepare: someContent,
      send: (one) => taken(admin.send("PATCH", contentPath(one), { form: { name: crypto.randomUUID() } })),
      status: 200,
    },
  ],
  removeContent: [
    {
      what: "one",
      prepare: someContent,
      send: (one) => taken(admin.send("DELETE", contentPath(one))),
      status: 200,
      except: [accepted(200)],
    },
  ],
  removeAllContent: [
    {
      what: "one of a base",
      prepare: someContent,
      send: () => taken(admin.send("DELETE", "/knowledge/content")),
      status: 200,
      except: [accepted(200)],
    },
  ],
  getKnowledgeConfig: [{ what: "a base", send: get(asAdmin, () => "/knowledge/config"), status: 200 }],
  listKnowledgeSources: "reaches no store",
  // No bucket is a source here.
  listSourceFiles: "as listKnowledgeSources",
  searchKnowledge: [
    {
      what: "a base",
      prepare: someContent,
      send: () => taken(admin.send("POST", "/knowledge/search", { json: { query: "a text" } })),
      status: 200,
    },
  ],
  listSessions: [
    { what: "the newest", send: get(asAdmin, () => "/sessions"), status: 200 },
    { what: "sorted", send: get(asAdmin, () => "/sessions?sort_by=updated_at&limit=1"), status: 200 },
  ],
  createSession: [{ what: "a new one", send: () => taken(admin.send("POST", "/sessions")), status: 201 }],
  getSession: [{ what: "one session", send: toSession("GET"), status: 200 }],
  updateSession: [{ what: "its metadata", send: toSession("PATCH", { metadata: { a: 1 } }), status: 200 }],
  renameSession: [
    { what: "by a name", send: toSession("POST", { session_name: "n" }, "/rename"), status: 200 },
    { what: "by the model", send: toSession("POST", { autogenerate: true }, "/rename"), status: 200 },
  ],
  removeSession: [
    {
      what: "one session",
      prepare: openSession,
      send: toSession("DELETE"),
      status: 204,
      except: [accepted(204)],
    },
  ],
  removeSessions: [
    {
      what: "one of many",
      prepare: openSession,
      send: ({ session_id }) =>
        taken(
          admin.send("DELETE", "/sessions", {
            json: { session_ids: [session_id], session_types: ["agent"] },
          }),
        ),
      status: 204,
      except: [accepted(204)],
    },
  ],
  listSessionRuns: [{ what: "one session", send: toSession("GET", undefined, "/runs"), status: 200 }],
  getSessionRun: [
    {
      what: "one run",
      send: get(asAdmin, ({ session_id, run_id }) => `/sessions/${session_id}/runs/${run_id}`),
      status: 200,
    },
  ],
};

let accounts = 0;
const mint = () => {
  accounts += 1;
  return taken(admin.send("POST", "/service-accounts", { json: { name: `account-${accounts}` } }));
};
/** A fresh account, whose id stands where a run's would. */
const account = async (): Promise<AcceptedRun> => {
  const answer = await mint();
  if (answer.status !== 201) throw new Error("the account was not minted");
  return { ...past, run_id: answer.json.id };
};

const operations = Object.entries(families).flatMap(([, table]) => Object.entries(table));
const stateless = operations.filter(([name]) => scenarios[name] === "reaches no store");
const storing = operations.flatMap(([name]) => {
  const mine = scenarios[name];
  return Array.isArray(mine) ? mine.map((scenario: Scenario) => ({ name, ...scenario })) : [];
});

test("every operation of the route tables is looked at here", () => {
  expect(Object.keys(scenarios).sort()).toEqual(operations.map(([name]) => name).sort());
});

test.each(stateless)("%s asks no store and no queue, so it works without them", async (_name, { path }) => {
  const sent = path
    .replace("{agent_id}", "assistant")
    .replace("{team_id}", "support-team")
    .replace("{workflow_id}", "publish-report")
    .replace("{knowledge_id}", "85c9c664-e3cd-8dd4-4e98-04c3a45da2e5");
  const { answer, calls } = await lab.record(() => taken(admin.send("GET", sent)));
  expect(answer.status).toBe(200);
  expect([...calls.keys()]).toEqual([]);
});

describe.each(storing)("$name, $what", (scenario) => {
  test.each<Failing>(["refused", "dropped"])("answers 503 and leaves things whole when a call is %s", (how) =>
    walk(scenario, how, () => true),
  );

  test("leaves things whole when a write is done and its answer lost", () => walk(scenario, "lost", isWrite));
});

/** A door that has just read the queue's depth does not read it again. */
const DEPTH_IS_REMEMBERED_MS = 1_050;

/** Makes each kind of call fail in turn that the request makes when all is well. */
async function walk(scenario: Scenario, how: Failing, picks: (call: AwsCall) => boolean): Promise<void> {
  const { prepare = existing, send, status, except = [] } = scenario;
  const first = await prepare("");
  const { answer, calls } = await lab.record(() => send(first));
  expect(answer.status).toBe(status);
  expect(calls.size).toBeGreaterThan(0);
  for (const [kind, call] of calls) {
    if (!picks(call)) continue;
    const prepared = await prepare(kind);
    const before = await settled();
    if (/ COUNT$/.test(kind)) await pause(DEPTH_IS_REMEMBERED_MS);
    const failed = await lab.fail(kind, how, () => send(prepared));
    const exception = except.find((one) => one.kind.test(kind));
    if (exception) exception.check(failed);
    else expect({ kind, ...neutralBody(failed) }).toEqual({ kind, ...unavailable });
    const after = await settled();
    expect({ kind, faults: faultsIn(after) }).toEqual({ kind, faults: [] });
    if (!exception && how !== "lost" && isFirstWrite(kind, calls))
      expect({ kind, after }).toEqual({ kind, after: before });
  }
}

/** Whether nothing was written before this call. */
function isFirstWrite(kind: string, calls: ReadonlyMap<string, AwsCall>): boolean {
  const kinds = [...calls];
  const writes = kinds.findIndex(([, call]) => isWrite(call));
  return writes < 0 || kinds.findIndex(([one]) => one === kind) <= writes;
}

const unavailable = {
  status: 503,
  json: { error_code: "UNAVAILABLE", detail: "A service behind this one is not available; try again later" },
};
const neutralBody = (answer: Answered) => ({
  status: answer.status,
  json: answer.status === undefined ? answer.text : answer.json,
});

/** The stores once nothing moves any more: workers have ended what they were told of. */
async function settled(): Promise<Stored> {
  for (let last: Stored | undefined; ; await pause(20)) {
    const stored = await stores.read();
    const isBusy = stored.jobs.some(({ status }) => status === "running");
    if (!isBusy && isDeepStrictEqual(stored, last)) return stored;
    last = stored;
  }
}

test("a run whose message could not be sent is sent again by the sweeper and completes", async () => {
  const run = await waitingRun();
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
      const answer = await lab.fail(kind, "refused", () => start(maria, { background: "true" }));
      expect(neutralBody(answer)).toMatchObject(unavailable);
      // The run itself was accepted, and goes on.
      expect(faultsIn(await settled())).toEqual([]);
    },
  );

  test("breaks off instead of ending when the record cannot be read later, and the run goes on", async () => {
    const form = { message: "[[sleep:900]] done", background: "true" };
    const { body } = await maria.send("POST", runs, { form });
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
