import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { searchTerms } from "../../shared/domain/runs/run-search.ts";
import type { ToolExecution } from "../../shared/schemas/runs/run.ts";
import type { StoredOutput } from "../../shared/schemas/runs/stored-output.ts";
import type { Db } from "../../shared/stores/db.ts";
import { evalItem } from "../../shared/stores/evals/eval-item.ts";
import { giveFeedback } from "../../shared/stores/feedback/index.ts";
import { findRuns, type RunsQuery } from "../../shared/stores/runs/listing/find-runs.ts";
import { runItem, type StoredRun, spillRun } from "../../shared/stores/runs/run-item.ts";
import { createSession } from "../../shared/stores/sessions/session-writes.ts";
import { anOnlineEval } from "../support/online-eval.ts";
import { putItems } from "../support/put-items.ts";
import { aJob, aRunOf, aSessionOf, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

const kinds = [{ component_type: "agent" as const, ids: "all" as const }];

let stores: TestStores;
let db: Db;
beforeAll(async () => {
  stores = await startStores();
  db = stores.db;
});
afterAll(() => stores.stop());

let made = 0;
type Said = Partial<StoredOutput> & { readonly said?: string; readonly version?: number };
/** A run of a user, each a second older than the one before, with a session of its own. */
async function aRunSaying(
  owner: string,
  { said = "hello", version, ...output }: Said = {},
): Promise<StoredRun> {
  const job = aJob({ owner, user_id: owner, payload: { input: said, kwargs: {} }, created_at: T0 - ++made });
  const run = aRunOf(job, { status: output.error === undefined ? "COMPLETED" : "ERROR" });
  const stored = {
    ...run,
    ...(version && { component_version: version }),
    output: { ...run.output, ...output },
  };
  await createSession(db, aSessionOf(job));
  await putItems(db, "runs", [runItem(await spillRun(db, stored))]);
  return stored;
}

const search = async (owner: string | undefined, query: Partial<RunsQuery>) => {
  const { runs } = await findRuns(db, { owner, kinds, limit: 100, ...query }, T0);
  return runs.map(({ run_id }) => run_id);
};
const of = (q: string) => ({ terms: searchTerms(q) });
const aCall = (tool_name: string) => ({ tool_name }) as ToolExecution;

describe("a search over runs", () => {
  test("finds those that the judge of their component has found so, together with other conditions", async () => {
    const [passed, not, failed, unjudged] = await Promise.all(
      ["one", "two", "three", "one"].map((said) => aRunSaying("vera", { said })),
    );
    const judged = [
      [passed, "passed"],
      [not, "not passed"],
      [failed, "failed"],
    ] as const;
    const evals = judged.flatMap(([run, ended]) =>
      run ? [evalItem(anOnlineEval({ ...run, user_id: run.owner }, ended, T0))] : [],
    );
    await putItems(db, "evals", evals);
    expect(await search("vera", { verdict: "passed" })).toEqual([passed?.run_id]);
    expect(await search("vera", { verdict: "not_passed" })).toEqual([not?.run_id]);
    expect(await search("vera", { ...of("one"), verdict: "passed" })).toEqual([passed?.run_id]);
    expect(await search("vera", { ...of("two"), verdict: "passed" })).toEqual([]);
    expect(await search("vera", of("one"))).toEqual([passed?.run_id, unjudged?.run_id]);
  });

  test("finds words and phrases of the input, the answer and the error, whatever their case and accents", async () => {
    const asked = await aRunSaying("sara", { said: "Where is order A-4471?\n Maria asked" });
    const answered = await aRunSaying("sara", { content: "It is in the Café of Zürich." });
    const structured = await aRunSaying("sara", { content: { city: "Lisbon" } });
    const failed = await aRunSaying("sara", { content: "half of it", error: "the service answered 503" });
    expect(await search("sara", of("a-4471"))).toEqual([asked.run_id]);
    expect(await search("sara", of('"is order" MARIA'))).toEqual([asked.run_id]);
    expect(await search("sara", of('"a-4471? maria"'))).toEqual([asked.run_id]);
    expect(await search("sara", of('"order is"'))).toEqual([]);
    expect(await search("sara", of("cafe zurich"))).toEqual([answered.run_id]);
    expect(await search("sara", of("lisbon"))).toEqual([structured.run_id]);
    expect(await search("sara", of("503"))).toEqual([failed.run_id]);
    expect(await search("sara", of("half"))).toEqual([failed.run_id]);
    expect(await search("sara", of("a-4471 lisbon"))).toEqual([]);
  });

  test("finds what is far behind the beginning of a long text", async () => {
    const long = `${"lorem ipsum ".repeat(12_000)} needle`;
    const asked = await aRunSaying("lena", { said: long });
    const answered = await aRunSaying("lena", { content: long });
    await aRunSaying("lena", { content: "lorem" });
    expect(await search("lena", of("needle"))).toEqual([asked.run_id, answered.run_id]);
  });

  test("finds a run by what was said about it, alone or together with its own words", async () => {
    const run = await aRunSaying("cora", { said: "the invoice of May" });
    await aRunSaying("cora", { said: "the invoice of June" });
    const { session_id, run_id } = run;
    const session = { session_id, created_at: run.output.created_at };
    const said = { key: "thumb", score: 0, comment: "Wrong currency", source: "api", role: "user" } as const;
    const component = { component_type: "agent", component_id: "assistant" } as const;
    const who = { run_id, session_id, user_id: "cora", author: "cora" };
    expect((await giveFeedback(db, session, { ...who, ...component, ...said }, T0)).outcome).toBe("created");
    expect(await search("cora", of("currency"))).toEqual([run_id]);
    expect(await search("cora", of("invoice currency"))).toEqual([run_id]);
    expect(await search("cora", of("june currency"))).toEqual([]);
  });

  test("never reads another user's runs", async () => {
    const own = await aRunSaying("anna", { said: "a shared secret word" });
    const others = await aRunSaying("berta", { said: "a shared secret word" });
    expect(await search("anna", of("secret"))).toEqual([own.run_id]);
    expect(await search("berta", of("secret"))).toEqual([others.run_id]);
    expect(await search(undefined, of("secret"))).toEqual([own.run_id, others.run_id]);
  });

  test("by version, cost, duration, and by tool also of members and steps", async () => {
    const dear = await aRunSaying("vera", { version: 3, metrics: { cost: 0.2, duration: 9 } });
    const team = await aRunSaying("vera", {
      metrics: { cost: 0.01 },
      total_metrics: { cost: 0.5, duration: 2 },
      tools: [aCall("delegate")],
      member_responses: [{ ...dear.output, content: "", tools: [aCall("issue_refund")] }],
    });
    const flow = await aRunSaying("vera", {
      step_executor_runs: [{ ...dear.output, content: "", tools: [aCall("issue_refund")] }],
    });
    expect(await search("vera", { version: 3 })).toEqual([dear.run_id]);
    expect(await search("vera", { cost_min: 0.2 })).toEqual([dear.run_id, team.run_id]);
    expect(await search("vera", { duration_min: 3 })).toEqual([dear.run_id]);
    expect(await search("vera", { tool: "delegate" })).toEqual([team.run_id]);
    expect(await search("vera", { tool: "issue_refund" })).toEqual([team.run_id, flow.run_id]);
    expect(await search("vera", { tool: "issue_refund", ...of("nothing") })).toEqual([]);
  });

  test("ends a page where enough was read, says how far it looked, and goes on there", async () => {
    const text = "filler ".repeat(7_000);
    const runs: StoredRun[] = [];
    for (let i = 0; i < 60; i += 1)
      runs.push(await aRunSaying("gina", { said: text, content: `${text} ${i}` }));
    const query = { owner: "gina", kinds, limit: 100, ...of("filler 59") };
    let place: string | undefined;
    const found: string[] = [];
    const looked: number[] = [];
    do {
      const page = await findRuns(db, { ...query, after_place: place }, T0, { units: 600, bytes: 1_000_000 });
      found.push(...page.runs.map(({ run_id }) => run_id));
      looked.push(page.looked_at.runs);
      place = page.next_place;
      const last = runs[looked.reduce((sum, one) => sum + one, 0) - 1];
      expect(page.looked_at.back_to).toBe(last?.output.created_at);
    } while (place !== undefined);
    expect(found).toEqual([runs[59]?.run_id]);
    expect(looked).toEqual([25, 25, 10]);
  });
});

describe("the terms of a search", () => {
  test.each([
    ['  "Two  Words" one', ["two words", "one"]],
    ['open "phrase', ["open", "phrase"]],
    ["same SAME", ["same"]],
  ])("%s", (q, terms) => expect(searchTerms(q)).toEqual(terms));

  test.each(["", " ", '""', '" "'])("%o asks for nothing", (q) => expect(searchTerms(q)).toBeUndefined());
});
