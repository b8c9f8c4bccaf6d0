import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { families } from "../../shared/routes/index.ts";
import { matchRoute } from "../../shared/routes/matching/match.ts";
import { createMatcher } from "../../shared/routes/matching/matcher.ts";
import type { Method, RouteTable } from "../../shared/routes/route.ts";

const row = (method: Method, path: `/${string}`, scopes: readonly string[] | "public" = ["x:read"]) => ({
  method,
  path,
  scopes,
  response: null,
  summary: "",
});

const match = createMatcher({
  things: {
    root: row("GET", "/", "public"),
    listThings: row("GET", "/things"),
    current: row("GET", "/things/current"),
    getThing: row("GET", "/things/{thing_id}"),
    editThing: row("PATCH", "/things/{id}"),
    listParts: row("GET", "/things/{thing_id}/parts"),
    getNewest: row("GET", "/things/current/newest"),
  },
});

const operationOf = (method: string, path: string) => {
  const found = match(method, path);
  return found && "operation" in found ? found.operation : found;
};

describe("a path", () => {
  test.each([
    ["/", "root"],
    ["/things", "listThings"],
    ["/things/", "listThings"],
    ["/things///", "listThings"],
    ["/things/current", "current"],
    ["/things/currently", "getThing"],
    ["/things/a/parts", "listParts"],
    ["/things/current/parts", "listParts"],
    ["/things/current/newest", "getNewest"],
    ["/thin%67s/a", "getThing"],
  ])("%s leads to %s", (path, operation) => {
    expect(operationOf("GET", path)).toBe(operation);
  });

  test.each([
    "/Things",
    "/things//parts",
    "//things",
    "things",
    "",
    "/nope",
    "/things/a/b",
    "/things/%",
    "/things/%E0",
  ])("%j leads nowhere", (path) => {
    expect(match("GET", path)).toBeUndefined();
  });

  test("a variable takes its segment decoded once, whatever is in it", () => {
    expect(match("GET", "/things/a%2Fb%2520c%3A")).toMatchObject({ params: { thing_id: "a/b%20c:" } });
  });

  test("a row with the method is found behind a literal that lacks it", () => {
    expect(match("PATCH", "/things/current")).toMatchObject({
      operation: "editThing",
      params: { id: "current" },
    });
  });
});

describe("a method", () => {
  test.each([
    ["DELETE", "/things/a", ["GET", "PATCH"]],
    ["HEAD", "/things", ["GET"]],
    ["OPTIONS", "/things/current", ["GET", "PATCH"]],
    ["get", "/things", ["GET"]],
  ])("%s %s is not served, and the others are named", (method, path, allowed) => {
    expect(match(method, path)).toEqual({ allowed, public: false });
  });

  test("it says whether a path is public", () => {
    expect(match("POST", "/")).toEqual({ allowed: ["GET"], public: true });
  });
});

test("two rows cannot claim the same request", () => {
  const twice = { one: { a: row("GET", "/x/{id}") }, other: { b: row("GET", "/x/{id}") } };
  expect(() => createMatcher(twice)).toThrow("GET /x/{id} is claimed twice");
});

const rows = Object.entries<RouteTable>(families).flatMap(([family, table]) =>
  Object.entries(table).map(([operation, route]) => ({ family, operation, route })),
);

test.each(rows)("$route.method $route.path is found as $operation", ({ family, operation, route }) => {
  const path = route.path.replace(/\{[^}]*\}/g, "an-id");
  expect(matchRoute(route.method, path)).toMatchObject({ family, operation });
});

test("an operation has its name for itself, so that a decision cannot mean two", () => {
  const names = rows.map(({ operation }) => operation);
  expect(new Set(names).size).toBe(names.length);
});

test("any id survives the way through the path", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "binary" }), (id) => {
      fc.pre(id.isWellFormed());
      expect(matchRoute("GET", `/agents/${encodeURIComponent(id)}`)).toMatchObject({
        params: { agent_id: id },
      });
    }),
  );
});

describe("a variable that is followed by a verb", () => {
  const row = { response: null, scopes: [], summary: "" };
  const match = createMatcher({
    tasks: {
      show: { ...row, method: "GET", path: "/tasks/{id}" },
      cancel: { ...row, method: "POST", path: "/tasks/{id}:cancel" },
      follow: { ...row, method: "GET", path: "/tasks/{id}:follow" },
    },
  });

  test.each([
    ["GET", "/tasks/t-1", "show", "t-1"],
    ["POST", "/tasks/t-1:cancel", "cancel", "t-1"],
    ["POST", "/tasks/t-1%3Acancel/", "cancel", "t-1"],
    ["POST", "/tasks/a:b:cancel", "cancel", "a:b"],
    ["GET", "/tasks/t-1:other", "show", "t-1:other"],
  ])("%s %s is %s of %s", (method, path, operation, id) => {
    expect(match(method, path)).toMatchObject({ operation, params: { id } });
  });

  test("is not taken whole where only the method is wrong, and is never empty", () => {
    expect(match("GET", "/tasks/t-1:cancel")).toEqual({ allowed: ["POST"], public: false });
    expect(match("POST", "/tasks/:cancel")).toEqual({ allowed: ["GET"], public: false });
  });
});
