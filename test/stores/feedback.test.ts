import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { epochSeconds, systemClock } from "../../shared/runtime/clock.ts";
import {
  feedbackOfRun,
  type GivenFeedback,
  giveFeedback,
  type JudgedSession,
  removeFeedback,
  removeFeedbackOfRun,
  type StoredFeedback,
} from "../../shared/stores/feedback/index.ts";
import { removeSessions } from "../../shared/stores/sessions/remove-sessions.ts";
import { createSession } from "../../shared/stores/sessions/session-writes.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { queueWorld } from "../support/queue-world.ts";
import { aSession, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { watchedDb } from "../support/watched-db.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

let made = 0;
async function aJudgedRun(): Promise<{ session: JudgedSession; given: GivenFeedback }> {
  const name = `f-${++made}`;
  const session = aSession({ session_id: name, created_at: T0 });
  await createSession(stores.db, session);
  const given: GivenFeedback = {
    run_id: `run-${name}`,
    session_id: name,
    component_type: "agent",
    component_id: "assistant",
    user_id: "maria",
    author: "maria",
    key: "thumb",
    score: 1,
    source: "api",
    role: "user",
  };
  return { session, given };
}

describe("many at once", () => {
  test("ten equal votes are one record, which one of them has created", async () => {
    const { session, given } = await aJudgedRun();
    const all = await Promise.all(
      Array.from({ length: 10 }, () => giveFeedback(stores.db, session, given, T0)),
    );
    expect(all.filter(({ outcome }) => outcome === "created")).toHaveLength(1);
    expect(all.filter(({ outcome }) => outcome === "unchanged")).toHaveLength(9);
    const { feedback, summary } = await feedbackOfRun(stores.db, given.run_id);
    expect(feedback).toHaveLength(1);
    expect(summary).toEqual({ thumb: { count: 1, sum: 1, scores: { 1: 1 } } });
  });

  test("of ten changes and ten authors the sums are those of what is there", async () => {
    const { session, given } = await aJudgedRun();
    await Promise.all([
      ...[1, 2, 3, 4, 5].map((score) =>
        giveFeedback(stores.db, session, { ...given, key: "rating", score }, T0),
      ),
      ...[0, 1, 1, 0, 1].map((score, n) =>
        giveFeedback(stores.db, session, { ...given, author: `guest-${n}`, score }, T0),
      ),
    ]);
    const { feedback, summary } = await feedbackOfRun(stores.db, given.run_id);
    const [rating] = feedback.filter(({ key }) => key === "rating");
    expect(feedback).toHaveLength(6);
    expect(summary).toEqual({
      rating: { count: 1, sum: rating?.score, scores: { [String(rating?.score)]: 1 } },
      thumb: { count: 5, sum: 3, scores: { 0: 2, 1: 3 } },
    });
  });
});

describe("removal", () => {
  test("refuses votes as soon as the session is removed, and leaves nothing", async () => {
    const { session, given } = await aJudgedRun();
    const votes = Array.from({ length: 8 }, (_, n) =>
      giveFeedback(stores.db, session, { ...given, author: `guest-${n}` }, T0),
    );
    const removal = removeSessions(stores.db, [session.session_id], () => true, T0);
    const outcomes = await Promise.all(votes);
    await removal;
    expect(outcomes.every(({ outcome }) => outcome === "created" || outcome === "gone")).toBe(true);
    const late = await giveFeedback(stores.db, session, { ...given, author: "late" }, T0);
    expect(late.outcome).toBe("gone");
    await removeFeedbackOfRun(stores.db, given.run_id);
    expect(await feedbackOfRun(stores.db, given.run_id)).toEqual({ feedback: [], summary: {} });
  });

  test("a session that has the id of a removed one has none of its feedback", async () => {
    const { session, given } = await aJudgedRun();
    const successor = { ...session, created_at: session.created_at + 1 };
    expect((await giveFeedback(stores.db, successor, given, T0)).outcome).toBe("gone");
  });

  test("a process that dies at any write leaves the record and its sums agreeing", async () => {
    const { session, given } = await aJudgedRun();
    const steps = [
      (db: typeof stores.db) => giveFeedback(db, session, given, T0),
      (db: typeof stores.db) => giveFeedback(db, session, { ...given, score: 0 }, T0),
      (db: typeof stores.db) =>
        removeFeedback(db, session, { ...given, feedback_id: "" } as StoredFeedback, T0),
    ];
    for (const step of steps) {
      for (const when of ["before", "after"] as const) {
        await step(breakingDb(stores.db, 1, when).db).catch(() => undefined);
        const { feedback, summary } = await feedbackOfRun(stores.db, given.run_id);
        expect(summary.thumb?.count ?? 0).toBe(feedback.length);
        expect(summary.thumb?.sum ?? 0).toBe(feedback[0]?.score ?? 0);
      }
    }
    expect((await feedbackOfRun(stores.db, given.run_id)).feedback).toEqual([]);
  });
});

test("a run without feedback reads and writes no feedback", async () => {
  const touched: string[] = [];
  const db = watchedDb(stores.db, {
    before: async ({ input }) => void touched.push(JSON.stringify(input)),
  });
  const world = queueWorld(db);
  await world.deliver(
    (await world.submit("hello", { session_id: `unjudged-${epochSeconds(systemClock)}` })).run_id,
  );
  expect(touched.length).toBeGreaterThan(5);
  expect(touched.filter((input) => input.includes(stores.db.tables.feedback))).toEqual([]);
});
