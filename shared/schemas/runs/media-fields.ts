import * as v from "valibot";
import { jsonTextOf } from "../values/described-as.ts";
import { fault } from "../values/fields.ts";
import { isObject, parsedJson } from "../values/json-values.ts";
import { storableText } from "../values/storable-text.ts";

/**
 * A media object of a form: exactly one of `url` and `content` (base64), and any other members. A form may give the
 * content of a text type as the text itself, which is made base64 here.
 */
export type GivenMedia = Readonly<Record<string, unknown>> &
  (
    | { readonly url: string; readonly content?: undefined }
    | { readonly content: string; readonly url?: undefined }
  );

/** The same for the interface description; other members are stored unchanged. */
const mediaSchema = {
  type: "object",
  oneOf: [
    { required: ["url"], properties: { url: { type: "string", pattern: "^https?://" } } },
    { required: ["content"], properties: { content: { type: "string", contentEncoding: "base64" } } },
  ],
  properties: {
    url: { type: "string", description: "An http address" },
    content: { type: "string", contentEncoding: "base64" },
    id: { type: "string" },
    format: { type: "string" },
    mime_type: { type: "string" },
    filename: { type: "string" },
  },
};

/**
 * A JSON array of media objects, as text. Anything else is refused: a run without the picture that it is about would
 * answer something else.
 *
 * @decided  `filepath` is refused: it would read the files of the function that serves the request
 */
export const mediaListText = () =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => isBlank(text) || parsedJson(text) !== undefined,
        fault("json_invalid", "Input should be a JSON list of media objects"),
      ),
      storableText(),
      v.rawTransform<unknown, GivenMedia[] | undefined>(({ dataset, addIssue, NEVER }) => {
        const { value } = dataset;
        if (value === undefined) return undefined;
        if (!Array.isArray(value)) {
          addIssue({ message: fault("list_type", "Input should be a valid list") });
          return NEVER;
        }
        const given = value.map(textAsBase64);
        if (given.every(isGivenMedia)) return given;
        const problem = given.map(problemOfMedium).find((reason) => reason !== undefined);
        addIssue({ message: fault("value_error", `Value error, ${problem}`) });
        return NEVER;
      }),
      v.metadata({ jsonSchema: jsonTextOf({ type: "array", items: mediaSchema }) }),
    ),
  );

/** A field that a client leaves empty. */
const isBlank = (text: string): boolean => text.trim() === "";

/** A JSON array of objects, as text: metadata for each uploaded file. Anything else is ignored: the file is taken without it. */
export const filesMetadataText = () =>
  v.optional(
    v.pipe(
      storableText(),
      v.transform((value): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined)),
      v.metadata({ jsonSchema: jsonTextOf({ type: "array", items: { type: "object" } }) }),
    ),
  );

const isGivenMedia = (item: unknown): item is GivenMedia => problemOfMedium(item) === undefined;

/** Why a value is no media object; undefined for one that is. */
export function problemOfMedium(item: unknown): string | undefined {
  if (item === null || typeof item !== "object" || Array.isArray(item)) return "a media object is expected";
  const { url, content, filepath } = { url: null, content: null, filepath: null, ...item };
  if (filepath !== null) return "filepath is not taken: send the content, or a url";
  const isUrl = typeof url === "string" && URL.canParse(url);
  const isContent = typeof content === "string" && isBase64(content);
  if (url !== null && content !== null) return "give either url or content, not both";
  if (url === null && content === null) return "one of url and content is missing";
  if (url !== null) return isUrl && /^https?:/i.test(url) ? undefined : "url is no http address";
  return isContent ? undefined : "content is not base64";
}

/**
 * The Python client of AgentOS sends the content of `text/*` as it is, other clients in base64. What is base64 of a text
 * is taken for that, everything else for the text: a word that happens to be valid base64 is hardly ever base64 of a
 * text.
 */
function textAsBase64(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { content, mime_type } = item;
  const isText = typeof mime_type === "string" && /^text\//i.test(mime_type);
  if (!isText || typeof content !== "string" || isBase64OfText(content)) return item;
  return { ...item, content: Buffer.from(content).toString("base64") };
}

function isBase64OfText(content: string): boolean {
  if (!isBase64(content) || content.length % 4 !== 0) return false;
  return !NO_TEXT.test(Buffer.from(content, "base64").toString());
}

/** Characters that no text file holds, and what stands for bytes that are no UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NO_TEXT = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f\ufffd]/;

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/]*={0,2}$/.test(text);
