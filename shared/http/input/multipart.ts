import { ServiceError } from "../../errors.ts";
import type { UploadedFile } from "../../schemas/values/uploaded-file.ts";
import { InvalidInput } from "./invalid-input.ts";

/** Parts of a form without and with a file. */
export const MAX_FORM_FIELDS = 1_000;
const MAX_FORM_FILES = 100;
const MAX_NAME_BYTES = 1_000;

export const tooManyFields = (): ServiceError =>
  new ServiceError("PAYLOAD_TOO_LARGE", `a form may have at most ${MAX_FORM_FIELDS} fields`);

/** A part of a form: its name, and its text or file. */
export type FormPart = readonly [name: string, value: string | UploadedFile];

/**
 * Reads a multipart body.
 *
 * @param acceptsFiles  whether the form has a field of this name that takes files
 * @returns the parts in their order; a file field that was left empty (a part without a file name) gives none
 * @throws ServiceError BAD_REQUEST for a file under any other name, and PAYLOAD_TOO_LARGE for more parts or a longer name
 *   than are read, because dropping them silently would change the request; InvalidInput for a body that is not multipart
 */
export async function multipartParts(
  body: Buffer,
  contentType: string,
  acceptsFiles: (name: string) => boolean,
): Promise<FormPart[]> {
  // Loaded when first needed: most functions never see a multipart body.
  const { default: busboy } = await import("busboy");
  const parts: FormPart[] = [];
  return new Promise((resolve, reject) => {
    const malformed = () => reject(new InvalidInput([malformedMultipart]));
    try {
      const limits = {
        fieldSize: body.length,
        fields: MAX_FORM_FIELDS,
        files: MAX_FORM_FILES,
      };
      const parser = busboy({ headers: { "content-type": contentType }, limits, defParamCharset: "utf8" });
      const refuse = (detail: string) => reject(new ServiceError("PAYLOAD_TOO_LARGE", detail));
      // Its types say otherwise: a part without a name has none. It is ignored, as in the other encoding.
      parser.on("field", (name: string | undefined, text) => {
        if (name === undefined) return;
        if (Buffer.byteLength(name) > MAX_NAME_BYTES)
          refuse(`the name of a field may have at most ${MAX_NAME_BYTES} bytes`);
        // A part may be in UTF-16, and so hold a lone surrogate, which can be neither stored nor part of an address.
        parts.push([name.toWellFormed(), text.toWellFormed()]);
      });
      parser.on("fieldsLimit", () => reject(tooManyFields()));
      parser.on("file", (name: string | undefined = "", file, { filename, mimeType }) => {
        if (filename && !acceptsFiles(name)) {
          reject(new ServiceError("BAD_REQUEST", `the field ${name} takes no uploads of type ${mimeType}`));
        }
        const chunks: Buffer[] = [];
        file.on("data", (chunk: Buffer) => chunks.push(chunk));
        file.on("close", () => {
          const bytes = new Uint8Array(Buffer.concat(chunks));
          if (filename) parts.push([name, { filename: filename.toWellFormed(), mime_type: mimeType, bytes }]);
        });
      });
      parser.on("filesLimit", () => refuse(`a form may have at most ${MAX_FORM_FILES} files`));
      parser.on("error", malformed);
      parser.on("close", () => resolve(parts));
      parser.end(body);
    } catch {
      // busboy throws for a content type without a boundary.
      malformed();
    }
  });
}

const malformedMultipart = {
  type: "value_error",
  loc: ["body"],
  msg: "Value error, There was an error parsing the body",
  input: null,
  ctx: { error: {} },
} as const;
