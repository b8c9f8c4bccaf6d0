import * as v from "valibot";

/** A file part of a multipart form. */
export const UploadedFile = v.object({
  filename: v.string(),
  /** The part's content type; `text/plain` if it has none. */
  mime_type: v.string(),
  bytes: v.instance(Uint8Array),
});
export type UploadedFile = v.InferOutput<typeof UploadedFile>;

/** A form field with any number of files. */
export const uploadedFiles = () =>
  v.optional(
    v.pipe(
      v.array(UploadedFile),
      v.metadata({ jsonSchema: { type: "array", items: { type: "string", format: "binary" } } }),
    ),
  );
