import { createMatcher } from "../routes/matching/matcher.ts";
import type { RouteTable } from "../routes/route.ts";
import type { Handler } from "./handler.ts";
import type { BoundHandler, Site } from "./pipeline.ts";

/**
 * One handler for each row of a family. A row without a handler does not compile, and with `NoExtras` neither
 * does a handler without a row.
 */
export type Handlers<R extends RouteTable, Needs> = { readonly [K in keyof R]: Handler<R[K], Needs> };
export type NoExtras<H, R> = { readonly [K in Exclude<keyof H, keyof R>]: never };

/** Binds a family's handlers to their dependencies; requests are matched against the family's own rows. */
export function bindFamily<R extends RouteTable, Needs>(
  routes: R,
  handlers: Handlers<R, Needs>,
  deps: Needs,
): Pick<Site, "match" | "handlerOf"> {
  const bound = new Map<string, BoundHandler>();
  for (const [operation, handler] of Object.entries(handlers)) {
    // Validation gives exactly the input that this row's handler is typed with.
    bound.set(operation, (input) => handler(input as Parameters<typeof handler>[0], deps));
  }
  return {
    match: createMatcher({ own: routes }),
    handlerOf: (operation) => bound.get(operation),
  };
}
