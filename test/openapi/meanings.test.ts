import { describe, expect, test } from "vitest";
import { document, type JsonSchema, operations } from "../support/openapi/document.ts";

/** `/docs` says what every input of an operation means, in one sentence. */

/** Short enough to stand beside its name, and no sentence that ends: it is a label. */
const MEANING = /^[A-Za-z](.{1,140})[^.]$/s;

/** The members of a schema and of what is within it, by the names that lead there, with what each means. */
function membersOf(schema: JsonSchema, place = ""): [string, unknown][] {
  const { $ref, anyOf, oneOf, items, properties } = schema;
  const name = typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;
  if (name !== undefined) return membersOf(document.components.schemas[name] ?? {}, place);
  const parts = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const within = [...parts, ...(isSchema(items) ? [items] : [])].flatMap((one) => membersOf(one, place));
  const members = Object.entries(isSchema(properties) ? properties : {});
  return [
    ...within,
    ...members.flatMap(([key, member]): [string, unknown][] => [
      [`${place}.${key}`, meaningOf(member)],
      ...membersOf(member, `${place}.${key}`),
    ]),
  ];
}

/** Where a member is one of the named schemas, what it means is said there. */
function meaningOf({ description, $ref }: JsonSchema): unknown {
  if (description !== undefined || typeof $ref !== "string") return description;
  return document.components.schemas[$ref.split("/").at(-1) ?? ""]?.description;
}

const isSchema = (value: unknown): value is Readonly<Record<string, JsonSchema>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The agent-to-agent protocol describes its members itself, and a chat platform those of its webhook. */
const describedElsewhere = new Set(["a2a", "webhooks", "agui", "ui-chat", "mcp", "openai"]);

const withInput = operations.filter(
  ({ parameters = [], requestBody, tags = [] }) =>
    parameters.length > 0 ||
    Object.keys(requestBody?.content ?? {}).some(
      (type) => /form-data/.test(type) || (/json/.test(type) && !describedElsewhere.has(tags[0] ?? "")),
    ),
);

describe.each(withInput)("$operationId", ({ parameters = [], requestBody, tags }) => {
  test.each(parameters.map(({ in: place, name, description }) => [place, name, description]))(
    "says what the %s parameter %s means",
    (_place, _name, description) => {
      expect(description).toMatch(MEANING);
    },
  );

  const { "multipart/form-data": form, "application/json": json } = requestBody?.content ?? {};
  if (form) {
    test("says what each field of its form means", () => {
      const { properties = {} } = form.schema ?? {};
      const fields = Object.entries(isSchema(properties) ? properties : {});
      expect(fields).not.toEqual([]);
      for (const [name, { description }] of fields) expect(description, name).toMatch(MEANING);
    });
  }
  if (json && !describedElsewhere.has(tags[0] ?? "")) {
    test("says what each member of its body means", () => {
      for (const [name, description] of membersOf(json.schema ?? {})) {
        expect(description, name).toMatch(MEANING);
      }
    });
  }
});
