import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AcceptedRun, RunOutput } from "../../../shared/schemas/runs/run.ts";
import { GRACE_SECONDS, untilLocksAreStale } from "../../support/kill-campaign.ts";
import { type KillablePlatform, killablePlatform } from "../../support/killable-platform.ts";

/** Increments of a session's state by runs that wait for one another, pause and are killed. */
const RUNS = 9;
const RESTS_WITHIN_MS = 120_000;
const TIMEOUT_MS = 500_000;
const session_id = crypto.randomUUID();

let platform: KillablePlatform;
beforeAll(async () => {
  platform = await killablePlatform(
    { LOCK_GRACE_SECONDS: String(GRACE_SECONDS), MAX_ATTEMPTS: "5" },
    "special",
  );
  await platform.start();
}, TIMEOUT_MS);
afterAll(() => platform?.end());

const runs = "/agents/counter/runs";
const read = async ({ run_id }: AcceptedRun): Promise<RunOutput> =>
  (await platform.admin.get(`${runs}/${run_id}?session_id=${session_id}`)).json;

async function submit(at: number): Promise<AcceptedRun> {
  const bump = at % 3 === 1 ? "[[tool:bump_confirmed {}]]" : '[[tool:bump {"ms":400}]]';
  const put = `[[tool:put {"key":"k${at}","chars":8000}]]`;
  const form = { message: `${bump}${put}`, session_id, stream: "false", background: "true" };
  const sent = await platform.admin.post(runs, { form });
  expect(sent.status).toBe(202);
  return sent.json;
}

/** A person confirms what waits, until the run has ended. */
async function ended(run: AcceptedRun): Promise<RunOutput> {
  for (const until = Date.now() + RESTS_WITHIN_MS; Date.now() < until; await pause(250)) {
    const output = await read(run);
    if (output.status === "PAUSED") {
      const tools = JSON.stringify(output.tools?.map((tool) => ({ ...tool, confirmed: true })));
      await platform.admin.post(`${runs}/${run.run_id}/continue`, {
        form: { session_id, stream: "false", background: "true", tools },
      });
    } else if (output.status === "COMPLETED" || output.status === "ERROR") return output;
  }
  throw new Error(`the run ${run.run_id} does not end`);
}

test(
  "N runs that wait for one another end as N, over pauses and kills, and no key is lost",
  async () => {
    const accepted: AcceptedRun[] = [];
    for (let at = 0; at < RUNS; at += 1) accepted.push(await submit(at));
    for (const at of [0, 3, 6]) {
      const [first, second] = [accepted[at], accepted[at + 1]];
      if (!first || !second) throw new Error("there are not as many runs");
      await expect.poll(async () => (await read(first)).status).not.toBe("PENDING");
      await pause(150);
      await platform.kill();
      await untilLocksAreStale(Date.now());
      await platform.start();
      await ended(first);
      await ended(second);
    }
    const outputs: RunOutput[] = [];
    for (const run of accepted) outputs.push(await ended(run));
    expect(outputs.map(({ status }) => status)).toEqual(accepted.map(() => "COMPLETED"));
    const { session_state } = (await platform.admin.get(`/sessions/${session_id}`)).json;
    expect(session_state.n).toBe(RUNS);
    const keys = accepted.map((_, at) => `k${at}`);
    expect(Object.keys(session_state).sort()).toEqual([...keys, "log", "n"].sort());
  },
  TIMEOUT_MS,
);
