import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { families } from "../../shared/routes/index.ts";
import type { RouteTable } from "../../shared/routes/route.ts";
import { dataSchemaOf, framesIn } from "../support/openapi/answer-fault.ts";
import { type Described, document, type Media, operations, responseOf } from "../support/openapi/document.ts";
import { checkOf } from "../support/openapi/schema-checks.ts";

const rows = Object.entries<RouteTable>(families).flatMap(([family, table]) =>
  Object.entries(table).map(([operationId, route]) => ({ family, operationId, route })),
);
const operationAt = (path: string, method: string) => document.paths[path]?.[method.toLowerCase()];

describe.each(rows)("$route.method $route.path", ({ family, operationId, route }) => {
  const operation = operationAt(route.path, route.method);

  test("is described under its name and family", () => {
    expect(operation).toMatchObject({ operationId, tags: [route.tag ?? family] });
  });

  test("names its credential", () => {
    expect(operation?.security).toEqual(route.scopes === "public" ? [] : [{ bearer: route.scopes }]);
    expect("401" in (operation?.responses ?? {})).toBe(route.scopes !== "public");
  });

  test("describes every variable of its path", () => {
    const names = [...route.path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
    const described = (operation?.parameters ?? []).filter((parameter) => parameter.in === "path");
    expect(described.map(({ name }) => name)).toEqual(names);
    expect(described.every(({ required }) => required)).toBe(true);
  });
});

test("nothing is described that is not served", () => {
  const described = Object.values(document.paths).flatMap((operations) => Object.values(operations));
  expect(described).toHaveLength(rows.length);
});

test("every reference leads to a component, and every component says what it is", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
    ([, reference = ""]) => reference,
  );
  expect(references.length).toBeGreaterThan(20);
  for (const reference of references) {
    const [, , kind, name = ""] = reference.split("/");
    expect(
      Object.keys(kind === "responses" ? document.components.responses : document.components.schemas),
    ).toContain(name);
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    expect(Object.keys(schema), name).not.toHaveLength(0);
  }
});

test("text that is parsed is described as what it means", () => {
  const parameters = operationAt("/queue/jobs", "GET")?.parameters ?? [];
  const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema;
  expect(schemaOf("limit")).toMatchObject({ type: "integer", minimum: 1, maximum: 1000, default: 20 });
  expect(schemaOf("status")).toMatchObject({ type: "array", items: { type: "string" } });
  const form = operationAt("/agents/{agent_id}/runs", "POST")?.requestBody?.content["multipart/form-data"];
  expect(form?.schema).toMatchObject({
    required: ["message"],
    properties: { stream: { type: "boolean", default: true }, message: { type: "string", minLength: 1 } },
  });
});

test("a run may answer JSON, a stream or an acceptance", () => {
  const operation = operationAt("/agents/{agent_id}/runs", "POST") ?? { responses: {} };
  expect(Object.keys(responseOf(operation, 200)?.content ?? {})).toEqual([
    "application/json",
    "text/event-stream",
  ]);
  expect(responseOf(operation, 202)?.content?.["application/json"]?.schema).toEqual({
    $ref: "#/components/schemas/AcceptedRun",
  });
});

test("the document carries the version of the software", () => {
  expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.2.3" } });
});

test("an OpenAPI validator finds nothing wrong with the document", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

/** Operations that answer everybody with a refusal have no answer to show. */
const answering = ({ summary }: { readonly summary: string }): boolean => !summary.startsWith("Refused");

const successes = (operation: (typeof operations)[number]): [string, Described][] =>
  Object.keys(operation.responses)
    .filter((status) => status.startsWith("2"))
    .flatMap((status) => {
      const found = responseOf(operation, status);
      return found ? [[status, found]] : [];
    });

describe("the examples", () => {
  test.each(operations)("of $operationId fit what they are examples of", (operation) => {
    for (const { name, schema, example, in: place, required } of operation.parameters ?? []) {
      if (place === "path" || required) expect(example, `${name} has one`).toBeDefined();
      if (example !== undefined) expect(checkOf(schema)(example), name).toBeUndefined();
    }
    for (const [mediaType, { schema, example }] of Object.entries(operation.requestBody?.content ?? {})) {
      const isNeeded = operation.requestBody?.required ?? false;
      if (isNeeded) expect(example, `the body in ${mediaType} has one`).toBeDefined();
      if (example !== undefined) expect(checkOf(schema)(example), mediaType).toBeUndefined();
    }
    if (!answering(operation)) return;
    const contents = successes(operation).flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([mediaType, media]) => [status, mediaType, media] as const),
    );
    const shown = contents.filter(([, , media]) => media.example !== undefined);
    expect(contents.length === 0 || shown.length > 0, "some answer is shown").toBe(true);
    for (const [status, mediaType, media] of shown) {
      expect(faultOf(mediaType, media), `${status} in ${mediaType}`).toBeUndefined();
    }
  });

  test.each(Object.entries(document.components.responses))(
    "of the refusal %s fits it",
    (_name, { content }) => {
      const media = content?.["application/json"];
      expect(media && checkOf(media.schema)(media.example)).toBeUndefined();
    },
  );
});

function faultOf(mediaType: string, { schema, example, "x-item-schema": item }: Media): string | undefined {
  if (mediaType !== "text/event-stream" || !item) return checkOf(schema)(example);
  const faults = framesIn(String(example)).map((data) => checkOf(dataSchemaOf(item))(data));
  return faults.length === 0 ? "no frame" : faults.find((fault) => fault !== undefined);
}
