import type { Route, Schema } from "../routes/route.ts";
import { eventStreamOf } from "./event-stream.ts";
import type { Example } from "./examples/example.ts";
import { jsonSchemaOf } from "./json-schema.ts";

/** The success responses, by status. */
export function successesOf(
  { response, status = 200, also = {}, streams }: Route,
  { answer, stream, further = {} }: Example,
): Record<string, unknown> {
  const content = {
    ...contentOf(response, answer),
    ...(streams && eventStreamOf(streams, stream)),
  };
  const others = Object.entries(also).map(([code, schema]) => [
    code,
    {
      description: descriptions[Number(code)] ?? "Success",
      ...(schema && { content: json(schema, further[Number(code)]) }),
    },
  ]);
  return {
    [status]: {
      description: descriptions[status] ?? "Success",
      ...(Object.keys(content).length > 0 && { content }),
    },
    ...Object.fromEntries(others),
  };
}

const descriptions: Readonly<Record<number, string>> = {
  200: "Success",
  201: "Created",
  202: "Accepted: it continues by itself",
  204: "Done; there is nothing to show",
  207: "Done in part",
  304: "Unchanged since it was last read",
};

function contentOf(response: Route["response"], answer: unknown): Record<string, unknown> {
  if (response === null) return {};
  if (!("mediaType" in response)) return json(response, answer);
  // An operation that only streams is described by `eventStreamOf`.
  if (response.mediaType === "text/event-stream") return {};
  const mediaType = mediaTypeOf(response);
  const format = mediaType.startsWith("text/") ? {} : { format: "binary" };
  return { [mediaType]: { schema: { type: "string", ...format }, ...shown(answer) } };
}

/** The media type without its parameters, because clients compare it so. */
const mediaTypeOf = ({
  mediaType,
  varies,
}: {
  readonly mediaType: string;
  readonly varies?: true;
}): string => (varies ? "*/*" : (mediaType.split(";")[0] ?? ""));

const json = (schema: Schema, example: unknown) => ({
  "application/json": { schema: jsonSchemaOf(schema), ...shown(example) },
});

const shown = (example: unknown) => (example === undefined ? {} : { example });
