import type { JsonSchema } from "@valibot/to-json-schema";
import { families } from "../routes/index.ts";
import type { RequestBody, Route, RouteTable } from "../routes/route.ts";
import type { Example, Examples } from "./example.ts";
import { componentSchemas, jsonSchemaOf } from "./json-schema.ts";
import { namedInOperation } from "./named-in-operation.ts";
import { type Names, namedParts } from "./named-parts.ts";
import { parametersOf } from "./parameters.ts";
import recorded from "./recorded-examples.json" with { type: "json" };
import { refusalResponses } from "./refusal-responses.ts";
import { refusalsOf } from "./refusals.ts";
import { successesOf } from "./successes.ts";

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

/** Describes a request body. A form may be sent in either encoding; only one of them carries files. */
export function requestBodyOf(body: RequestBody, example: unknown): Record<string, unknown> {
  const shown = example === undefined ? {} : { example };
  if ("text" in body) {
    const schema = body.reads ? jsonSchemaOf(body.reads) : {};
    return {
      ...(body.reads && isNeeded(body.reads) && { required: true }),
      content: { [body.text]: { schema, ...shown } },
    };
  }
  if ("json" in body) {
    const content = { "application/json": { schema: jsonSchemaOf(body.json), ...shown } };
    return { ...(isNeeded(body.json) && { required: true }), content };
  }
  const schema = jsonSchemaOf(body.form);
  const texts = withoutFiles(schema);
  const fields = Object.entries(Object(example)).filter(([name]) => name in (texts.properties ?? {}));
  return {
    ...((schema.required ?? []).length > 0 && { required: true }),
    content: {
      "application/x-www-form-urlencoded": {
        schema: texts,
        ...(example !== undefined && { example: Object.fromEntries(fields) }),
      },
      "multipart/form-data": { schema, ...shown },
    },
  };
}

/** Only multipart carries files. */
function withoutFiles(schema: JsonSchema): JsonSchema {
  const isFile = (member: unknown) => JSON.stringify(member).includes('"format":"binary"');
  const members = Object.entries(schema.properties ?? {}).filter(([, member]) => !isFile(member));
  return { ...schema, properties: Object.fromEntries(members) };
}

const isNeeded = ({ type }: { readonly type: string }): boolean => type !== "optional" && type !== "nullish";
