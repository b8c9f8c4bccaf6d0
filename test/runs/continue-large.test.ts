import { afterAll, beforeAll, expect, test } from "vitest";
import { forkComponentSession } from "../../functions/runs/fork-component-session.ts";
import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import { Reply } from "../../shared/http/handler.ts";
import { continueComponentRun, createComponentRun } from "../../shared/runs/index.ts";
import type { AcceptedRun, RunOutput } from "../../shared/schemas/runs/run.ts";
import { getApproval } from "../../shared/stores/approvals/approval-item.ts";
import { wholeJob } from "../../shared/stores/jobs/job-item.ts";
import { getRunHead } from "../../shared/stores/runs/get-run.ts";
import { listRuns } from "../../shared/stores/runs/listing/list-runs.ts";
import { type QueueWorld, queueWorld } from "../support/queue-world.ts";
import { T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const LARGE = "0123456789abcdef".repeat(60_000);
const component = { kind: "agent" as const, id: "front-desk" };

async function start(world: QueueWorld, message: string): Promise<AcceptedRun> {
  const answer = await createComponentRun({ ...world.request(message), component }, world);
  if (!(answer instanceof Reply)) throw new Error("the run was not accepted");
  await world.deliverAll();
  return answer.body as AcceptedRun; // as a background submission answers
}

const continueWith = (world: QueueWorld, { run_id, session_id }: AcceptedRun, tools: unknown) =>
  continueComponentRun(
    {
      ...world.request(""),
      component,
      params: { run_id },
      body: {
        session_id,
        tools: JSON.stringify(tools),
        stream: false,
        background: true,
        stream_events: true,
        fork: false,
        regenerate: false,
      },
    },
    world,
  );

test("a result of a megabyte is taken through the queue, and the job shows it whole", async () => {
  const world = queueWorld(stores.db);
  const run = await start(world, '[[tool:read_device_file {"path":"notes.txt"}]]');
  const [call] = (await world.run(run))?.output.tools ?? [];
  const answer = [{ tool_call_id: call?.tool_call_id, result: LARGE }];
  expect(await continueWith(world, run, answer)).toMatchObject({ status: 202 });
  await world.deliverAll();
  const stored = { chars: LARGE.length, lines: 1, stored: true };
  expect(await world.run(run)).toMatchObject({
    status: "COMPLETED",
    output: { tools: [{ stored_result: stored }] },
  });
  const job = await world.job(run.run_id);
  expect(job).toMatchObject({ status: "completed", payload: { truncated: true } });
  const whole = job && (await wholeJob(stores.db, job));
  expect(whole?.payload.continue?.updated_tools).toEqual(answer);
});

test("a paused run whose messages are large takes its approval with it, also when it is read without them", async () => {
  const world = queueWorld(stores.db);
  const run = await start(world, `${LARGE}[[tool:pay_invoice {"invoice_id":"${LARGE}","amount":80}]]`);
  const paused = await world.run(run);
  const id = paused?.output.tools?.[0]?.approval_id ?? "none";
  expect(await getApproval(stores.db, id)).toMatchObject({ status: "pending", tool_args: null });
  const head = await getRunHead(stores.db, { owner: "maria", ...run }, T0);
  expect(head?.output.tools).toBeUndefined();
  if (head) await cancelRun(stores.db, head, T0 + 1, 86_400);
  expect(await getApproval(stores.db, id)).toMatchObject({ status: "cancelled", run_status: "CANCELLED" });
});

test("a session with large runs is copied whole", async () => {
  const world = queueWorld(stores.db);
  const first = await world.submit(LARGE);
  await world.deliverAll();
  const answer = await forkComponentSession(
    {
      ...world.request(""),
      body: undefined,
      params: { session_id: first.session_id },
    },
    world,
  );
  const { session_id } = answer as { session_id: string }; // as the route answers
  const [copy] = await listRuns(stores.db, "maria", session_id, T0);
  const output: RunOutput | undefined = (await world.run(first))?.output;
  expect(copy?.output.messages).toEqual(output?.messages);
});
