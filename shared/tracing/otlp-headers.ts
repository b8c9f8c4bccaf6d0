import * as v from "valibot";

const Headers = v.record(v.string(), v.string());

/**
 * Reads the headers of OTLP endpoints once; a read that fails is repeated by the next caller.
 *
 * @param read  the text of a JSON object, such as one with an API key; absent where there are none
 */
export function otlpHeaders(
  read: (() => Promise<string>) | undefined,
): () => Promise<Record<string, string>> {
  let cached: Readonly<Record<string, string>> | undefined;
  return async () => {
    cached ??= read ? v.parse(Headers, JSON.parse(await read())) : {};
    return { ...cached };
  };
}
