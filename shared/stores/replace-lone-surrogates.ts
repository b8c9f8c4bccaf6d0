import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/**
 * Lets a client send U+FFFD for half a surrogate pair, which the table cannot keep. Such a half is left wherever a text
 * was cut between the two of an emoji: by a preview here, by a tool, by a model.
 */
export function replaceLoneSurrogates(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => (args) => {
      if (hasBytes(args.request)) mend(args.request.body);
      return next(args);
    },
    // After the body is written, and before it is signed.
    { name: "replaceLoneSurrogates", step: "build", override: true },
  );
}

const hasBytes = (request: unknown): request is { readonly body: Uint8Array } =>
  typeof request === "object" && request !== null && "body" in request && request.body instanceof Uint8Array;

/** How the SDK's JSON begins half a pair; whole pairs are bytes of UTF-8, and nothing else is escaped like that. */
const HALF_PAIR = "\\ud";

function mend({ buffer, byteOffset, byteLength }: Uint8Array): void {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  for (let at = bytes.indexOf(HALF_PAIR); at >= 0; at = bytes.indexOf(HALF_PAIR, at + 1)) {
    if (!isEscaped(bytes, at)) bytes.write("fffd", at + 2);
  }
}

const BACKSLASH = 0x5c;

/** Whether the backslash at a place stands for itself, since an odd number of others is before it. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at;
  while (bytes[before - 1] === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}
