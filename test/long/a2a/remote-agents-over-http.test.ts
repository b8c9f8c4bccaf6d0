import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Asked, events, type RawAgent, rawAgent, taskOf } from "../../engine/remote/raw-agent.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform, tokenOf } from "../../support/platform.ts";
import { allBut } from "../../support/test-registry.ts";

/**
 * A platform that is its own partner: agents elsewhere that are its own agents, called by the address that everybody has, as a
 * service of another company would be.
 */
let platform: TestPlatform;
let maria: Client;
let partner: Client;
let folder: string;
let raw: RawAgent;
let others: Readonly<Record<"talker" | "older" | "dying" | "forgetful", RawAgent>>;

const scopes = ["agents:read", "agents:run", "teams:run", "teams:read", "workflows:run", "workflows:read"];
const partnerToken = tokenOf("partner-company", scopes);

beforeAll(async () => {
  const port = await freePort();
  folder = mkdtempSync(join(import.meta.dirname, "../../../node_modules/.cache/remote-registry-"));
  const registry = join(folder, "registry.ts");
  raw = await rawAgent(writeAtLength);
  others = {
    talker: await rawAgent(talk),
    older: await rawAgent(writeInPieces, {
      ...{ protocolVersion: "0.3.0", url: "its own", preferredTransport: "HTTP+JSON" },
      supportedInterfaces: undefined,
    }),
    dying: await rawAgent(dieAtWork),
    forgetful: await rawAgent(loseTheTask),
  };
  const raws = Object.entries({ writer: raw, ...others });
  writeFileSync(registry, registryAt(`http://127.0.0.1:${port}`, raws));
  platform = await startPlatform({
    port,
    registry,
    without: allBut("a2a", "runnables", "runs", "worker"),
    env: {
      PARTNER_KEY: partnerToken,
      FETCH_ALLOWED_HOSTS: [`127.0.0.1:${port}`, ...raws.map(([, { host }]) => host)].join(),
    },
  });
  maria = clientOf(platform.url, platform.token("maria", [...scopes, "agents:run"]));
  partner = clientOf(platform.url, partnerToken);
});
afterAll(async () => {
  await platform?.stop();
  await Promise.all([raw, ...Object.values(others ?? {})].map((one) => one?.stop()));
  rmSync(folder, { recursive: true, force: true });
});

const define = join(import.meta.dirname, "../../../shared/engine/define/index.ts");
const tests = join(import.meta.dirname, "../../support/registry/agents.ts");
const registryAt = (base: string, raws: readonly (readonly [id: string, agent: RawAgent])[]) => `
import { defineRegistry, defineRemoteAgent, defineTeam, defineWorkflow } from ${JSON.stringify(define)};
import { assistant, refundDesk } from ${JSON.stringify(tests)};
const remote = (id: string, there: string) => defineRemoteAgent({
  id, name: id, secret: "PARTNER_KEY",
  card: "${base}/a2a/agents/" + there + "/.well-known/agent-card.json",
});
const partner = remote("partner", "assistant");
const refunds = remote("refunds", "refund-desk");
export const registry = defineRegistry({
  agents: [
    ${["assistant", "refundDesk", "partner", "refunds"].join()},
    ${raws.map(([id, { card }]) => `defineRemoteAgent({ id: "${id}", name: "${id}", card: "${card}" })`).join()},
  ],
  teams: [defineTeam({ id: "desk", name: "Desk", members: [partner, refunds] })],
  workflows: [defineWorkflow({ id: "order", name: "Order", steps: [{ type: "Step", name: "refund", executor: refunds }] })],
});
`;

const PIECES = 12_000;
const PIECE_CHARS = 100;

/** Answers with 1.2 MB, piece by piece. */
async function writeAtLength({ send, response }: Asked): Promise<void> {
  send(events.task("TASK_STATE_WORKING"));
  for (let i = 0; i < PIECES; i += 1) {
    send(events.text(`${i} `.padEnd(PIECE_CHARS, "x"), i > 0));
    if (response.writableNeedDrain) await once(response, "drain");
  }
  send(events.status("TASK_STATE_COMPLETED"));
  response.end();
}

