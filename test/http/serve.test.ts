import { describe, expect, test } from "vitest";
import type { Decision } from "../../shared/auth/decision.ts";
import { serve } from "../../shared/http/serve.ts";
import { refused, type ShelfDeps, shelfHandlers, shelfRoutes } from "./a-family.ts";
import { aContext, allow, anEvent, bodyOf, testHttpOptions } from "./an-event.ts";

type Parts = Parameters<typeof anEvent>[1];

const aShelf = (deps: ShelfDeps = {}, optionParts = {}) => {
  const { httpOptions, lines } = testHttpOptions(optionParts);
  const handler = serve(shelfRoutes, shelfHandlers, deps, httpOptions);
  return { lines, ask: (request: string, parts?: Parts) => handler(anEvent(request, parts), aContext()) };
};

const form = { "content-type": "application/x-www-form-urlencoded" };

test("every answer is taken for what its type says, errors too", async () => {
  for (const decision of [allow("listBooks"), undefined]) {
    const { headers } = await aShelf().ask("GET /books", { decision });
    expect(headers?.["x-content-type-options"]).toBe("nosniff");
  }
});

test("who has no credential is led to the address that is configured, whatever host was asked for", async () => {
  const { headers } = await aShelf({}, { publicUrl: "https://agents.example" }).ask("GET /books/b/text");
  expect(headers?.["www-authenticate"]).toContain('resource_metadata="https://agents.example/.well-known/');
});

test("who has no credential is led nowhere by a service without sign-in", async () => {
  const { headers } = await aShelf({}, { namesSignIn: false }).ask("GET /books/b/text");
  expect(headers?.["www-authenticate"]).toBe("Bearer");
});

describe("access", () => {
  const malformed: readonly string[] = [
    "",
    "{",
    '"allow"',
    "{}",
    '{"outcome":"allow","operation":"listBooks"}',
  ];

  test.each([undefined, ...malformed])("with %j for a decision the handler never runs", async (decision) => {
    const answer = await aShelf().ask("GET /books", { decision });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers?.["www-authenticate"]).toBe("Bearer");
    expect(bodyOf(answer)).toMatchObject({ error_code: "UNAUTHENTICATED" });
  });

  const refusals: [Decision, number, string][] = [
    [{ outcome: "unauthenticated", operation: "listBooks", detail: "why" }, 401, "UNAUTHENTICATED"],
    [{ outcome: "forbidden", operation: "listBooks", detail: "why" }, 403, "UNAUTHORIZED"],
    [{ outcome: "unavailable", operation: "listBooks", detail: "why" }, 503, "UNAVAILABLE"],
  ];
  test.each(refusals)("%j is rendered as %i", async (decision, status, error_code) => {
    const answer = await aShelf().ask("GET /books", { decision });
    expect(answer.statusCode).toBe(status);
    expect(bodyOf(answer)).toEqual({ detail: "why", error_code });
  });

  test.each(["getBook", "addBook", null])(
    "a decision that allows %j does not allow the list",
    async (operation) => {
      const answer = await aShelf().ask("GET /books", { decision: allow(operation) });
      expect(answer.statusCode).toBe(403);
    },
  );

  test("a public route needs no decision", async () => {
    const answer = await aShelf().ask("GET /cover");
    expect(answer).toMatchObject({ statusCode: 200, body: "<p>cover</p>" });
    expect(answer.headers?.["content-type"]).toBe("text/html; charset=utf-8");
  });

  test("a refusal comes before any fault of the input", async () => {
    const { ask } = aShelf({}, { maxBodyBytes: 1 });
    expect((await ask("POST /books", { body: "{broken" })).statusCode).toBe(401);
    expect((await ask("GET /nowhere")).statusCode).toBe(401);
    expect((await ask("PATCH /books")).statusCode).toBe(401);
  });
});

