/**
 * Measures what `GET /runs` reads as runs grow, directly against the stores. Runs are spread over 29 days, 1,000 users and
 * 5,000 sessions; one in a hundred has failed, one in a hundred is of a rare agent. `node bench/run-lists.ts [runs]`.
 */
import type { RunStatus } from "../shared/schemas/runs/run.ts";
import type { Db } from "../shared/stores/db.ts";
import { findRuns, type RunsQuery } from "../shared/stores/runs/listing/find-runs.ts";
import type { StoredRun } from "../shared/stores/runs/run-item.ts";
import { putRuns } from "../test/support/put-runs.ts";
import { aJob, aRunOf, T0 } from "../test/support/records.ts";
import { startStores } from "../test/support/stores.ts";
import { printTable, type Row } from "./figures.ts";
import { timedItems } from "./timed-items.ts";

const SIZES = [1_000, Number(process.argv[2] ?? 100_000)];
const SESSIONS = 5_000;
const PERIOD_SECONDS = 29 * 86_400;
const LIMIT = 20;

const kinds = (["agent", "team", "workflow"] as const).map((component_type) => ({
  component_type,
  ids: "all" as const,
}));
const statuses = (...some: RunStatus[]) => ({ statuses: new Set(some) });

type Search = Partial<RunsQuery> & { readonly page?: number };
const searches: Record<string, Search> = {
  "page 1, everybody's": {},
  "page 10, everybody's": { page: 10 },
  "one user's": { owner: "user-7" },
  "by agent, 1 %": { component_id: "rare" },
  "of a day, a week ago": { created_after: T0 - 8 * 86_400, created_before: T0 - 7 * 86_400 },
  "status ERROR, 1 %": statuses("ERROR"),
  "status COMPLETED": statuses("COMPLETED"),
  "status RUNNING, there is none": statuses("RUNNING"),
  "one user's, status ERROR": { owner: "user-7", ...statuses("ERROR") },
  "error_contains, one in 1,000": { error_contains: "throttled" },
};

const rows: Row[] = [];
for (const size of SIZES) rows.push(...(await measure(size)));
printTable(rows);

async function measure(size: number): Promise<Row[]> {
  const { db, stop } = await startStores();
  const timed = timedItems(db);
  try {
    const runs = Array.from({ length: size }, (_, i) => aRun(i, size));
    await putRuns(db, runs);
    const measured: Row[] = [];
    for (const [name, search] of Object.entries(searches)) {
      measured.push(await timed(`${name} of ${size.toLocaleString("en")}`, 3, () => readPage(db, search)));
    }
    return measured;
  } finally {
    await stop();
  }
}

async function readPage(db: Db, { page = 1, ...search }: Search): Promise<void> {
  let after_place: string | undefined;
  for (let at = 1; at <= page; at += 1) {
    const query = { owner: undefined, kinds, limit: LIMIT, after_place, ...search };
    ({ next_place: after_place } = await findRuns(db, query, T0));
  }
}

function aRun(i: number, of: number): StoredRun {
  const owner = `user-${i % 1_000}`;
  const job = aJob({
    session_id: `session-${i % SESSIONS}`,
    component_id: i % 100 === 3 ? "rare" : "assistant",
    user_id: owner,
    owner,
    created_at: T0 - Math.floor((i / of) * PERIOD_SECONDS),
  });
  const status = i % 100 === 7 ? "ERROR" : "COMPLETED";
  const run = aRunOf(job, { status });
  const content = status === "ERROR" && i % 1_000 === 7 ? "throttled by the model" : "done";
  return { ...run, output: { ...run.output, status, content } };
}
