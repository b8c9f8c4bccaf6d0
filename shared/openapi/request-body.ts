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
  const form = { schema: jsonSchemaOf(body.form), ...shown };
  return {
    required: true,
    content: { "application/x-www-form-urlencoded": form, "multipart/form-data": form },
  };
}

const isNeeded = ({ type }: { readonly type: string }): boolean => type !== "optional" && type !== "nullish";
