import { families } from "../routes/index.ts";
import type { RouteTable } from "../routes/route.ts";
import type { Example } from "./examples/example.ts";
import { examples } from "./examples/index.ts";
import { componentSchemas } from "./json-schema.ts";
import { operationOf } from "./operation.ts";
import { refusalResponses } from "./refusal-responses.ts";

/**
 * Describes every served operation as an OpenAPI 3.1 document, derived from the route table and the examples.
 *
 * @param version  version of this software
 * @param served   the route tables that a deployment serves, by family
 */
export function openApi(
  version: string,
  served: Readonly<Record<string, RouteTable>> = families,
): Record<string, unknown> {
  return {
    openapi: "3.1.0",
    info: {
      title: "Agent platform",
      version,
      description:
        "Runs agents, teams and workflows durably on AWS: submit, stream, queue, poll, list and requeue runs over HTTP. Every answer carries x-request-id. Streams are server-sent events; x-item-schema describes their frames.",
    },
    servers: [{ url: "/" }],
    tags: Object.keys(served).map((name) => ({ name })),
    paths: pathsOf(served),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "A token of the identity provider, or that of a service account.",
        },
      },
      responses: refusalResponses(),
      schemas: componentSchemas(),
    },
  };
}

function pathsOf(tables: Readonly<Record<string, RouteTable>>): Record<string, Record<string, unknown>> {
  const shown: Readonly<Record<string, Example | undefined>> = examples;
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [family, table] of Object.entries(tables)) {
    for (const [operationId, route] of Object.entries(table)) {
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: operationOf(family, operationId, route, shown[operationId] ?? {}),
      };
    }
  }
  return paths;
}
