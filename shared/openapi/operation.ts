import type { Route } from "../routes/route.ts";
import type { Example } from "./example.ts";
import { parametersOf } from "./parameters.ts";
import { refusalsOf } from "./refusals.ts";
import { requestBodyOf } from "./request-body.ts";
import { successesOf } from "./successes.ts";

/** Describes one operation: its row, with an example of request and answer. */
export function operationOf(
  family: string,
  operationId: string,
  route: Route,
  example: Example,
): Record<string, unknown> {
  const { summary, description, scopes, body, tag = family } = route;
  const parameters = parametersOf(route, example);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    // An empty list removes the requirement; OpenAPI 3.1 lists the scopes of a bearer credential as roles.
    security: scopes === "public" ? [] : [{ bearer: scopes }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBodyOf(body, example.body) }),
    responses: { ...successesOf(route, example), ...refusalsOf(route) },
  };
}
