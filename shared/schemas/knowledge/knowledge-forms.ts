import * as v from "valibot";
import { describedAs, jsonTextOf, meaning } from "../values/described-as.ts";
import { booleanText, fault, integerText, optionalText } from "../values/fields.ts";
import { isObject, parsedJson } from "../values/json-values.ts";
import { maxChars } from "../values/max-chars.ts";
import { isStorable, unstorable } from "../values/storable.ts";
import { UploadedFile } from "../values/uploaded-file.ts";
import type { Metadata } from "./knowledge-content.ts";

/** More than any vector store accepts; it must fit into an item with everything else. */
export const MAX_METADATA_CHARS = 50_000;

/**
 * The metadata of an upload. Text that is no JSON becomes a value of its own.
 *
 * @source docs/interface/knowledge.md 3.3
 */
const metadataText = () =>
  v.optional(
    v.pipe(
      v.string(),
      v.rawTransform<string, Metadata | undefined>(({ dataset, addIssue, NEVER }) => {
        const text = dataset.value;
        if (text.trim() === "") return undefined;
        if (text.length > MAX_METADATA_CHARS) {
          addIssue({
            message: fault("string_too_long", `String should have at most ${MAX_METADATA_CHARS} characters`),
          });
          return NEVER;
        }
        const parsed = parsedJson(text);
        if (parsed === undefined) return { value: text };
        if (isObject(parsed) && isStorable(parsed)) return parsed;
        addIssue({
          message: isObject(parsed) ? unstorable : fault("dict_type", "Input should be a valid dictionary"),
        });
        return NEVER;
      }),
      v.metadata({ jsonSchema: jsonTextOf({ type: "object" }) }),
    ),
  );

const name = () => v.pipe(v.string(), maxChars(255));
const description = () => v.pipe(v.string(), maxChars(1000));
const givenText = <S extends v.GenericSchema<string, string>>(schema: S) =>
  v.optional(
    v.pipe(
      schema,
      v.transform((text): string | undefined => (text === "" ? undefined : text)),
    ),
  );

const NAME = "What the content is called";
const DESCRIPTION = "What the content is about";
const METADATA = "What searches can filter by: an object of names and values";
const READER = "Which reader takes the text out of the file; chosen by its type unless given";

/** The name and description of an upload, and how it is processed. */
const described = {
  name: meaning(givenText(name()), NAME),
  description: meaning(givenText(description()), DESCRIPTION),
  metadata: meaning(metadataText(), METADATA),
  reader_id: meaning(optionalText(), READER),
  chunker: meaning(optionalText(), "How the text is cut; see GET /knowledge/config"),
  chunk_size: meaning(v.optional(integerText()), "Characters of a chunk"),
  chunk_overlap: meaning(v.optional(integerText()), "Characters that a chunk repeats of the one before"),
};

/** Limits of a visit to a site. */
const MAX_DEPTH = 5;
const MAX_PAGES = 1_000;
export const DEFAULT_PAGES = 100;

/** @source docs/interface/knowledge.md 3.1, 3.2; `upload_id` and what makes a site of an address are ours */
export const ContentForm = v.object({
  file: meaning(
    v.optional(v.pipe(UploadedFile, v.metadata({ jsonSchema: { type: "string", format: "binary" } }))),
    "A file; larger ones are sent to the address of createUploadUrl",
  ),
  text_content: meaning(v.optional(v.string()), "The text itself, in place of a file"),
  url: meaning(optionalText(), "A page or a file to fetch; a site with sitemap or depth"),
  sitemap: meaning(
    v.optional(booleanText()),
    "Whether url is a site map, or an index of site maps: each page that it names is fetched",
  ),
  depth: meaning(
    v.optional(integerText({ min: 1, max: MAX_DEPTH })),
    "How many links away from url pages are fetched too, of the same host and below the same folder",
  ),
  max_pages: meaning(
    v.optional(integerText({ min: 1, max: MAX_PAGES })),
    `Most pages of a site; ${DEFAULT_PAGES} unless given`,
  ),
  upload_id: meaning(optionalText(), "Of a file that was uploaded to the URL of createUploadUrl"),
  ...described,
});
export type ContentForm = v.InferOutput<typeof ContentForm>;

/** @source docs/interface/knowledge.md 4.1 */
export const RemoteContentForm = v.object({
  config_id: meaning(
    v.pipe(v.string(), v.minLength(1, fault("missing", "Field required"))),
    "The source; see GET /knowledge/config",
  ),
  path: meaning(
    v.pipe(v.string(), v.minLength(1, fault("missing", "Field required"))),
    "The object in the source, or a folder that ends with /",
  ),
  /** Validated in the handler: errors in it answer 400. */
  source_params: meaning(
    describedAs(
      optionalText(),
      jsonTextOf({ type: "object", properties: { repo: { type: "string" } }, additionalProperties: false }),
    ),
    "For a source of type github: an object with its repo",
  ),
  ...described,
});
export type RemoteContentForm = v.InferOutput<typeof RemoteContentForm>;

/** @source docs/interface/knowledge.md 5.1; too long a name or description is 422 */
export const ContentPatchForm = v.object({
  name: meaning(v.optional(name()), NAME),
  description: meaning(v.optional(description()), DESCRIPTION),
  /** Validated in the handler: anything but a JSON object answers 400. */
  metadata: meaning(v.optional(describedAs(v.string(), jsonTextOf({ type: "object" }))), METADATA),
  reader_id: meaning(optionalText(), READER),
});

/** @decided  ours: the upload URL for a file that is too large for a request */
export const UploadUrlBody = v.object({
  filename: meaning(v.pipe(v.string(), v.minLength(1), maxChars(255)), "Name of the file"),
  mime_type: meaning(v.optional(v.pipe(v.string(), maxChars(255)), "application/octet-stream"), "Its type"),
  size: meaning(
    v.pipe(v.number(), v.integer(), v.minValue(1)),
    "Its bytes; the address takes exactly as many",
  ),
});

export const UploadUrl = v.object({
  upload_id: v.string(),
  method: v.literal("PUT"),
  url: v.string(),
  /** Headers to send with the file unchanged. */
  headers: v.record(v.string(), v.string()),
  /** Epoch seconds. */
  expires_at: v.number(),
});
