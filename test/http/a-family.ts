import * as v from "valibot";
import { ServiceError } from "../../shared/errors.ts";
import { EventStream, Reply } from "../../shared/http/handler.ts";
import type { Handlers } from "../../shared/http/handlers.ts";
import type { RouteTable } from "../../shared/routes/route.ts";
import { booleanText, integerText, requiredText } from "../../shared/schemas/values/fields.ts";
import { SortOrder } from "../../shared/schemas/values/page.ts";

/** A family with one row for each way of asking and answering. */
export const shelfRoutes = {
  listBooks: {
    method: "GET",
    path: "/books",
    scopes: ["books:read"],
    query: v.object({
      status: v.optional(v.array(v.string()), []),
      limit: v.optional(integerText({ min: 1, max: 100 }), "20"),
      newest: v.optional(booleanText(), "false"),
      order: v.optional(SortOrder, "asc"),
    }),
    response: v.unknown(),
    summary: "",
  },
  getBook: {
    method: "GET",
    path: "/books/{book_id}",
    scopes: ["books:read"],
    params: v.object({ book_id: v.string() }),
    response: v.unknown(),
    summary: "",
  },
  addBook: {
    method: "POST",
    path: "/books",
    scopes: ["books:write"],
    status: 201,
    body: {
      json: v.object({
        title: v.pipe(v.string(), v.minLength(2), v.maxLength(10), v.regex(/^[A-Z]/)),
        pages: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9000))),
        kind: v.optional(v.picklist(["novel", "poem"])),
        author: v.optional(v.object({ name: v.string() })),
        even: v.optional(
          v.pipe(
            v.number(),
            v.check((n) => n % 2 === 0, "must be even"),
          ),
        ),
        tags: v.optional(v.array(v.string())),
        owner: v.optional(v.union([v.string(), v.boolean()])),
      }),
    },
    response: v.unknown(),
    summary: "",
  },
  lendBook: {
    method: "POST",
    path: "/books/{book_id}/loans",
    scopes: ["books:write"],
    params: v.object({ book_id: v.string() }),
    body: {
      form: v.objectWithRest({ message: requiredText(), days: v.optional(integerText()) }, v.unknown()),
    },
    response: v.unknown(),
    summary: "",
  },
  removeBook: {
    method: "DELETE",
    path: "/books/{book_id}",
    scopes: ["books:delete"],
    params: v.object({ book_id: v.string() }),
    status: 204,
    response: null,
    summary: "",
  },
  readBook: {
    method: "GET",
    path: "/books/{book_id}/text",
    scopes: ["books:read"],
    challenge: "protected-resource",
    streams: "task",
    response: v.unknown(),
    summary: "",
  },
  getCover: {
    method: "GET",
    path: "/cover",
    scopes: "public",
    response: { mediaType: "text/html; charset=utf-8" },
    summary: "",
  },
} as const satisfies RouteTable;

export type ShelfDeps = {
  /** Throws what a test wants to see answered. */
  readonly getBook?: () => Promise<unknown>;
  readonly chunks?: (signal: AbortSignal) => AsyncIterable<string>;
  /** What is begun for after the answer. */
  readonly later?: (signal: AbortSignal) => Promise<void>;
};

async function* twoFrames() {
  yield "event: A\ndata: {}\n\n";
  yield "event: B\ndata: {}\n\n";
}

export const shelfHandlers: Handlers<typeof shelfRoutes, ShelfDeps> = {
  listBooks: async ({ query, principal }) => ({ query, user_id: principal.user_id, nothing: undefined }),
  getBook: async ({ params, signal, invocation }, { getBook, later }) => {
    if (later) invocation.afterAnswer?.(later(signal));
    return getBook ? getBook() : params;
  },
  addBook: async ({ body }) => body,
  lendBook: async ({ body }) => new Reply(202, body, { "retry-after": "7" }),
  removeBook: async () => undefined,
  readBook: async ({ signal }, { chunks = twoFrames }) => new EventStream(chunks(signal)),
  getCover: async () => "<p>cover</p>",
};

export const refused = () => {
  throw new ServiceError("CONFLICT", "already lent", { headers: { "retry-after": "3" } });
};
