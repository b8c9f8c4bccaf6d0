import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { framesIn } from "../support/openapi/answer-fault.ts";
import { type Described, document, type Media, operations, responseOf } from "../support/openapi/document.ts";
import { checkOf } from "../support/openapi/schema-checks.ts";

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
    for (const [status, { content = {} }] of successes(operation)) {
      for (const [mediaType, media] of Object.entries(content)) {
        expect(media.example, `${status} in ${mediaType} has one`).toBeDefined();
        expect(faultOf(mediaType, media), `${status} in ${mediaType}`).toBeUndefined();
      }
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

const dataSchemaOf = (item: Record<string, unknown>) =>
  // Written by `eventStreamOf`; the document's type does not follow it this far.
  (item as { properties: { data: { contentSchema: Record<string, unknown> } } }).properties.data
    .contentSchema;
