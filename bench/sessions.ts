/**
 * Measures sessions as they grow, directly against the stores: lists of 1,000, 10,000 and 100,000 sessions, and
 * sessions with 500 and 5,000 runs as their routes answer them. In addition to the time it prints the number of items read,
 * which does not depend on the machine's load. `node bench/sessions.ts`; `--runs` measures the runs alone.
 */
import { getSession } from "../functions/sessions/get-session.ts";
import { listSessionRuns } from "../functions/sessions/list-session-runs.ts";
import type { Item } from "../shared/data/index.ts";
import { createModels } from "../shared/engine/model/create-models.ts";
import { httpAnswerOf } from "../shared/http/answer.ts";
import { sessionRoutes } from "../shared/routes/sessions.ts";
import { systemClock } from "../shared/runtime/clock.ts";
import { newRunId } from "../shared/runtime/ids.ts";
import type { Message } from "../shared/schemas/runs/run.ts";
import { runItem } from "../shared/stores/runs/run-item.ts";
import { listSessions, type SessionsQuery } from "../shared/stores/sessions/list-sessions.ts";
import { sessionItem } from "../shared/stores/sessions/session-item.ts";
import { putItems } from "../test/support/put-items.ts";
import { aJob, aRunOf, aSession, T0 } from "../test/support/records.ts";
import { startStores } from "../test/support/stores.ts";
import { printTable, type Row } from "./figures.ts";
import { timedItems } from "./timed-items.ts";

const SIZES = process.argv.includes("--runs") ? [] : [1_000, 10_000, 100_000];
const RUNS = [500, 5_000];
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
  for (const runs of RUNS) rows.push(...(await longSession(runs)));
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

/** What a client waits for to see a conversation: the handlers' answers as text. */
async function longSession(runs: number): Promise<Row[]> {
  const session_id = `long-${runs}`;
  await putItems(db, "sessions", [sessionItem(aSession({ session_id, component_id: "assistant" }))]);
  await putItems(
    db,
    "runs",
    Array.from({ length: runs }, (_, i) => aTurn(session_id, i)),
  );
  const deps = {
    db,
    clock: systemClock,
    findRunnable: async () => undefined,
    models: createModels({ MODEL: "scripted" }),
  };
  const asked = {
    params: { session_id },
    principal: { kind: "user", user_id: "maria", scopes: [], admin: false },
    body: undefined,
    headers: {},
    signal: new AbortController().signal,
    invocation: {},
  } as const;
  const readRuns = async (query: { limit?: number }) => {
    httpAnswerOf(sessionRoutes.listSessionRuns, await listSessionRuns({ ...asked, query }, deps));
  };
  const readSession = async (query: { history_runs?: number }) => {
    httpAnswerOf(sessionRoutes.getSession, await getSession({ ...asked, query }, deps));
  };
  const of = `of a session with ${runs.toLocaleString("en")}`;
  return [
    await timed(`as many runs as one answer holds, ${of}`, 5, () => readRuns({})),
    await timed(`the newest 50 runs ${of}`, 5, () => readRuns({ limit: 50 })),
    await timed(`all messages ${of}`, 3, () => readSession({})),
    await timed(`messages of the newest 50 runs ${of}`, 3, () => readSession({ history_runs: 50 })),
    await timed(`no messages ${of}`, 3, () => readSession({ history_runs: 0 })),
  ];
}

/** A turn of an agent that has a tool and is shown the three turns before. */
function aTurn(session_id: string, i: number): Item {
  const job = aJob({ id: newRunId(), session_id, created_at: T0 - 6_000 + i });
  const run = aRunOf(job, { status: "COMPLETED", opens_session: false });
  const said = (role: Message["role"], content: string, from_history = false): Message => ({
    id: newRunId(),
    role,
    content,
    from_history,
    stop_after_tool_call: false,
    created_at: T0,
  });
  const [question, answer] = [`question ${i} `.repeat(5), "a word ".repeat(80)];
  const earlier = [1, 2, 3].flatMap(() => [said("user", question, true), said("assistant", answer, true)]);
  const own = [said("user", question), said("tool", "a result ".repeat(50)), said("assistant", answer)];
  const messages = [said("system", "You are a helpful assistant. ".repeat(20)), ...earlier, ...own];
  return runItem({ ...run, output: { ...run.output, status: "COMPLETED", content: answer, messages } });
}