test("an answer of a megabyte in thousands of pieces ends, at once and in the background", async () => {
  for (const background of [false, true]) {
    const begun = await begin("/agents/writer", "write", background);
    await expect.poll(async () => (await read(begun)).status).toBe("COMPLETED");
    expect((await read(begun)).content).toHaveLength(PIECES * PIECE_CHARS);
  }
});

/** Says everything in the statuses of its work. */
function talk({ send, response }: Asked): void {
  send(events.task("TASK_STATE_SUBMITTED"));
  for (const text of ["The sum ", "is ", "five."]) send(events.status("TASK_STATE_WORKING", text));
  send(events.status("TASK_STATE_COMPLETED"));
  response.end();
}

function writeInPieces({ send, response }: Asked): void {
  send(events.task("TASK_STATE_SUBMITTED"));
  for (const [at, text] of ["Two ", "rooms ", "are free."].entries()) send(events.text(text, at > 0));
  send(events.status("TASK_STATE_COMPLETED"));
  response.end();
}

async function dieAtWork({ send, response }: Asked): Promise<void> {
  send(events.task("TASK_STATE_WORKING"));
  send(events.text("Half of ", false));
  await new Promise((resolve) => setTimeout(resolve, 50));
  response.destroy();
  await others.dying.stop();
}

function loseTheTask({ method, send, reply, response }: Asked): void {
  if (method === "GetTask") {
    reply(taskOf("TASK_STATE_WORKING"));
    return;
  }
  send(events.task("TASK_STATE_WORKING"));
  response.end();
}

test("text in the statuses of its work, and every piece of version 0.3 over HTTP, is the answer", async () => {
  for (const background of [false, true]) {
    const talked = await begin("/agents/talker", "2 + 3", background);
    const written = await begin("/agents/older", "rooms?", background);
    await reaches(talked, "COMPLETED");
    await reaches(written, "COMPLETED");
    expect((await read(talked)).content).toBe("The sum is five.");
    expect((await read(written)).content).toBe("Two rooms are free.");
  }
});

