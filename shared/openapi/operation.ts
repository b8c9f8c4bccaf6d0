import type { Route } from "../routes/route.ts";
import type { Example } from "./examples/example.ts";
import { parametersOf } from "./parameters.ts";
import { refusalsOf } from "./refusals.ts";
import { requestBodyOf } from "./request-body.ts";
import { successesOf } from "./successes.ts";

/** Describes one operation: its row, with what is sent and answered as an example. */
export function operationOf(
  family: string,
  operationId: string,
  route: Route,
  example: Example,
): Record<string, unknown> {
  const { summary, description, scopes, body } = route;
  const parameters = parametersOf(route, example);
  return {
    operationId,
    tags: [family],
    summary,
    ...(description !== undefined && { description }),
    // An empty list takes the requirement away; scopes of a bearer credential are named by the roles of 3.1.
    security: scopes === "public" ? [] : [{ bearer: scopes }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBodyOf(body, example.body) }),
    responses: { ...successesOf(route, example), ...refusalsOf(route) },
  };
}
