import { expect, test } from "vitest";
import { serve } from "../../shared/http/serve.ts";
import { type ShelfDeps, shelfHandlers, shelfRoutes } from "./a-family.ts";
import { testHttpOptions } from "./an-event.ts";

const { httpOptions } = testHttpOptions();

test("a row without a handler does not compile", () => {
  const { getCover: _, ...incomplete } = shelfHandlers;
  // @ts-expect-error getCover has a row and no handler
  expect(serve(shelfRoutes, incomplete, {}, httpOptions)).toBeTypeOf("function");
});

test("a handler without a row does not compile", () => {
  const tooMany = { ...shelfHandlers, burnBook: async () => undefined };
  // @ts-expect-error burnBook has a handler and no row
  expect(serve(shelfRoutes, tooMany, {}, httpOptions)).toBeTypeOf("function");
});

test("a handler that answers another shape than its row does not compile", () => {
  const wrong = { ...shelfHandlers, getCover: async () => ({ html: "" }) };
  // @ts-expect-error the row of getCover answers text
  expect(serve(shelfRoutes, wrong, {}, httpOptions)).toBeTypeOf("function");
});

test("a dependency that a handler needs must be given", () => {
  const needy = {
    ...shelfHandlers,
    getCover: async (_request: unknown, deps: { cover: string }) => deps.cover,
  };
  // @ts-expect-error nothing gives getCover its cover
  expect(serve(shelfRoutes, needy, {}, httpOptions)).toBeTypeOf("function");
  const deps: ShelfDeps & { cover: string } = { cover: "" };
  expect(serve(shelfRoutes, needy, deps, httpOptions)).toBeTypeOf("function");
});
