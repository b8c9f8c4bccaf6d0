import { afterAll, beforeAll, expect, test } from "vitest";
import type { Agent } from "../../shared/engine/define/agent.ts";
import { readContext, readHistory } from "../../shared/engine/lifecycle/read-context.ts";
import { messageText } from "../../shared/engine/model/parse-script.ts";
import type { Message, RunOutput } from "../../shared/schemas/runs/run.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { copyResults, storedResultIds, storedResultsOf } from "../../shared/stores/runs/stored-results.ts";
import { aRequest, runAgent } from "../engine/support/run-agent.ts";
import {
  agentWith,
  known,
  lookingUp,
  SESSION,
  strictModel,
  WINDOW,
  withStore,
} from "../engine/support/strict-model.ts";
import { objectsInMemory } from "../support/objects-in-memory.ts";
import { putRuns } from "../support/put-runs.ts";
import { aJob, aRunOf } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

/** What the runs of a session are shown of earlier ones that were longer than their model's window. */
let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const LATER = 4_000_000_000;
const STEPS = 25;

/** A session whose runs have so many steps each. */
function aSession(parts: Partial<Agent> = {}, chars = 1_000) {
  const results = objectsInMemory();
  const agent = { ...agentWith(chars), add_history_to_context: true, ...parts };
  const { session_id } = aJob();
  let ids = 0;
  const nextRun = (): StoredRun => {
    const run = aRunOf(aJob({ session_id, id: `run-${session_id}-${++ids}` }), { status: "COMPLETED" });
    return { ...run, opens_session: ids === 1 };
  };
  /** Executes and stores a run. @returns what its model was shown first and last */
  async function execute() {
    const run = nextRun();
    const { history } = await readContext(stores.db, agent, run, LATER);
    const { models, prompts, refused } = strictModel(lookingUp(STEPS));
    const input = `begin ${run.run_id}`;
    const request = aRequest(input, { run_id: run.run_id, session_id, history });
    const newId = () => `${run.run_id}/${++ids}`;
    const { outcome } = await runAgent(input, {
      ...withStore({ agent, request, newId, models: known(models, WINDOW) }),
      results: storedResultsOf({ objects: results }, SESSION),
    });
    expect(refused).toEqual([]);
    const { metrics } = outcome.output;
    expect(metrics?.additional_metrics?.context?.folds?.length).toBeGreaterThan(0);
    const output = JSON.parse(
      JSON.stringify({ ...run.output, ...outcome.output, run_id: run.run_id, session_id }),
    );
    await putRuns(stores.db, [{ ...run, output }]);
    const [first = [], last = []] = [prompts[0], prompts.at(-1)];
    return { run, output: output as RunOutput, history, first, last };
  }
  const texts = (history: readonly Message[]) => history.map(({ content = "" }) => content);
  return { agent, execute, nextRun, results, texts };
}

test("the next run begins with what the last one was shown, and with nothing of what that had folded", async () => {
  const { execute, texts, nextRun } = aSession();
  const one = await execute();
  const two = await execute();
  expect(two.first.slice(0, one.last.length).map(messageText)).toEqual(one.last.map(messageText));
  expect(two.history.length).toBeLessThan(STEPS);
  expect(texts(two.history)[1]).toMatch(/^\[The beginning of this conversation, \d+ messages, is left out/);
  const three = await execute();
  expect(three.first.slice(0, two.last.length).map(messageText)).toEqual(two.last.map(messageText));
  expect(texts(three.history)[0]).toBe(`begin ${two.run.run_id}`);
  const whole = await readHistory(stores.db, nextRun(), 3, LATER);
  expect(whole).toHaveLength(3 * (2 * STEPS + 2));
});

test("a copy of the session has what was folded, and names nothing that it cannot read", async () => {
  const { agent, execute, results, nextRun, texts } = aSession({}, 1_900);
  const { run, output } = await execute();
  expect(output.metrics?.additional_metrics?.context?.cleared_to).toBeDefined();
  const copy = aRunOf(aJob({ session_id: `${run.session_id}-copy` }), { status: "COMPLETED" });
  const at = { run_id: copy.run_id, session_id: copy.session_id };
  const copied: StoredRun = { ...copy, output: { ...output, ...at, forked_from_run_id: run.run_id } };
  await putRuns(stores.db, [copied]);
  const to = storedResultsOf({ objects: results }, { owner: copy.owner, session_id: copy.session_id });
  await copyResults({ objects: results }, storedResultIds(output), SESSION, {
    owner: copy.owner,
    session_id: copy.session_id,
  });
  const next = { ...nextRun(), session_id: copy.session_id, opens_session: false };
  const { history } = await readContext(stores.db, agent, next, LATER);
  const named = [
    ...new Set(
      texts(history)
        .join("\n")
        .match(/res_[0-9a-f]{10}/g) ?? [],
    ),
  ];
  expect(named.length).toBeGreaterThan(0);
  for (const id of named) expect(await to.get(id)).toBeDefined();
});

test("the next run is shown as many runs as its agent says, each as it was shown last", async () => {
  const { agent, execute, nextRun, texts } = aSession({ num_history_runs: 2 });
  const [one, two] = [await execute(), await execute()];
  const { history } = await readContext(stores.db, agent, nextRun(), LATER);
  expect(texts(history).filter((text) => text.startsWith("begin"))).toEqual([
    `begin ${one.run.run_id}`,
    `begin ${two.run.run_id}`,
  ]);
  expect(history.length).toBeLessThan(2 * STEPS);
});

test("what an agent says before every input is shown once, before the history, of runs that were folded and of those that were not", async () => {
  const example = [
    { role: "user" as const, content: "Ping?" },
    { role: "assistant" as const, content: "Pong." },
  ];
  const { execute, texts } = aSession({ additional_input: example, instructions: "Be brief." });
  const runs = [await execute(), await execute(), await execute()];
  for (const { first, last, history } of runs) {
    expect(first.slice(0, 3).map(messageText)).toEqual(["Be brief.", "Ping?", "Pong."]);
    for (const prompt of [first, last]) {
      const shown = prompt.map(messageText);
      expect([shown.filter((text) => text === "Ping?"), shown.filter((text) => text === "Pong.")]).toEqual([
        ["Ping?"],
        ["Pong."],
      ]);
    }
    expect(texts(history)).not.toContain("Ping?");
  }
});
