import { afterAll, beforeAll, expect } from "vitest";
import type { Feedback } from "../../../shared/schemas/feedback/feedback.ts";
import { feedbackItem } from "../../../shared/stores/feedback/feedback-item.ts";
import {
  type FeedbackQuery,
  listFeedback,
  type StoredFeedback,
  wireFeedback,
} from "../../../shared/stores/feedback/index.ts";
import { clientOf } from "../../support/client.ts";
import { putItems } from "../../support/put-items.ts";
import { T0 } from "../../support/records.ts";
import { test } from "../../support/shared-platform.ts";
import { viewStores } from "../../support/stored.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const keys = ["thumb", "rating", "tone"] as const;
/** A thousand, of a week that no other test has. */
const all = Array.from({ length: 1_000 }, (_, n): StoredFeedback => {
  const key = keys[n % 3] ?? "thumb";
  return {
    feedback_id: `fb_${String(n).padStart(20, "0")}`,
    run_id: `listed-${n}`,
    session_id: "listed",
    component_type: n % 2 ? "agent" : "team",
    component_id: `c-${n % 4}`,
    component_version: (n % 5) + 1,
    user_id: `listed-${n % 7}`,
    key,
    ...(key !== "tone" && { score: n % 6 }),
    source: n % 11 ? "api" : "chat",
    author: null,
    role: n % 13 ? "user" : "operator",
    review_status: n % 17 ? "new" : "reviewed",
    created_at: T0 - 10_000 + Math.floor(n / 2),
    updated_at: T0,
    revision: 1,
  };
});

test("lists of a thousand are what a recount of them says, page by page", async () => {
  await putItems(stores.db, "feedback", all.map(feedbackItem));
  const ours = { created_after: T0 - 10_000, created_before: T0 - 9_000 };
  const idsOf = async (query: Omit<FeedbackQuery, "limit" | "owner"> & { owner?: string }, limit: number) => {
    const ids: string[] = [];
    for (let after_place: string | undefined; ; ) {
      const page = await listFeedback(stores.db, { ...ours, owner: undefined, ...query, limit, after_place });
      ids.push(...page.feedback.map(({ feedback_id }) => feedback_id));
      if (page.next_place === undefined) return ids;
      after_place = page.next_place;
    }
  };
  const expected = (passes: (one: StoredFeedback) => boolean) =>
    all
      .filter(passes)
      .map(({ feedback_id }) => feedback_id)
      .sort();
  const cases: [Parameters<typeof idsOf>[0], (one: StoredFeedback) => boolean, number][] = [
    [{}, () => true, 300],
    [{ owner: "listed-3" }, ({ user_id }) => user_id === "listed-3", 50],
    [{ component_id: "c-1" }, ({ component_id }) => component_id === "c-1", 100],
    [
      { component_id: "c-2", component_type: "team", component_version: 3 },
      (one) => one.component_id === "c-2" && one.component_type === "team" && one.component_version === 3,
      7,
    ],
    [{ key: "thumb", score_max: 0 }, ({ key, score }) => key === "thumb" && score === 0, 20],
    [{ score_min: 4 }, ({ score }) => score !== undefined && score >= 4, 1_000],
    [
      { role: "operator", source: "api", review_status: "new" },
      (one) => one.role === "operator" && one.source === "api" && one.review_status === "new",
      13,
    ],
    [
      { created_after: T0 - 9_900, created_before: T0 - 9_800 },
      ({ created_at }) => created_at >= T0 - 9_900 && created_at <= T0 - 9_800,
      64,
    ],
  ];
  for (const [query, passes, limit] of cases) {
    const found = await idsOf(query, limit);
    expect(found.toSorted()).toEqual(expected(passes));
    expect(found.length).toBeGreaterThan(0);
  }
});

test("an export of a thousand as lines is what the platform stores, page by page", async ({ platform }) => {
  const view = viewStores(platform);
  await putItems(view.db, "feedback", all.map(feedbackItem));
  view.close();
  const admin = clientOf(platform.url, platform.adminToken);
  const lines: Feedback[] = [];
  for (let cursor = ""; ; ) {
    const ours = `created_after=${T0 - 10_000}&created_before=${T0 - 9_000}`;
    const page = await admin.get(`/feedback?${ours}&format=jsonl&limit=300${cursor}`);
    expect(page.status).toBe(200);
    lines.push(...page.text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)])));
    const next = page.headers.get("x-next-cursor");
    if (!next) break;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  const byId = (one: Feedback, other: Feedback) => (one.feedback_id < other.feedback_id ? -1 : 1);
  expect(lines.toSorted(byId)).toEqual(all.map(wireFeedback));
});
