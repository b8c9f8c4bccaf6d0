import { PassThrough, type Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { describe, expect, test } from "vitest";
import type { Authorize } from "../../shared/auth/authorize.ts";
import type { FromEdge } from "../../shared/auth/from-edge.ts";
import type { Awslambda } from "../../shared/http/stream/serve-stream.ts";
import { serveStream } from "../../shared/http/stream/serve-stream.ts";
import { EDGE_VIEWER_HEADER } from "../../shared/runtime/edge-secret.ts";
import { type ShelfDeps, shelfHandlers, shelfRoutes } from "./a-family.ts";
import { aContext, allow, anEvent, testHttpOptions } from "./an-event.ts";

type Prelude = Parameters<Awslambda["HttpResponseStream"]["from"]>[1];
type Streamed = (event: APIGatewayProxyEventV2, stream: Writable, context: Context) => Promise<void>;

const preludes = new WeakMap<Writable, Prelude>();
const lambdaGlobal: Awslambda = {
  // The host calls the handler with these very arguments, so the wrapped one is the handler itself.
  streamifyResponse: <T>(handler: unknown) => handler as T,
  HttpResponseStream: {
    // As AWS's runtime: the prelude leaves with the first write.
    from: (stream, prelude) => {
      const write = stream.write.bind(stream);
      stream.write = (chunk: unknown) => {
        preludes.set(stream, prelude);
        return write(chunk);
      };
      return stream;
    },
  },
};
Object.assign(globalThis, { awslambda: lambdaGlobal });

const mayRead: Authorize = async () => allow("readBook");

function aStreamingShelf(authorize: Authorize, deps: ShelfDeps = {}, fromEdge: FromEdge = async () => true) {
  const { httpOptions, lines } = testHttpOptions();
  const handler = serveStream(shelfRoutes, shelfHandlers, deps, httpOptions, authorize, fromEdge) as Streamed;
  const ask = (event: APIGatewayProxyEventV2) => {
    const stream = new PassThrough();
    return { stream, done: handler(event, stream, aContext()), prelude: () => preludes.get(stream) };
  };
  return { ask, lines };
}

describe("the streaming entry point", () => {
  test("frames leave while the handler still works", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const chunks = async function* () {
      yield "event: A\n\n";
      await released;
      yield "event: B\n\n";
    };
    const { ask } = aStreamingShelf(mayRead, { chunks });
    const { stream, done, prelude } = ask(anEvent("GET /books/b/text"));
    const [first] = await new Promise<[Buffer]>((resolve) => stream.once("data", (data) => resolve([data])));
    expect(first.toString()).toBe("event: A\n\n");
    expect(prelude()).toMatchObject({
      statusCode: 200,
      headers: { "content-type": "text/event-stream; charset=utf-8", "x-request-id": "request-1" },
    });
    release();
    expect(await text(stream)).toBe("event: B\n\n");
    await done;
  });

  test("what did not come through CloudFront is refused before anything is asked about it", async () => {
    const asked: unknown[] = [];
    const authorize: Authorize = async (request) => {
      asked.push(request);
      return allow("readBook");
    };
    const { ask } = aStreamingShelf(authorize, {}, async () => false);
    for (const request of [
      anEvent("GET /books/b/text"),
      anEvent("GET /nowhere"),
      anEvent("OPTIONS /books/b/text", {
        headers: { origin: "https://ui.example", "access-control-request-method": "GET" },
      }),
    ]) {
      const { stream, done, prelude } = ask(request);
      expect(JSON.parse(await text(stream))).toMatchObject({ error_code: "UNAUTHORIZED" });
      await done;
      expect(prelude()?.statusCode).toBe(403);
    }
    expect(asked).toEqual([]);
  });

  test("the credential is checked here, with method, path and headers", async () => {
    const asked: unknown[] = [];
    const { ask } = aStreamingShelf(async ({ method, rawPath, headers }) => {
      asked.push({ method, rawPath, token: headers.authorization });
      return { outcome: "unauthenticated", operation: "readBook", detail: "no" };
    });
    const { stream, done, prelude } = ask(anEvent("GET /books/b/text", { headers: { authorization: "x" } }));
    expect(JSON.parse(await text(stream))).toEqual({ detail: "no", error_code: "UNAUTHENTICATED" });
    await done;
    expect(prelude()?.statusCode).toBe(401);
    expect(asked).toEqual([{ method: "GET", rawPath: "/books/b/text", token: "x" }]);
  });

  test("the client's address is the one that CloudFront saw, in requests that came through it alone", async () => {
    for (const came of [true, false]) {
      const asked: unknown[] = [];
      const authorize: Authorize = async ({ sourceIp }) => {
        asked.push(sourceIp);
        return { outcome: "unauthenticated", operation: "readBook", detail: "no" };
      };
      const { ask, lines } = aStreamingShelf(authorize, {}, async () => came);
      const headers = { [EDGE_VIEWER_HEADER]: "203.0.113.9" };
      const { stream, done } = ask(anEvent("GET /books/b/text", { headers }));
      await text(stream);
      await done;
      expect(asked).toEqual(came ? ["203.0.113.9"] : []);
      expect(JSON.stringify(lines).includes("203.0.113.9")).toBe(came);
    }
  });

  test("a decision that came with the event counts for nothing", async () => {
    const { ask } = aStreamingShelf(async () => ({
      outcome: "forbidden",
      operation: "readBook",
      detail: "no",
    }));
    const { stream, done, prelude } = ask(anEvent("GET /books/b/text", { decision: allow("readBook") }));
    await Promise.all([done, text(stream)]);
    expect(prelude()?.statusCode).toBe(403);
  });

  test("when the authorization itself fails the handler does not run", async () => {
    const { ask } = aStreamingShelf(async () => {
      throw new Error("secret");
    });
    const { stream, done, prelude } = ask(anEvent("GET /books/b/text"));
    expect(await text(stream)).not.toContain("secret");
    await done;
    expect(prelude()?.statusCode).toBe(500);
  });

  test("a preflight is answered without asking", async () => {
    const { ask } = aStreamingShelf(async () => {
      throw new Error("asked");
    });
    const headers = { origin: "https://ui.example", "access-control-request-method": "POST" };
    const { stream, done, prelude } = ask(anEvent("OPTIONS /books/b/text", { headers }));
    await Promise.all([done, text(stream)]);
    expect(prelude()?.statusCode).toBe(200);
  });

  test("an answer without a body, and a stream without a frame, have their status and headers", async () => {
    for (const [request, operation, status] of [
      ["DELETE /books/b", "removeBook", 204],
      ["GET /books/b/text", "readBook", 200],
    ] as const) {
      const { ask } = aStreamingShelf(async () => allow(operation), { chunks: async function* () {} });
      const { stream, done, prelude } = ask(anEvent(request));
      await Promise.all([done, text(stream)]);
      expect([request, prelude()?.statusCode]).toEqual([request, status]);
    }
  });

  test("when the client goes away the work is aborted and its line is written", async () => {
    let stopped: unknown;
    const chunks = async function* (signal: AbortSignal) {
      yield "event: A\n\n";
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      stopped = signal.reason;
    };
    const { ask, lines } = aStreamingShelf(mayRead, { chunks });
    const { stream, done } = ask(anEvent("GET /books/b/text"));
    await new Promise((resolve) => stream.once("data", resolve));
    stream.destroy();
    await done;
    expect(stopped).toMatchObject({ message: "the client is gone" });
    expect(lines).toMatchObject([{ message: "request", operation: "readBook", status: 200 }]);
  });

  test("what a handler began for after its answer is done before the function returns, and nothing stops it", async () => {
    const released = Promise.withResolvers<void>();
    const seen: string[] = [];
    const later = async (signal: AbortSignal) => {
      signal.addEventListener("abort", () => seen.push("aborted"));
      await released.promise;
      seen.push("done");
    };
    const { ask } = aStreamingShelf(async () => allow("getBook"), { later });
    const { stream, done } = ask(anEvent("GET /books/b"));
    expect(JSON.parse(await text(stream))).toEqual({ book_id: "b" });
    const returned = done.then(() => seen.push("returned"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen).toEqual([]);
    released.resolve();
    await returned;
    expect(seen).toEqual(["done", "returned"]);
  });

  test("a stream that breaks in the middle is logged as a failure", async () => {
    const chunks = async function* () {
      yield "event: A\n\n";
      throw new Error("broken");
    };
    const { ask, lines } = aStreamingShelf(mayRead, { chunks });
    const { stream, done } = ask(anEvent("GET /books/b/text"));
    stream.resume();
    await expect(done).rejects.toThrow("broken");
    expect(lines).toMatchObject([{ level: "error", message: "request failed", operation: "readBook" }]);
  });
});
