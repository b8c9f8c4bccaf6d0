import { describe, expect, test } from "vitest";
import { forwardTo } from "../../functions/platform/forward.ts";
import { serve } from "../../shared/http/serve.ts";
import { createMatcher } from "../../shared/routes/matching/matcher.ts";
import type { Invoke } from "../../shared/runtime/functions/invoke-function.ts";
import { shelfHandlers, shelfRoutes } from "./a-family.ts";
import { aContext, allow, anEvent, bodyOf, testHttpOptions } from "./an-event.ts";

const { getCover } = shelfHandlers;
const { getCover: coverRoute, ...shelf } = shelfRoutes;

/** A catch-all family with one route of its own; the shelf is another function. */
function aCatchAll(functions: Record<string, string>, invoke: Invoke) {
  const { httpOptions } = testHttpOptions();
  const own = { getCover: coverRoute };
  const handler = serve(own, { getCover }, {}, httpOptions, {
    match: createMatcher({ own, shelf }),
    elsewhere: forwardTo(functions, invoke),
  });
  return (event: ReturnType<typeof anEvent>) => handler(event, aContext());
}

const shelfFunction: Invoke = async (_name, payload) => {
  const shelfHandler = serve(shelf, withoutCover, {}, testHttpOptions().httpOptions);
  return { payload: JSON.stringify(await shelfHandler(JSON.parse(payload), aContext())), failed: false };
};
const { getCover: _, ...withoutCover } = shelfHandlers;

describe("a request that only the catch-all could take", () => {
  test("reaches its own family, decision and all", async () => {
    const asked: string[] = [];
    const ask = aCatchAll({ shelf: "stage-shelf" }, async (name, payload) => {
      asked.push(name);
      return shelfFunction(name, payload);
    });
    const answer = await ask(anEvent("GET /books/", { query: "limit=3", decision: allow("listBooks") }));
    expect(answer.statusCode).toBe(200);
    expect(bodyOf(answer)).toMatchObject({ query: { limit: 3 }, user_id: "maria" });
    expect(answer.headers?.["x-request-id"]).toBe("request-1");
    expect(asked).toEqual(["stage-shelf"]);
  });

  test("is refused here when it is not allowed, without calling anybody", async () => {
    const ask = aCatchAll({ shelf: "stage-shelf" }, async () => {
      throw new Error("called");
    });
    expect((await ask(anEvent("GET /books/"))).statusCode).toBe(401);
    expect((await ask(anEvent("GET /books/", { decision: allow("getBook") }))).statusCode).toBe(403);
  });

  test("is served here when it is its own", async () => {
    const ask = aCatchAll({}, shelfFunction);
    expect((await ask(anEvent("GET /cover/"))).body).toBe("<p>cover</p>");
  });

  test("is not found when its family is not deployed", async () => {
    const ask = aCatchAll({}, shelfFunction);
    expect((await ask(anEvent("GET /books/", { decision: allow("listBooks") }))).statusCode).toBe(404);
  });

  test("fails neutrally when the other function fails", async () => {
    const ask = aCatchAll({ shelf: "x" }, async () => ({
      payload: '{"errorMessage":"secret"}',
      failed: true,
    }));
    const answer = await ask(anEvent("GET /books/", { decision: allow("listBooks") }));
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain("secret");
  });
});
