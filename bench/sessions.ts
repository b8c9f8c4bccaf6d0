/**
 * Measures sessions as they grow, directly against the stores: lists of 1,000, 10,000 and 100,000 sessions, and one
 * session with 5,000 runs. In addition to the time it prints the number of items read, which does not depend on the machine's
 * load. `node bench/sessions.ts`.
 */
import { listRunsBetween } from "../shared/stores/runs/listing/list-runs-between.ts";
import { runItem } from "../shared/stores/runs/run-item.ts";
import { listSessions, type SessionsQuery } from "../shared/stores/sessions/list-sessions.ts";
import { sessionItem } from "../shared/stores/sessions/session-item.ts";
import { putItems } from "../test/support/put-items.ts";
import { aJob, aRunOf, aSession, T0 } from "../test/support/records.ts";
import { startStores } from "../test/support/stores.ts";
import { printTable, type Row } from "./figures.ts";
import { timedItems } from "./timed-items.ts";

const SIZES = [1_000, 10_000, 100_000];
const RUNS = 5_000;
/** Long after every session was opened, so that the cached counts may include them. */
const NOW = T0 + 1_000;

const cases: Record<string, Partial<SessionsQuery>> = {
  "page 1, everybody's": {},
  "page 1, one user's": { owner: "kim" },
  "page 1, one agent's": { component_id: "agent-3" },
  "page 100": { page: 100 },
  "page 1, by name": { session_name: "99" },
};

const { db, stop } = await startStores();
const timed = timedItems(db);
const rows: Row[] = [];
try {
  let seeded = 0;
  for (const size of SIZES) {
    await seedSessions(seeded, size);
    seeded = size;
    rows.push(await timed(`first list of ${size.toLocaleString("en")}`, 1, () => list({}, size)));
    for (const [name, query] of Object.entries(cases)) rows.push(await measure(name, query, size));
  }
  rows.push(...(await longSession()));
} finally {
  await stop();
}
printTable(rows);

async function list(query: Partial<SessionsQuery>, size: number): Promise<void> {
  const whole: SessionsQuery = {
    owner: undefined,
    type: undefined,
    component_id: undefined,
    session_name: undefined,
    page: 1,
    limit: 20,
    sort_by: "created_at",
    sort_order: "desc",
    ...query,
  };
  const { total } = await listSessions(db, whole, NOW);
  if (Object.keys(query).length === 0 && total !== size) throw new Error(`${total} of ${size} were counted`);
}

async function measure(name: string, query: Partial<SessionsQuery>, size: number): Promise<Row> {
  await list(query, size);
  const what = `${name} of ${size.toLocaleString("en")}`;
  return timed(what, query.session_name ? 3 : 20, () => list(query, size));
}

/** Half of the sessions are one user's; ten agents have as many each. */
async function seedSessions(from: number, to: number): Promise<void> {
  const items = Array.from({ length: to - from }, (_, i) => {
    const n = from + i;
    return sessionItem(
      aSession({
        session_id: `session-${n}`,
        user_id: n % 2 === 0 ? "kim" : `user-${n % 50}`,
        component_id: `agent-${n % 10}`,
        session_name: `Session ${n}`,
        created_at: T0 - 200_000 + n,
      }),
    );
  });
  await putItems(db, "sessions", items);
}

async function longSession(): Promise<Row[]> {
  const session_id = "long";
  const items = Array.from({ length: RUNS }, () => {
    const run = aRunOf(aJob({ session_id }), { status: "COMPLETED" });
    return runItem({ ...run, output: { ...run.output, content: "x".repeat(1_000) } });
  });
  await putItems(db, "runs", items);
  const read = async (maxBytes: number) => {
    const weigh = () => 1_500;
    await listRunsBetween(db, "maria", session_id, { maxBytes, weigh }, NOW);
  };
  const of = `of a session with ${RUNS.toLocaleString("en")}`;
  return [
    await timed(`all runs ${of}`, 5, () => read(Number.POSITIVE_INFINITY)),
    await timed(`as many as one answer holds, ${of}`, 5, () => read(4_000_000)),
  ];
}