describe("a body", () => {
  test("that ends before its content-length is refused, however it is encoded", async () => {
    const { ask } = aShelf();
    const headers = (length: number) => ({
      "content-type": "application/json",
      "content-length": `${length}`,
    });
    const text = '{"title":"Emma"}';
    for (const body of [text, Buffer.from(text)]) {
      const whole = await ask("POST /books", {
        decision: allow("addBook"),
        headers: headers(text.length),
        body,
      });
      expect(whole.statusCode).not.toBe(400);
      const short = await ask("POST /books", {
        decision: allow("addBook"),
        headers: headers(text.length + 1),
        body,
      });
      expect(short.statusCode).toBe(400);
      expect(bodyOf(short)).toMatchObject({ error_code: "BAD_REQUEST" });
    }
  });
});

describe("paths", () => {
  test("an unknown path is 404 in our own body", async () => {
    const answer = await aShelf().ask("GET /nowhere", { decision: allow(null) });
    expect(answer.statusCode).toBe(404);
    expect(bodyOf(answer)).toEqual({ detail: "Not Found", error_code: "NOT_FOUND" });
  });

  test.each(["PATCH", "HEAD", "PUT"])(
    "%s on a known path is 405 with the methods that are allowed",
    async (method) => {
      const answer = await aShelf().ask(`${method} /books`, { decision: allow(null) });
      expect(answer.statusCode).toBe(405);
      expect(answer.headers?.allow).toBe("GET, POST");
      expect(bodyOf(answer)).toEqual({ detail: "Method Not Allowed", error_code: "METHOD_NOT_ALLOWED" });
    },
  );

  test.each(["/books/a%2Fb", "/books/a%2Fb///"])(
    "%s gives the id decoded, slashes at the end ignored",
    async (path) => {
      const answer = await aShelf().ask(`GET ${path}`, { decision: allow("getBook") });
      expect(bodyOf(answer)).toEqual({ book_id: "a/b" });
    },
  );
});

test("a name too long for any key is that of nothing, and of no outage", async () => {
  const asked = (id: string) => aShelf().ask(`GET /books/${id}`, { decision: allow("getBook") });
  expect((await asked("b".repeat(1_000))).statusCode).toBe(200);
  expect((await asked("b".repeat(1_001))).statusCode).toBe(404);
  expect((await asked("%C3%A9".repeat(167))).statusCode).toBe(404);
});

describe("query", () => {
  const list = async (query: string) => aShelf().ask("GET /books", { query, decision: allow("listBooks") });

  test("absent keys take their defaults, and members that are undefined are left out", async () => {
    expect(bodyOf(await list(""))).toEqual({
      query: { status: [], limit: 20, newest: false, order: "asc" },
      user_id: "maria",
    });
  });

  test("repeated keys are a list, and a comma is part of a value", async () => {
    const answer = await list("status=a&status=b%2Cc&limit=5&limit=7&newest=YES&unknown=1");
    expect(bodyOf(answer)).toMatchObject({ query: { status: ["a", "b,c"], limit: 7, newest: true } });
  });

  test("one key is a list of one where a list is expected", async () => {
    expect(bodyOf(await list("status=a"))).toMatchObject({ query: { status: ["a"] } });
  });

  test("every fault is named, with its place, its words and what was sent", async () => {
    const answer = await list("limit=0&newest=maybe&order=up");
    expect(answer.statusCode).toBe(422);
    expect(bodyOf(answer)).toEqual({
      detail: [
        {
          type: "greater_than_equal",
          loc: ["query", "limit"],
          msg: "Input should be greater than or equal to 1",
          input: "0",
        },
        {
          type: "bool_parsing",
          loc: ["query", "newest"],
          msg: "Input should be a valid boolean, unable to interpret input",
          input: "maybe",
        },
        {
          type: "enum",
          loc: ["query", "order"],
          msg: "Input should be 'asc' or 'desc'",
          input: "up",
          ctx: { expected: "'asc' or 'desc'" },
        },
      ],
    });
  });
});

