import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from "@valibot/to-json-schema";
import { families } from "./routes/index.ts";
import { variableName } from "./routes/matcher.ts";
import type { RequestBody, Route, RouteTable, Schema } from "./routes/route.ts";
import { AgentResponse } from "./schemas/agent.ts";
import { Approval } from "./schemas/approval.ts";
import { ErrorBody, ValidationErrorBody } from "./schemas/error-body.ts";
import { PaginationInfo } from "./schemas/page.ts";
import { QueueJob, QueueStats } from "./schemas/queue-job.ts";
import { AcceptedRun, Message, Requirement, RunMetrics, RunOutput, ToolExecution } from "./schemas/run.ts";
import { TraceNode } from "./schemas/trace.ts";

/** Schemas that several operations share; the document refers to them by these names. */
const named = {
  AcceptedRun,
  AgentResponse,
  Approval,
  ErrorBody,
  Message,
  PaginationInfo,
  QueueJob,
  QueueStats,
  Requirement,
  RunMetrics,
  RunOutput,
  ToolExecution,
  TraceNode,
  ValidationErrorBody,
};

const conversion = {
  target: "draft-2020-12",
  // What JSON Schema cannot say (a custom check) is left out here; it is checked all the same.
  errorMode: "ignore",
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction: ({ valibotAction, jsonSchema }) => declaredSchema(valibotAction, jsonSchema),
  overrideSchema: ({ jsonSchema }) => withTypedDefault(jsonSchema),
} as const satisfies ConversionConfig;

/**
 * Describes every served operation as an OpenAPI 3.1 document, derived from the route table alone.
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
        "Runs agents durably on AWS: submit, stream, queue, poll, list and requeue runs over HTTP.",
    },
    tags: Object.keys(served).map((name) => ({ name })),
    paths: pathsOf(served),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: toJsonSchemaDefs(named, conversion),
    },
  };
}

function pathsOf(tables: Readonly<Record<string, RouteTable>>): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [family, table] of Object.entries(tables)) {
    for (const [operationId, route] of Object.entries(table)) {
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: operationOf(family, operationId, route),
      };
    }
  }
  return paths;
}

function operationOf(family: string, operationId: string, route: Route): Record<string, unknown> {
  const { summary, description, scopes } = route;
  const parameters = [...parametersIn("path", route), ...parametersIn("query", route)];
  return {
    operationId,
    tags: [family],
    summary,
    ...(description !== undefined && { description }),
    // An empty list takes the requirement away; scopes of a bearer credential are named by the roles of 3.1.
    security: scopes === "public" ? [] : [{ bearer: scopes }],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: requestBodyOf(route.body) }),
    responses: { ...successesOf(route), ...refusalsOf(route) },
  };
}

function parametersIn(place: "path" | "query", route: Route): Record<string, unknown>[] {
  const declared = place === "path" ? route.params : route.query;
  const { properties = {}, required = [] } = declared ? schemaOf(declared) : {};
  const names =
    place === "path"
      ? route.path
          .split("/")
          .map(variableName)
          .filter((name) => name !== undefined)
      : Object.keys(properties);
  return names.map((name) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: properties[name] ?? { type: "string" },
  }));
}

function requestBodyOf(body: RequestBody): Record<string, unknown> {
  if ("json" in body) {
    return { required: true, content: { "application/json": { schema: schemaOf(body.json) } } };
  }
  if ("text" in body) return { content: { [body.text]: { schema: {} } } };
  const form = { schema: schemaOf(body.form) };
  return {
    required: true,
    content: { "application/x-www-form-urlencoded": form, "multipart/form-data": form },
  };
}

function successesOf({ response, status, also, streams }: Route): Record<string, unknown> {
  const ordinary = {
    ...contentOf(response),
    ...(streams && { "text/event-stream": { schema: { type: "string" } } }),
  };
  const further = Object.entries(also ?? {}).map(([code, schema]) => [
    code,
    { description: "Accepted", content: contentOf(schema) },
  ]);
  return {
    [status ?? 200]: {
      description: "Success",
      ...(Object.keys(ordinary).length > 0 && { content: ordinary }),
    },
    ...Object.fromEntries(further),
  };
}

function contentOf(response: Route["response"]): Record<string, unknown> {
  if (response === null) return {};
  if ("mediaType" in response) return { [response.mediaType]: { schema: { type: "string" } } };
  return { "application/json": { schema: schemaOf(response) } };
}

/** Statuses that the pipeline or the row's own parts can answer with, each with its body. */
function refusalsOf({ scopes, params, query, body }: Route): Record<string, unknown> {
  const takesInput = params !== undefined || query !== undefined || body !== undefined;
  return {
    ...(takesInput && { 400: refusal("The request cannot be carried out as it is") }),
    ...(scopes !== "public" && {
      401: refusal("No credential, or one that is not valid"),
      403: refusal("A scope is missing"),
    }),
    ...(params && { 404: refusal("Not found") }),
    ...(body && { 413: refusal("The body is too large") }),
    ...(takesInput && { 422: refusal("The input is not valid", "ValidationErrorBody") }),
    500: refusal("A failure on our side"),
    503: refusal("Something this service stands on is not available"),
  };
}

const refusal = (description: string, body: keyof typeof named = "ErrorBody") => ({
  description,
  content: { "application/json": { schema: { $ref: `#/components/schemas/${body}` } } },
});

function schemaOf(schema: Schema): JsonSchema {
  const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, { ...conversion, definitions: named });
  return converted;
}

/** A field that is parsed from text says itself, as `metadata({ jsonSchema })`, what it looks like. */
function declaredSchema(action: { type: string; metadata?: unknown }, converted: JsonSchema): JsonSchema {
  const { metadata } = action;
  if (action.type !== "metadata" || typeof metadata !== "object" || metadata === null) return converted;
  if (!("jsonSchema" in metadata)) return converted;
  const members = Object.entries(metadata.jsonSchema ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members);
}

/** Defaults of such fields are text; clients expect the type that is described. */
function withTypedDefault(schema: JsonSchema): JsonSchema {
  if (typeof schema.default !== "string") return schema;
  if (schema.type === "integer") return { ...schema, default: Number(schema.default) };
  if (schema.type === "boolean") return { ...schema, default: schema.default === "true" };
  return schema;
}
