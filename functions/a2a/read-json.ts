import { ContentTypeNotSupportedError } from "@a2a-js/sdk/errors";
import { isTooDeep, readJson as readJsonText } from "../../shared/schemas/values/json-values.ts";
import type { A2aRequest } from "./a2a-deps.ts";

/** A body that is not JSON, or nested deeper than anything here is meant to walk. */
export const notJson: unique symbol = Symbol("not JSON");

/**
 * A parsed body. Clients without parameters send no body, or the literal null.
 *
 * @returns undefined for no body, `notJson` for what is none
 */
export function readJson({ body = "" }: Pick<A2aRequest, "body">): unknown {
  if (body.trim() === "") return undefined;
  try {
    const value = readJsonText(body);
    return isTooDeep(value) ? notJson : value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return notJson;
  }
}

/** @throws ContentTypeNotSupportedError for a body that says to be something else than JSON */
export function requireJsonType({ headers, body = "" }: Pick<A2aRequest, "headers" | "body">): void {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (body === "" || type === "" || type === "application/json" || type === "application/a2a+json") return;
  throw new ContentTypeNotSupportedError(`a body of type ${type} is not read; send application/json`);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
