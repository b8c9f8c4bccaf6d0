import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { namedParts } from "../../shared/openapi/named-parts.ts";
import { document, type JsonSchema, operations, responseOf } from "../support/openapi/document.ts";

type Place = { readonly path: string; readonly schema: JsonSchema };

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A schema with every schema within it. */
function within(path: string, schema: unknown): Place[] {
  if (!isSchema(schema)) return [];
  const { properties, items, additionalProperties, contentSchema, anyOf, oneOf, prefixItems } = schema;
  const several = Object.entries({ anyOf, oneOf, prefixItems }).flatMap(([key, list]) =>
    Array.isArray(list) ? list.flatMap((one, index) => within(`${path}/${key}/${index}`, one)) : [],
  );
  const members = Object.entries(isSchema(properties) ? properties : {});
  return [
    { path, schema },
    ...members.flatMap(([name, member]) => within(`${path}/properties/${name}`, member)),
    ...Object.entries({ items, additionalProperties, contentSchema }).flatMap(([key, one]) =>
      within(`${path}/${key}`, one),
    ),
    ...several,
  ];
}

const contents = operations.flatMap((operation) => {
  const answers = Object.keys(operation.responses).map((status) => responseOf(operation, status)?.content);
  return [operation.requestBody?.content, ...answers].flatMap((content) =>
    Object.entries(content ?? {}).map(([mediaType, { schema }]) => ({
      path: `${operation.operationId}/${mediaType}`,
      schema,
    })),
  );
});
const parameters = operations.flatMap(({ operationId, parameters: some = [] }) =>
  some.map(({ name, schema }) => ({ path: `${operationId}/${name}`, schema })),
);
const components = Object.entries(document.components.schemas).map(([path, schema]) => ({ path, schema }));
const roots: Place[] = [...components, ...contents, ...parameters];
const places = roots.flatMap(({ path, schema }) => within(path, schema));
const pathsOf = (wrong: (place: Place) => boolean): string[] => places.filter(wrong).map(({ path }) => path);

const isNull = (schema: unknown): boolean => isSchema(schema) && schema.type === "null";
const variantsOf = ({ anyOf, oneOf }: JsonSchema): unknown[] =>
  [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));

test("every schema is valid JSON Schema 2020-12", () => {
  const ajv = new Ajv2020({ strict: false });
  expect(roots.filter(({ schema }) => !ajv.validateSchema(schema)).map(({ path }) => path)).toEqual([]);
});

test("null is always an alternative to something", () => {
  const stands = /\/(anyOf|oneOf)\/\d+$/;
  expect(pathsOf(({ path, schema }) => isNull(schema) && !stands.test(path))).toEqual([]);
  expect(
    pathsOf(({ schema }) => {
      const variants = variantsOf(schema);
      return variants.length > 0 && variants.every(isNull);
    }),
  ).toEqual([]);
});

test("there is no empty tuple, and a schema has one type", () => {
  expect(
    pathsOf(({ schema }) => Array.isArray(schema.prefixItems) && schema.prefixItems.length === 0),
  ).toEqual([]);
  expect(pathsOf(({ schema }) => Array.isArray(schema.type))).toEqual([]);
});

test("constants have a type, and numbers have as many bits as they need", () => {
  expect(pathsOf(({ schema }) => "const" in schema && !("type" in schema))).toEqual([]);
  expect(pathsOf(({ schema: { type, format } }) => type === "number" && format !== "double")).toEqual([]);
  expect(
    pathsOf(({ schema: { type, format, maximum } }) => {
      const fits = typeof maximum === "number" && maximum < 2 ** 31;
      return type === "integer" && format !== (fits ? "int32" : "int64");
    }),
  ).toEqual([]);
});

test("objects and choices within others are components of their own", () => {
  const isForm = ({ path }: Place): boolean =>
    /\/(multipart\/form-data|application\/x-www-form-urlencoded)$/.test(path);
  const atTop = new Set([...components, ...contents.filter(isForm)].map(({ schema }) => schema));
  const isPart = ({ schema }: Place): boolean => {
    const variants = variantsOf(schema).filter((one) => !isNull(one));
    const areTexts = variants.every((one) => isSchema(one) && one.type === "string");
    return isSchema(schema.properties) || (variants.length > 1 && !areTexts);
  };
  expect(places.filter((one) => isPart(one) && !atTop.has(one.schema)).map(({ path }) => path)).toEqual([]);
});

test("the events of a run are distinguished by their name", () => {
  expect(document.components.schemas.AgentRunEvent).toMatchObject({
    discriminator: {
      propertyName: "event",
      mapping: { RunStarted: "#/components/schemas/AgentRunEventRunStarted" },
    },
  });
});

test("a name says where a part stands, and parts in the same words have one", () => {
  const part = { type: "object", properties: { id: { type: "string" } } };
  const { schemas, name } = namedParts({
    Agent: { type: "object", properties: { first_tool: part, other: part } },
  });
  expect(schemas.Agent).toEqual({
    type: "object",
    properties: {
      first_tool: { $ref: "#/components/schemas/AgentFirstTool" },
      other: { $ref: "#/components/schemas/AgentFirstTool" },
    },
  });
  expect(name({ type: "object", properties: { n: { type: "integer" } } }, "AgentFirstTool")).toEqual({
    $ref: "#/components/schemas/AgentFirstTool2",
  });
});
