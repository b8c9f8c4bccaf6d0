import { ServiceError } from "../errors.ts";
import { type Answer, jsonAnswer } from "./answer.ts";
import type { Incoming } from "./incoming.ts";

/** The peer's open UI on this machine, and its hosted one. */
export const DEFAULT_ORIGINS = ["http://localhost:3000", "http://127.0.0.1:3000", "https://os.agno.com"];
const METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/**
 * Origins that browsers may call from.
 *
 * @param configured  `*` is dropped, because credentials are allowed
 */
export function parseOrigins(configured: readonly string[]): ReadonlySet<string> {
  const origins = configured
    .map((origin) => origin.replace(/\/$/, ""))
    .filter((origin) => origin !== "" && origin !== "*");
  return new Set(origins.length > 0 ? origins : DEFAULT_ORIGINS);
}

/** Headers for an ordinary answer; another origin gets the answer without permission to read it. */
export function corsHeaders(
  origin: string | undefined,
  origins: ReadonlySet<string>,
): Record<string, string> {
  if (origin === undefined || !origins.has(origin)) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-allow-methods": "*",
    "access-control-allow-headers": "*",
    "access-control-expose-headers": "*",
  };
}

/** Whether this is a browser's preflight request. */
export const isPreflight = ({ method, headers }: Incoming): boolean =>
  method === "OPTIONS" &&
  headers.origin !== undefined &&
  headers["access-control-request-method"] !== undefined;

/** @throws ServiceError BAD_REQUEST for an origin or a method that is not allowed */
export function preflight({ headers }: Incoming, origins: ReadonlySet<string>): Answer {
  const method = headers["access-control-request-method"] ?? "";
  if (!origins.has(headers.origin ?? "")) throw new ServiceError("BAD_REQUEST", "this origin is not allowed");
  if (!METHODS.includes(method)) throw new ServiceError("BAD_REQUEST", "this method is not allowed");
  return jsonAnswer(
    200,
    { detail: "OK" },
    {
      "access-control-allow-methods": METHODS.join(", "),
      "access-control-allow-headers": headers["access-control-request-headers"] ?? "*",
      "access-control-max-age": "600",
    },
  );
}
