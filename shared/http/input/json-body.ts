import type { MiddlewareObj } from "@middy/core";
import httpJsonBodyParser from "@middy/http-json-body-parser";
import * as v from "valibot";
import { isObject, isTooDeep, MAX_JSON_DEPTH } from "../../schemas/values/json-values.ts";
import { InvalidInput } from "./invalid-input.ts";

/** A request whose body is JSON text, and a value once it was read. */
export type JsonRequest = { headers: { readonly "content-type": string }; body: unknown };

/**
 * Reads the JSON body of a request. It goes around whatever handles a route that takes JSON. A body of another type stays
 * text, which the route's schema refuses.
 *
 * @throws InvalidInput `json_invalid` for what is no JSON, is nested too deep, or has a member that JavaScript would take
 *   for an object's prototype
 */
export const jsonBody: MiddlewareObj<JsonRequest> = {
  before: async (request) => {
    const { event } = request;
    const text = String(event.body);
    try {
      await parser.before?.(request as never); // an event as far as it reads one
    } catch (error) {
      throw v.is(ParserError, error) ? jsonInvalid(text, error.cause.message) : error;
    }
    if (isTooDeep(event.body)) throw jsonInvalid(text, TOO_DEEP);
  },
};

/**
 * A lone surrogate, which can be written as an escape but not stored, becomes U+FFFD, like bytes that are not UTF-8.
 */
function wellFormed(_name: string, value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (!isObject(value) || Object.keys(value).every((name) => name.isWellFormed())) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), inner]));
}

const parser = httpJsonBodyParser({ disableContentTypeError: true, reviver: wellFormed });

const ParserError = v.looseObject({
  statusCode: v.number(),
  cause: v.looseObject({ message: v.optional(v.string()) }),
});

const TOO_DEEP = `the body is nested more than ${MAX_JSON_DEPTH} levels deep`;

/** @param reason  of the parser; it gives a position for some errors only, for the others the end is reported */
function jsonInvalid(
  text: string,
  reason = "a member may not be named like an object's prototype",
): InvalidInput {
  const offset = Number(/position (\d+)/.exec(reason)?.[1] ?? text.length);
  const error = said(reason);
  return new InvalidInput([
    { type: "json_invalid", loc: ["body", offset], msg: "JSON decode error", input: {}, ctx: { error } },
  ]);
}

/** The parser quotes the body, which may be long. Only what is nested deeply exhausts the stack. */
function said(reason: string): string {
  if (/call stack/.test(reason)) return TOO_DEEP;
  return /JSON/.test(reason) ? "the body is not valid JSON" : reason;
}
