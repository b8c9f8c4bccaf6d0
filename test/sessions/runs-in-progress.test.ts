import { afterAll, beforeAll, expect, test } from "vitest";
import { listSessionRuns } from "../../functions/sessions/list-session-runs.ts";
import { httpAnswerOf } from "../../shared/http/answer.ts";
import { sessionRoutes } from "../../shared/routes/sessions.ts";
import type { RunStatus } from "../../shared/schemas/runs/run.ts";
import type { RecordedEvent } from "../../shared/schemas/runs/run-event.ts";
import type { Db } from "../../shared/stores/db.ts";
import { appendEvents } from "../../shared/stores/runs/events.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { eventsKey } from "../../shared/stores/runs/run-keys.ts";
import { contentEvent } from "../events/content-event.ts";
import { manualClock } from "../support/manual-clock.ts";
import { putRuns } from "../support/put-runs.ts";
import { aJob, aRunOf } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { watchedDb } from "../support/watched-db.ts";

/** What a page that is loaded again is shown of a foreground run, in each order of its writes and the reads. */
let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const foreground = aRunOf(aJob(), { queued: false, attempt: 1 });

function aRun(status: RunStatus, content?: string): StoredRun {
  const run = { ...foreground, run_id: crypto.randomUUID(), session_id: crypto.randomUUID(), status };
  const { run_id, session_id } = run;
  return { ...run, output: { ...run.output, run_id, session_id, status, ...(content && { content }) } };
}

const principal = { kind: "user", user_id: foreground.owner ?? "", scopes: [], admin: false } as const;
async function listed(run: StoredRun, db: Db = stores.db): Promise<unknown> {
  const answer = await listSessionRuns(
    {
      params: { session_id: run.session_id },
      query: {},
      body: undefined,
      headers: {},
      principal,
      signal: new AbortController().signal,
      invocation: {},
    },
    { db, clock: manualClock(0) },
  );
  return JSON.parse(String(httpAnswerOf(sessionRoutes.listSessionRuns, answer).body));
}

const said = ({ run_id, session_id }: StoredRun, content: string): RecordedEvent => ({
  ...contentEvent(content),
  ...{ run_id, session_id, event_index: 0 },
});
const say = (run: StoredRun, content: string) =>
  appendEvents(stores.db, run, {
    run_id: run.run_id,
    attempt: 1,
    startsOver: true,
    events: [said(run, content)],
  });

test("what has been said is shown from the moment it is stored, and until then the session is unknown", async () => {
  const run = aRun("RUNNING");
  await putRuns(stores.db, [run]);
  await expect(listed(run)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await say(run, "word1");
  expect(await listed(run)).toMatchObject([{ status: "RUNNING", content: "word1" }]);
});

/** The store, where something happens between the read of a run's record and that of its events. */
function between(run: StoredRun, happens: () => Promise<void>): Db {
  let happened = false;
  return watchedDb(stores.db, {
    before: async ({ input }) => {
      if (happened || !JSON.stringify(input).includes(eventsKey(run.run_id))) return;
      happened = true;
      await happens();
    },
  });
}

test("a run that ends while it is read is shown with its end, although it had said nothing until then", async () => {
  const run = aRun("RUNNING");
  await putRuns(stores.db, [run]);
  const ended = aRun("COMPLETED", "word1");
  const { run_id, session_id } = run;
  const end = { ...ended, run_id, session_id, output: { ...ended.output, run_id, session_id } };
  const db = between(run, () => putRuns(stores.db, [end]));
  expect(await listed(run, db)).toMatchObject([{ status: "COMPLETED", content: "word1" }]);
});

test("a run whose first text is stored while it is read is shown with what it has said", async () => {
  const run = aRun("RUNNING");
  await putRuns(stores.db, [run]);
  const db = between(run, () => say(run, "word1"));
  expect(await listed(run, db)).toMatchObject([{ status: "RUNNING", content: "word1" }]);
});
