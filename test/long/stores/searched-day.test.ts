import { afterAll, beforeAll, expect, test } from "vitest";
import { searchTerms } from "../../../shared/domain/runs/run-search.ts";
import { findRuns } from "../../../shared/stores/runs/listing/find-runs.ts";
import { putRuns } from "../../support/put-runs.ts";
import { aJob, aRunOf, T0 } from "../../support/records.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

const RUNS = 5_000;
const kinds = [{ component_type: "agent" as const, ids: "all" as const }];

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

test("a day of 5,000 runs is searched page by page: each page says how far it looked, and nothing is missed", async () => {
  const isWanted = (i: number): boolean => i % 997 === 3;
  const runs = Array.from({ length: RUNS }, (_, i) => {
    const created_at = T0 - i * 17;
    const job = aJob({ session_id: `day-${i % 40}`, owner: "dora", user_id: "dora", created_at });
    const run = aRunOf(job, { status: "COMPLETED" });
    return { ...run, output: { ...run.output, content: isWanted(i) ? `order A-${i}` : "nothing of it" } };
  });
  await putRuns(stores.db, runs);
  const query = { owner: "dora", kinds, limit: 100, terms: searchTerms('"order A"') };
  const found: string[] = [];
  let looked = 0;
  let pages = 0;
  let place: string | undefined;
  do {
    const page = await findRuns(stores.db, { ...query, after_place: place }, T0);
    found.push(...page.runs.map(({ run_id }) => run_id));
    looked += page.looked_at.runs;
    pages += 1;
    place = page.next_place;
    if (page.looked_at.runs > 0) expect(page.looked_at.back_to).toBe(runs[looked - 1]?.output.created_at);
  } while (place !== undefined);
  expect(looked).toBe(RUNS);
  expect(found).toEqual(runs.filter((_, i) => isWanted(i)).map(({ run_id }) => run_id));
  expect(pages).toBeGreaterThan(RUNS / 1_000);
});
