import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFeedbackLinks } from "../../functions/feedback/create-feedback-links.ts";
import type { FeedbackDeps } from "../../functions/feedback/feedback-deps.ts";
import { getFeedbackForm } from "../../functions/feedback/get-feedback-form.ts";
import { submitFeedback } from "../../functions/feedback/submit-feedback.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { anonymous } from "../../shared/auth/principal.ts";
import { Reply } from "../../shared/http/handler.ts";
import { openLink, sealLink } from "../../shared/outbound/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { LinkForm } from "../../shared/schemas/feedback/feedback.ts";
import { feedbackOfRun } from "../../shared/stores/feedback/index.ts";
import { removeSessions } from "../../shared/stores/sessions/remove-sessions.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { manualClock } from "../support/manual-clock.ts";
import { putRuns } from "../support/put-runs.ts";
import { aJob, aRunOf } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

const ROOTS = ["a-root-of-at-least-20-characters"] as const;
const DAY = 86_400;
const maria: Principal = { kind: "user", user_id: "maria", scopes: ["agents:run"], admin: false };

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

async function world(changed: Partial<FeedbackDeps["settings"]> = {}) {
  const clock = manualClock(Date.now());
  const run = aRunOf(aJob(), { status: "COMPLETED" });
  await putRuns(stores.db, [run]);
  const deps: FeedbackDeps = {
    db: stores.db,
    clock,
    signingRoots: async () => ROOTS,
    settings: { FEEDBACK_LINKS: "on", PUBLIC_URL: "https://agents.example", ...changed },
  };
  const { run_id, session_id } = run;
  const base = { headers: {}, query: {}, signal: new AbortController().signal, invocation: {} };
  const link = async (
    keys: string[],
    more: object = {},
    principal = maria,
  ): Promise<Record<string, string>> => {
    const body = { session_id, keys, expires_in_seconds: 7 * DAY, author: undefined, ...more };
    const answer = await createFeedbackLinks({ ...base, params: { run_id }, body, principal }, deps);
    return answer as Record<string, string>;
  };
  const tokenOf = (url = ""): string => url.split("/f/")[1] ?? "";
  const open = (token: string, db = deps.db) =>
    getFeedbackForm({ ...base, params: { token }, body: undefined, principal: anonymous }, { ...deps, db });
  const send = (token: string, body: LinkForm, headers: Record<string, string> = {}) =>
    submitFeedback({ ...base, headers, params: { token }, body, principal: anonymous }, deps);
  const given = async () => (await feedbackOfRun(stores.db, run_id)).feedback;
  return { clock, run, deps, link, tokenOf, open, send, given };
}

const GONE = { code: "GONE", message: "this link is no longer valid" };

describe("a link for feedback", () => {
  test("shows its form without a write, and records what is sent by it in the name that it has", async () => {
    const { link, tokenOf, open, send, given, run } = await world();
    const { thumb, correction } = await link(["thumb", "correction"]);
    expect(thumb).toMatch(/^https:\/\/agents\.example\/f\/[\w-]+$/);
    const watched = breakingDb(stores.db);
    const page = await open(tokenOf(thumb), watched.db);
    expect(watched.writes()).toBe(0);
    expect(page).toBeInstanceOf(Reply);
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('name="score" value="0"') });
    expect(await given()).toEqual([]);
    await send(tokenOf(thumb), { score: 0, comment: "" });
    await send(tokenOf(correction), { correction: "Tuesday" });
    expect(await given()).toMatchObject([
      { key: "correction", correction: "Tuesday" },
      { key: "thumb", score: 0, author: "maria", role: "user", source: "link", run_id: run.run_id },
    ]);
    expect((await given())[1]).not.toHaveProperty("comment");
  });

  test("is for what its key takes, and for 8 KB", async () => {
    const { link, tokenOf, send } = await world();
    const token = tokenOf((await link(["thumb"])).thumb);
    await expect(send(token, { score: 2 })).rejects.toMatchObject({ code: "UNPROCESSABLE" });
    const large = { code: "PAYLOAD_TOO_LARGE" };
    await expect(send(token, { score: 1, comment: "x".repeat(8_200) })).rejects.toMatchObject(large);
    await expect(send(token, { score: 1 }, { "content-length": "9000" })).rejects.toMatchObject(large);
  });

  test("takes 20 changes; an equal one is none", async () => {
    const { link, tokenOf, send, given } = await world();
    const token = tokenOf((await link(["thumb"])).thumb);
    for (let n = 0; n < 20; n += 1) await send(token, { score: (n % 2) as 0 | 1 });
    await send(token, { score: 1 });
    await expect(send(token, { score: 0 })).rejects.toMatchObject(GONE);
    expect(await given()).toMatchObject([{ score: 1 }]);
  });

  test("is refused alike when it is forged, has expired, or its session was removed", async () => {
    const { link, tokenOf, open, send, clock, run } = await world();
    const token = tokenOf((await link(["thumb"], { expires_in_seconds: DAY })).thumb);
    const last = token.at(-1) === "A" ? "B" : "A";
    for (const forged of [`${token.slice(0, -1)}${last}`, token.slice(1), `${token}A`, "", "x".repeat(200)]) {
      await expect(open(forged)).rejects.toMatchObject(GONE);
      await expect(send(forged, { score: 1 })).rejects.toMatchObject(GONE);
    }
    await removeSessions(stores.db, [run.session_id], () => true, epochSeconds(clock));
    await expect(open(token)).rejects.toMatchObject(GONE);
    const other = await world();
    const late = other.tokenOf((await other.link(["thumb"], { expires_in_seconds: DAY })).thumb);
    other.clock.advance(DAY * 1000);
    await expect(other.open(late)).rejects.toMatchObject(GONE);
    await expect(other.send(late, { score: 1 })).rejects.toMatchObject(GONE);
  });

  test("says nothing that can be read, and opens with the former secret while it is rotated", async () => {
    const { link, tokenOf, run } = await world();
    const token = tokenOf((await link(["thumb"])).thumb);
    for (const text of [token, Buffer.from(token, "base64url").toString("latin1")]) {
      expect(text).not.toContain(run.run_id);
      expect(text).not.toContain(run.session_id);
      expect(text).not.toContain("maria");
    }
    const sealed = { run_id: "r", session_id: "s", key: "thumb", author: null, expires_at: 1 };
    expect(openLink(["a-new-root-of-20-characters", ...ROOTS], sealLink(ROOTS, sealed))).toEqual(sealed);
    expect(openLink(["a-new-root-of-20-characters"], sealLink(ROOTS, sealed))).toBeUndefined();
  });

  test("is made by whoever may say it, where the instance has links", async () => {
    const { link } = await world();
    const stranger = { ...maria, user_id: "otto" };
    await expect(link(["thumb"], {}, stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(link(["thumb"], { author: "otto" })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const closed = await world({ FEEDBACK_KEYS: { tone: { type: "category", categories: ["<kind>"] } } });
    await expect(closed.link(["mood"])).rejects.toMatchObject({ code: "UNPROCESSABLE" });
    const tone = closed.tokenOf((await closed.link(["tone"])).tone);
    expect(await closed.open(tone)).toMatchObject({ body: expect.stringContaining("&lt;kind&gt;") });
    const off = await world({ FEEDBACK_LINKS: "off" });
    await expect(off.link(["thumb"])).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const made = sealLink(ROOTS, {
      run_id: "r",
      session_id: "s",
      key: "thumb",
      author: null,
      expires_at: 9e9,
    });
    await expect(off.open(made)).rejects.toMatchObject(GONE);
  });
});