test("an agent whose process dies, or loses the task, fails the run soon, with the reason", async () => {
  const startedAt = Date.now();
  const died = await begin("/agents/dying", "hello");
  const lost = await begin("/agents/forgetful", "hello");
  await reaches(died, "ERROR");
  await reaches(lost, "ERROR");
  expect(JSON.stringify(await read(died))).toContain("The remote agent dying could not be reached.");
  expect(JSON.stringify(await read(lost))).toContain(
    "The remote agent forgetful closed the connection, and its task does not go on.",
  );
  expect(Date.now() - startedAt).toBeLessThan(120_000);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const REFUND = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';

async function begin(root: string, message: string, background = true) {
  const form = { message, stream: "false", background: String(background), session_id: crypto.randomUUID() };
  const { json } = await maria.post(`${root}/runs`, { form });
  return { root, run_id: json.run_id, session_id: form.session_id, json };
}
type Begun = Awaited<ReturnType<typeof begin>>;
const read = async ({ root, run_id, session_id }: Begun) =>
  (await maria.get(`${root}/runs/${run_id}?session_id=${session_id}`)).json;
const reaches = (run: Begun, status: string) =>
  expect.poll(async () => (await read(run)).status).toBe(status);

/** The runs of the partner, as it sees them itself. */
const tasksThere = async (agent: string) =>
  (await partner.call("GET", `/a2a/agents/${agent}/v1/tasks`, { headers: { "a2a-version": "1.0" } })).json
    .tasks;

test("an agent elsewhere answers here, at once, streamed and in the background", async () => {
  const now = await begin("/agents/partner", "hello", false);
  expect(now.json).toMatchObject({ status: "COMPLETED", content: "You said: hello", model_provider: "A2A" });
  expect(now.json.metrics.input_tokens).toBeGreaterThan(0);
  const streamed = await maria.post("/agents/partner/runs", {
    form: { message: "[[tokens:3]]", stream: "true" },
  });
  expect(streamed.text).toMatch(/event: RunContent\n[\s\S]*word1/);
  expect(streamed.text).toContain("word3");
  const later = await begin("/agents/partner", "later");
  await reaches(later, "COMPLETED");
  expect((await read(later)).content).toBe("You said: later");
  expect(JSON.stringify(await maria.get("/agents").then(({ json }) => json))).not.toContain(partnerToken);
});

test("what it asks pauses the run here, and the answer goes to the same task, as a member and as a step", async () => {
  const asTeam = `[[tool:delegate_task_to_member ${JSON.stringify({ member_id: "refunds", task: REFUND })}]]`;
  const member = await begin("/teams/desk", asTeam);
  const step = await begin("/workflows/order", REFUND);
  await reaches(member, "PAUSED");
  await reaches(step, "PAUSED");
  const open = (await tasksThere("refund-desk")).map(({ id }: { id: string }) => id).sort();
  expect(open).toHaveLength(2);
  const paused = await read(member);
  const requirements = paused.requirements.map(answerOf);
  const { status } = await maria.post(`/teams/desk/runs/${member.run_id}/continue`, {
    form: {
      session_id: member.session_id,
      stream: "false",
      background: "true",
      requirements: JSON.stringify(requirements),
    },
  });
  expect(status).toBeLessThan(300);
  await reaches(member, "COMPLETED");
  const waiting = await read(step);
  const step_requirements = waiting.step_requirements.map((one: Requirement) => ({
    ...one,
    executor_requirements: one.executor_requirements?.map(answerOf),
  }));
  await maria.post(`/workflows/order/runs/${step.run_id}/continue`, {
    form: {
      session_id: step.session_id,
      stream: "false",
      background: "true",
      step_requirements: JSON.stringify(step_requirements),
    },
  });
  await reaches(step, "COMPLETED");
  const tasks = await tasksThere("refund-desk");
  expect(tasks.map(({ id }: { id: string }) => id).sort()).toEqual(open);
  expect(tasks.map((task: { status: { state: string } }) => task.status.state)).toEqual([
    "TASK_STATE_COMPLETED",
    "TASK_STATE_COMPLETED",
  ]);
});

// biome-ignore lint/suspicious/noExplicitAny: as the wire has it
type Requirement = any;
const answerOf = (requirement: Requirement) => {
  const { tool_execution: call } = requirement;
  const user_input_schema = call.user_input_schema.map((field: { name: string }) =>
    field.name === "answer" ? { ...field, value: "yes" } : field,
  );
  return {
    ...requirement,
    user_input_schema,
    tool_execution: { ...call, answered: true, user_input_schema },
  };
};

test("its tasks end with the runs here, whether they work or wait", async () => {
  const works = await begin("/agents/partner", "[[sleep:60000]]");
  const waits = await begin("/agents/refunds", REFUND);
  await reaches(waits, "PAUSED");
  const isWorking = async () =>
    (await tasksThere("assistant")).some((task: { status: { state: string } }) =>
      /WORKING/.test(task.status.state),
    );
  await expect.poll(isWorking).toBe(true);
  for (const { root, run_id, session_id } of [works, waits]) {
    await maria.post(`${root}/runs/${run_id}/cancel?session_id=${session_id}`, {});
  }
  await reaches(works, "CANCELLED");
  await reaches(waits, "CANCELLED");
  const states = async (agent: string) =>
    (await tasksThere(agent)).map((task: { status: { state: string } }) => task.status.state);
  await expect.poll(() => states("assistant")).toContain("TASK_STATE_CANCELED");
  await expect.poll(() => states("refund-desk")).toContain("TASK_STATE_CANCELED");
});
