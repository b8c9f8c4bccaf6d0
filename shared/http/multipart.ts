import { ServiceError } from "../errors.ts";
import { InvalidInput } from "./invalid-input.ts";

/**
 * Reads the text parts of a multipart body.
 *
 * @returns name and text of each part, in their order
 * @throws ServiceError BAD_REQUEST for a part that carries a file; InvalidInput for a body that is no multipart
 * @decided no kind of file is taken yet, and dropping one silently would change what was asked for
 */
export async function multipartPairs(body: Buffer, contentType: string): Promise<[string, string][]> {
  // Loaded when first needed: most functions never see a multipart body.
  const { default: busboy } = await import("busboy");
  const pairs: [string, string][] = [];
  return new Promise((resolve, reject) => {
    const malformed = () => reject(new InvalidInput([malformedMultipart]));
    try {
      const limits = { fieldSize: body.length, fields: 1000 };
      const parser = busboy({ headers: { "content-type": contentType }, limits, defParamCharset: "utf8" });
      parser.on("field", (name, text) => pairs.push([name, text]));
      parser.on("file", (_name, file, { filename, mimeType }) => {
        file.resume();
        // A form whose file field was left empty sends a nameless part.
        if (filename)
          reject(new ServiceError("BAD_REQUEST", `uploads of type ${mimeType} are not supported`));
      });
      parser.on("error", malformed);
      parser.on("close", () => resolve(pairs));
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
