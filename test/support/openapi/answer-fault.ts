import { type Media, type Operation, responseOf } from "./document.ts";
import { checkOf } from "./schema-checks.ts";

/** What came back. */
export type Answered = { readonly status: number; readonly type: string; readonly text: string };

/**
 * What an answer has that the document does not describe; undefined where nothing is wrong with it.
 *
 * @param mayBeUnavailable  whether the operation needs something that is not always there
 */
export function answerFault(
  operation: Pick<Operation, "responses">,
  { status, type, text }: Answered,
  mayBeUnavailable: boolean,
): string | undefined {
  if (status >= 500 && !(status === 503 && mayBeUnavailable)) return `answered ${status}`;
  const described = responseOf(operation, status);
  if (!described) return `status ${status} is not described`;
  const mediaType = type.split(";")[0] ?? "";
  if (!described.content) return text === "" ? undefined : `a body with ${status} is not described`;
  if (text === "" && mediaType === "") return `no body with ${status}, where one is described`;
  // The agent-to-agent protocol's own name for JSON, which clients ask for.
  const named = mediaType === "application/a2a+json" ? "application/json" : mediaType;
  const media = described.content[named] ?? described.content["*/*"];
  if (!media) return `${mediaType || "no media type"} with ${status} is not described`;
  return bodyFault(media, mediaType, text);
}

function bodyFault(media: Media, mediaType: string, text: string): string | undefined {
  const item = media["x-item-schema"];
  if (item) {
    const check = checkOf(dataSchemaOf(item));
    return framesIn(text)
      .map((data) => {
        const fault = check(data);
        return fault && `frame${fault}: ${JSON.stringify(data).slice(0, 300)}`;
      })
      .find((fault) => fault !== undefined);
  }
  // Lines of JSON are none themselves.
  const isJson = /[/+]json$/.test(mediaType) && media.schema.format !== "binary";
  return checkOf(media.schema)(isJson ? JSON.parse(text) : text);
}

/** Data of the frames of an event stream, each read as JSON. Comments are none. */
export const framesIn = (text: string): unknown[] =>
  text
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.startsWith(":") && frame !== "data: [DONE]")
    .map((frame) => JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? "null"));

type Item = { readonly properties: { readonly data: { readonly contentSchema: Media["schema"] } } };

/** The schema of a frame's data, once it is read as JSON. */
export const dataSchemaOf = (item: Media["schema"]): Media["schema"] =>
  // Every stream of the document is written like this.
  (item as unknown as Item).properties.data.contentSchema;
