import type { JsonSchema } from "@valibot/to-json-schema";
import { variableName } from "../routes/matching/matcher.ts";
import type { Route } from "../routes/route.ts";
import type { Example } from "./example.ts";
import { jsonSchemaOf } from "./json-schema.ts";

/** The variables of the path, the fields of the query, and the headers. */
export const parametersOf = (route: Route, example: Example): Record<string, unknown>[] => [
  ...parametersIn("path", route, example.path),
  ...parametersIn("query", route, example.query),
  ...Object.entries(route.headers ?? {}).map(([name, { description, schema = {}, example: shown }]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string", ...schema },
    ...(shown !== undefined && { example: shown }),
  })),
];

function parametersIn(
  place: "path" | "query",
  route: Route,
  examples: Readonly<Record<string, unknown>>,
): Record<string, unknown>[] {
  const declared = place === "path" ? route.params : route.query;
  const { properties = {}, required = [] } = declared ? jsonSchemaOf(declared) : {};
  const names = place === "path" ? variablesOf(route.path) : Object.keys(properties);
  return names.map((name) => {
    const { description, ...schema } = recordOf(properties[name]);
    return {
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(description !== undefined && { description }),
      schema,
      ...(examples[name] !== undefined && { example: examples[name] }),
    };
  });
}

const recordOf = (schema: JsonSchema | boolean | undefined): JsonSchema =>
  typeof schema === "object" ? schema : { type: "string" };

const variablesOf = (path: string): string[] =>
  path
    .split("/")
    .map(variableName)
    .filter((name) => name !== undefined);
