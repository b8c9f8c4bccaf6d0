import { families } from "../routes/index.ts";
import type { RouteTable } from "../routes/route.ts";
import type { Example, Examples } from "./example.ts";
import { componentSchemas } from "./json-schema.ts";
import { namedInOperation } from "./named-in-operation.ts";
import { type Names, namedParts } from "./named-parts.ts";
import { operationOf } from "./operation.ts";
import recorded from "./recorded-examples.json" with { type: "json" };
import { refusalResponses } from "./refusal-responses.ts";

/**
 * Describes every served operation as an OpenAPI 3.1 document, derived from the route table and from recorded examples.
 *
 * @param version  version of this software
 * @param served   the route tables that a deployment serves, by family
 */
export function openApi(
  version: string,
  served: Readonly<Record<string, RouteTable>> = families,
): Record<string, unknown> {
  const names = namedParts(componentSchemas());
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
    paths: pathsOf(served, names),
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
      schemas: names.schemas,
    },
  };
}

/** Of a route whose answers are not recorded yet. */
const NO_EXAMPLE: Example = { path: {}, query: {}, answers: {} };

function pathsOf(
  tables: Readonly<Record<string, RouteTable>>,
  names: Names,
): Record<string, Record<string, unknown>> {
  const examples: Examples = recorded;
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [family, table] of Object.entries(tables)) {
    for (const [operationId, route] of Object.entries(table)) {
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: namedInOperation(
          operationOf(family, operationId, route, examples[operationId] ?? NO_EXAMPLE),
          operationId,
          names,
        ),
      };
    }
  }
  return paths;
}
