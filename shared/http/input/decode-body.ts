import { ServiceError } from "../../errors.ts";
import type { RequestBody, Schema } from "../../routes/route.ts";
import { bodyTooLarge } from "../../runtime/body-limit.ts";
import type { Incoming } from "../incoming.ts";
import { InvalidInput, type ValidationError } from "./invalid-input.ts";
import { type FormPart, MAX_FORM_FIELDS, multipartParts, tooManyFields } from "./multipart.ts";
import { exampleField, hasField, textFields } from "./text-fields.ts";

/**
 * Decodes a body in the form that its route declares. JSON stays text: `json-body.ts` reads it.
 *
 * @returns undefined where there is none; an empty body is a form without fields, so that the answer names those that are
 *   missing
 * @throws ServiceError PAYLOAD_TOO_LARGE; BAD_REQUEST for a body that broke off; InvalidInput for anything else in place
 *   of a form
 * @source docs/interface/runs.md 3.1
 */
export async function decodeBody(
  declared: RequestBody | undefined,
  { body, headers, rawPath }: Incoming,
  maxBodyBytes: number,
): Promise<unknown> {
  if (body.length > maxBodyBytes) {
    throw new ServiceError("PAYLOAD_TOO_LARGE", bodyTooLarge(maxBodyBytes, rawPath));
  }
  if (!declared) return undefined;
  if (body.length < announcedLength(headers)) {
    throw new ServiceError("BAD_REQUEST", "the request body ended before its content-length");
  }
  if ("text" in declared) return body.toString("utf8");
  const contentType = headers["content-type"] ?? "";
  if ("form" in declared) return textFields(await formParts(body, contentType, declared.form), declared.form);
  return body.length === 0 ? undefined : body.toString("utf8");
}

/** The type of a JSON body, as its reader compares it; a client that names none means JSON. */
export function jsonTypeOf({ "content-type": contentType = "" }: Incoming["headers"]): string {
  return contentType === "" || isJson(contentType) ? "application/json" : mediaTypeOf(contentType);
}

/** Bytes that the client meant to send; 0 where it did not say. */
function announcedLength({ "content-length": text = "" }: Incoming["headers"]): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

async function formParts(body: Buffer, contentType: string, form: Schema): Promise<Iterable<FormPart>> {
  const type = mediaTypeOf(contentType);
  if (type === "application/x-www-form-urlencoded") {
    const fields = new URLSearchParams(body.toString("utf8"));
    if (fields.size > MAX_FORM_FIELDS) throw tooManyFields();
    return fields;
  }
  if (type === "multipart/form-data")
    return multipartParts(body, contentType, (name) => hasField(form, name));
  if (body.length > 0) throw new InvalidInput([formExpected(form, contentType)]);
  return [];
}

/**
 * Read as an empty form, it would be answered that a field is missing that the client has sent; where none is required, the
 * request would do something else than it says.
 */
function formExpected(form: Schema, contentType: string): ValidationError {
  const sent = isJson(contentType) ? "JSON" : mediaTypeOf(contentType) || "a body without a content-type";
  const msg = `Value error, this route takes a form, not ${sent}. With curl: -F ${exampleField(form)}; in code: multipart/form-data, or application/x-www-form-urlencoded`;
  return { type: "value_error", loc: ["body"], msg, input: null, ctx: { error: {} } };
}

const mediaTypeOf = (contentType: string): string => contentType.split(";")[0]?.trim().toLowerCase() ?? "";

const isJson = (contentType: string): boolean =>
  /^application\/([\w.-]+\+)?json$/.test(mediaTypeOf(contentType));
