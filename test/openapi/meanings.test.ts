import { describe, expect, test } from "vitest";
import { type JsonSchema, operations } from "../support/openapi/document.ts";
import { resolved } from "../support/openapi/schema-checks.ts";

/** Whoever reads `/docs` is told what every input of an operation means, in one sentence. */

/** Short enough to stand beside its name, and no sentence that ends: it is a label. */
const MEANING = /^[A-Za-z](.{1,140})[^.]$/s;

describe.each(operations)("$operationId", ({ parameters = [], requestBody }) => {
  test.each(parameters.map(({ in: place, name, description }) => [place, name, description]))(
    "says what the %s parameter %s means",
    (_place, _name, description) => {
      expect(description).toMatch(MEANING);
    },
  );

  const form = requestBody?.content["multipart/form-data"];
  test.runIf(form)("says what each field of its form means", () => {
    const { properties = {} } = resolved(form?.schema ?? {}) as {
      readonly properties?: Readonly<Record<string, JsonSchema>>;
    };
    expect(Object.keys(properties)).not.toEqual([]);
    for (const [name, { description }] of Object.entries(properties)) {
      expect(description, name).toMatch(MEANING);
    }
  });
});