describe("JSON bodies", () => {
  const add = (
    body: string | undefined,
    headers: Record<string, string> = { "content-type": "application/json" },
  ) =>
    aShelf().ask("POST /books", { ...(body !== undefined && { body }), headers, decision: allow("addBook") });

  test("what is valid reaches the handler without unknown members", async () => {
    const answer = await add('{"title":"Ulysses","pages":730,"extra":1}');
    expect(answer.statusCode).toBe(201);
    expect(bodyOf(answer)).toEqual({ title: "Ulysses", pages: 730 });
  });

  test("a missing content type and a +json type are read as JSON", async () => {
    expect((await add('{"title":"Ulysses"}', {})).statusCode).toBe(201);
    expect((await add('{"title":"Ulysses"}', { "content-type": "application/x+json; v=1" })).statusCode).toBe(
      201,
    );
  });

  const whole = {
    type: "model_attributes_type",
    loc: ["body"],
    msg: "Input should be a valid dictionary or object to extract fields from",
  };
  const cases: [string | undefined, object][] = [
    [undefined, { type: "missing", loc: ["body"], msg: "Field required", input: null }],
    ["[]", { ...whole, input: [] }],
    ['"x"', { ...whole, input: "x" }],
    ["null", { ...whole, input: null }],
    ["{}", { type: "missing", loc: ["body", "title"], msg: "Field required", input: {} }],
    [
      '{"title":1}',
      { type: "string_type", loc: ["body", "title"], msg: "Input should be a valid string", input: 1 },
    ],
    ['{"title":"U"}', { type: "string_too_short", loc: ["body", "title"], ctx: { min_length: 2 } }],
    ['{"title":"Ulysses and more"}', { type: "string_too_long", ctx: { max_length: 10 } }],
    ['{"title":"ulysses"}', { type: "string_pattern_mismatch", ctx: { pattern: "^[A-Z]" } }],
    ['{"title":"Ul","pages":1.5}', { type: "int_from_float", loc: ["body", "pages"], input: 1.5 }],
    ['{"title":"Ul","pages":0}', { type: "greater_than_equal", ctx: { ge: 1 } }],
    ['{"title":"Ul","pages":9001}', { type: "less_than_equal", ctx: { le: 9000 } }],
    ['{"title":"Ul","kind":"play"}', { type: "enum", msg: "Input should be 'novel' or 'poem'" }],
    ['{"title":"Ul","author":1}', { type: "dict_type", loc: ["body", "author"] }],
    ['{"title":"Ul","author":{}}', { type: "missing", loc: ["body", "author", "name"], input: {} }],
    [
      '{"title":"Ul","even":3}',
      { type: "value_error", msg: "Value error, must be even", ctx: { error: {} }, input: 3 },
    ],
    ['{"title":"Ul","tags":["a",2]}', { type: "string_type", loc: ["body", "tags", 1], input: 2 }],
    ['{"title":"Ul","tags":"a"}', { type: "list_type", loc: ["body", "tags"] }],
  ];
  test.each(cases)("%s is refused", async (body, expected) => {
    const answer = await add(body);
    expect(answer.statusCode).toBe(422);
    expect(bodyOf(answer)).toEqual({ detail: [expect.objectContaining(expected)] });
  });

  test("where several alternatives are refused, each is named", async () => {
    expect(bodyOf(await add('{"title":"Ul","owner":1}'))).toMatchObject({
      detail: [
        { type: "string_type", loc: ["body", "owner"] },
        { type: "bool_type", loc: ["body", "owner"] },
      ],
    });
  });

  test("JSON is taken to 200 levels, and halves of surrogate pairs in it become U+FFFD", async () => {
    const nested = (levels: number) =>
      `{"title":"Ulysses","more":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect((await add(nested(199))).statusCode).toBe(201);
    expect(bodyOf(await add(nested(200)))).toMatchObject({
      detail: [{ type: "json_invalid", ctx: { error: expect.stringContaining("more than 200 levels") } }],
    });
    expect(bodyOf(await add(String.raw`{"title":"U\ud83d!"}`))).toEqual({ title: "U\ufffd!" });
  });

  test("broken JSON says where it broke", async () => {
    const answer = await add('{"title":"a" "b"}');
    expect(answer.statusCode).toBe(422);
    expect(bodyOf(answer)).toMatchObject({
      detail: [{ type: "json_invalid", loc: ["body", 13], msg: "JSON decode error", input: {} }],
    });
  });

  test("text of another type is not read as JSON", async () => {
    const answer = await add('{"title":"Ulysses"}', { "content-type": "text/plain" });
    expect(bodyOf(answer)).toMatchObject({ detail: [{ type: "model_attributes_type", loc: ["body"] }] });
  });
});

describe("forms", () => {
  const lend = (parts: Parts) =>
    aShelf().ask("POST /books/b/loans", { ...parts, decision: allow("lendBook") });
  const multipart = (...parts: string[]) => ({
    headers: { "content-type": "multipart/form-data; boundary=XX" },
    body: Buffer.from(`${parts.map((part) => `--XX\r\n${part}\r\n`).join("")}--XX--\r\n`),
  });
  const field = (name: string, text: string) =>
    `Content-Disposition: form-data; name="${name}"\r\n\r\n${text}`;

  test("urlencoded fields are validated, and unknown ones passed on as text", async () => {
    const answer = await lend({ headers: form, body: "message=h%C3%A9llo+w&days=3&extra=x" });
    expect(answer.statusCode).toBe(202);
    expect(answer.headers?.["retry-after"]).toBe("7");
    expect(bodyOf(answer)).toEqual({ message: "héllo w", days: 3, extra: "x" });
  });

  test("multipart in base64 gives the same", async () => {
    const answer = await lend(
      multipart(field("message", "héllo w"), field("days", "3"), field("extra", "x")),
    );
    expect(bodyOf(answer)).toEqual({ message: "héllo w", days: 3, extra: "x" });
  });

  test("urlencoded in base64 is read too", async () => {
    expect(bodyOf(await lend({ headers: form, body: Buffer.from("message=x") }))).toEqual({ message: "x" });
  });

  const missing = [{ type: "missing", loc: ["body", "message"], msg: "Field required" }];
  test.each([
    ["nothing", {}],
    ["an empty field", { headers: form, body: "message=" }],
    ["a form without it", { headers: form, body: "days=3" }],
  ])("%s instead of the form says which field is missing", async (_name, parts) => {
    const answer = await lend(parts);
    expect(answer.statusCode).toBe(422);
    expect(bodyOf(answer)).toMatchObject({ detail: missing });
  });

  test.each([
    ["text/plain", { headers: { "content-type": "text/plain" }, body: "message=x" }],
    ["a body without a content-type", { body: "message=x" }],
  ])("%s instead of the form is refused as what it is", async (sent, parts) => {
    const answer = await lend(parts);
    expect(answer.statusCode).toBe(422);
    const msg = expect.stringContaining(`takes a form, not ${sent}. With curl: -F message=`);
    expect(bodyOf(answer)).toMatchObject({ detail: [{ type: "value_error", loc: ["body"], msg }] });
  });

  test("JSON instead of the form shows a form", async () => {
    const answer = await lend({ headers: { "content-type": "application/json" }, body: '{"message":"x"}' });
    expect(answer.statusCode).toBe(422);
    const msg = expect.stringContaining("takes a form, not JSON. With curl: -F message='…'");
    expect(bodyOf(answer)).toMatchObject({ detail: [{ loc: ["body"], msg }] });
  });

  test("a file in a field that takes none is refused", async () => {
    const file =
      'Content-Disposition: form-data; name="files"; filename="a.exe"\r\nContent-Type: application/x-exe\r\n\r\nMZ';
    const answer = await lend(multipart(field("message", "x"), file));
    expect(answer.statusCode).toBe(400);
    expect(bodyOf(answer)).toEqual({
      detail: "the field files takes no uploads of type application/x-exe",
      error_code: "BAD_REQUEST",
    });
  });

  test("a file field that was left empty is no upload", async () => {
    const empty =
      'Content-Disposition: form-data; name="files"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n';
    expect(bodyOf(await lend(multipart(field("message", "x"), empty)))).toEqual({ message: "x" });
  });

  test.each([
    ["without a boundary", "multipart/form-data", "--XX"],
    [
      "cut off",
      "multipart/form-data; boundary=XX",
      '--XX\r\nContent-Disposition: form-data; name="message"\r\n\r\nx',
    ],
  ])("multipart %s is refused", async (_name, type, body) => {
    const answer = await lend({ headers: { "content-type": type }, body: Buffer.from(body) });
    expect(answer.statusCode).toBe(422);
  });
});

describe("size", () => {
  test("a body over the limit is 413, counted in bytes after base64", async () => {
    const { ask } = aShelf({}, { maxBodyBytes: 10 });
    const lend = (body: string | Buffer) =>
      ask("POST /books/b/loans", { headers: form, body, decision: allow("lendBook") });
    expect((await lend("message=12")).statusCode).toBe(202);
    expect((await lend(Buffer.from("message=12"))).statusCode).toBe(202);
    const over = await lend("message=é2");
    expect(over.statusCode).toBe(413);
    expect(bodyOf(over)).toMatchObject({ error_code: "PAYLOAD_TOO_LARGE" });
  });
});

describe("answers", () => {
  test("204 has no body", async () => {
    const answer = await aShelf().ask("DELETE /books/b", { decision: allow("removeBook") });
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBeUndefined();
  });

  test("an event stream is joined, since this front cannot stream", async () => {
    const answer = await aShelf().ask("GET /books/b/text", { decision: allow("readBook") });
    expect(answer.headers?.["content-type"]).toBe("text/event-stream; charset=utf-8");
    expect(answer.body).toBe("event: A\ndata: {}\n\nevent: B\ndata: {}\n\n");
  });

  test("a stream that breaks is a failure of the request", async () => {
    const broken = async function* () {
      yield "event: A\ndata: {}\n\n";
      throw new Error("secret");
    };
    const answer = await aShelf({ chunks: broken }).ask("GET /books/b/text", { decision: allow("readBook") });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain("secret");
  });
});

describe("failures", () => {
  const failing = (error: unknown) => async () => Promise.reject(error);
  const get = (getBook: () => Promise<unknown>) => {
    const shelf = aShelf({ getBook });
    return { ...shelf, answer: shelf.ask("GET /books/b", { decision: allow("getBook") }) };
  };

  test("a refusal keeps its code, its words and its headers, and is no failure of ours", async () => {
    const { answer, lines } = get(async () => refused());
    expect(await answer).toMatchObject({ statusCode: 409, headers: { "retry-after": "3" } });
    expect(bodyOf(await answer)).toEqual({ detail: "already lent", error_code: "CONFLICT" });
    expect(lines).toMatchObject([{ level: "info", status: 409 }]);
  });

  test.each([new Error("secret"), "secret", undefined, null, new TypeError("secret")])(
    "%s is 500 with a neutral text",
    async (error) => {
      const answer = await get(failing(error)).answer;
      expect(answer.statusCode).toBe(500);
      expect(bodyOf(answer)).toEqual({
        detail: "Internal server error",
        error_code: "INTERNAL_SERVER_ERROR",
      });
    },
  );

  const named = (name: string, more: object = {}) => Object.assign(new Error("secret"), { name }, more);
  test.each([
    named("ProvisionedThroughputExceededException", { $fault: "client", $metadata: {} }),
    named("AccessDeniedException", { $metadata: {} }),
    named("TimeoutError"),
    named("Error", { code: "ECONNREFUSED" }),
    new Error("outer", { cause: named("Error", { code: "ECONNRESET" }) }),
  ])("a store that cannot be reached (%s) is 503", async (error) => {
    const { answer, lines } = get(failing(error));
    expect((await answer).statusCode).toBe(503);
    expect(bodyOf(await answer)).toMatchObject({ error_code: "UNAVAILABLE" });
    expect((await answer).body).not.toContain("secret");
    expect(lines).toMatchObject([{ level: "error", status: 503, error }]);
  });

  test("a handler that outlasts its function is answered before the function is stopped", async () => {
    const { httpOptions } = testHttpOptions();
    const handler = serve(shelfRoutes, shelfHandlers, { getBook: () => new Promise(() => {}) }, httpOptions);
    const answer = await handler(anEvent("GET /books/b", { decision: allow("getBook") }), aContext(520));
    expect(answer.statusCode).toBe(503);
  });

  test("a handler learns that the function is about to end", async () => {
    const { httpOptions } = testHttpOptions();
    const untilAborted = async function* (signal: AbortSignal) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield ": stopped\n\n";
    };
    const handler = serve(shelfRoutes, shelfHandlers, { chunks: untilAborted }, httpOptions);
    const answer = await handler(
      anEvent("GET /books/b/text", { decision: allow("readBook") }),
      aContext(1020),
    );
    expect(answer.body).toBe(": stopped\n\n");
  });
});

describe("the line of a request", () => {
  test("it names request, operation, caller, status and time, and nothing that was sent", async () => {
    const { ask, lines } = aShelf();
    const answer = await ask("POST /books/b/loans", {
      headers: { ...form, authorization: "Bearer token-secret" },
      body: "message=body-secret",
      query: "q=query-secret",
      decision: allow("lendBook"),
    });
    expect(answer.headers?.["x-request-id"]).toBe("request-1");
    expect(lines).toEqual([
      {
        level: "info",
        message: "request",
        request_id: "request-1",
        method: "POST",
        operation: "lendBook",
        user_id: "maria",
        status: 202,
        ms: expect.any(Number),
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });
});

describe("CORS", () => {
  const origin = "https://ui.example";
  const preflight = (from: string, method = "POST") =>
    aShelf().ask("OPTIONS /books", {
      headers: {
        origin: from,
        "access-control-request-method": method,
        "access-control-request-headers": "authorization, content-type",
      },
    });

  test("a preflight of an allowed origin needs no credential", async () => {
    const answer = await preflight(origin);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
      "access-control-allow-headers": "authorization, content-type",
      "access-control-max-age": "600",
    });
  });

  test.each([
    ["https://evil.example", "POST"],
    ["*", "POST"],
    ["https://ui.example.evil", "POST"],
    [origin, "TRACE"],
  ])("a preflight from %s for %s is refused", async (from, method) => {
    expect((await preflight(from, method)).statusCode).toBe(400);
  });

  const requests: [number, string, Parts][] = [
    [200, "GET /books", { decision: allow("listBooks") }],
    [401, "GET /books", {}],
    [403, "GET /books", { decision: { outcome: "forbidden", operation: "listBooks", detail: "" } }],
    [404, "GET /nowhere", { decision: allow(null) }],
    [405, "PATCH /books", { decision: allow(null) }],
    [422, "GET /books", { decision: allow("listBooks"), query: "limit=0" }],
    [500, "GET /books/b", { decision: allow("getBook") }],
  ];
  test.each(requests)(
    "an answer of %i may be read by an allowed origin and by no other",
    async (status, request, parts) => {
      const { ask } = aShelf({
        getBook: async () => {
          throw new Error("broken");
        },
      });
      const own = await ask(request, { ...parts, headers: { origin } });
      const other = await ask(request, { ...parts, headers: { origin: "https://evil.example" } });
      expect([own.statusCode, other.statusCode]).toEqual([status, status]);
      expect(own.headers).toMatchObject({
        "access-control-allow-origin": origin,
        "access-control-allow-credentials": "true",
        "access-control-expose-headers": "*",
        vary: "Origin",
      });
      expect(other.headers).not.toHaveProperty("access-control-allow-origin");
    },
  );
});
