import type { JsonSchema } from "@valibot/to-json-schema";
import type { RequestBody } from "../routes/route.ts";
import { jsonSchemaOf } from "./json-schema.ts";

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
