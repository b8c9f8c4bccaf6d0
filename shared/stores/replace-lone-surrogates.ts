import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/**
 * Makes a client send U+FFFD in place of a lone surrogate, which DynamoDB does not store. A lone surrogate is left when
 * a text was cut within an emoji: by a preview here, by a tool, by a model.
 */
export function replaceLoneSurrogates(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => (args) => {
      if (hasBytes(args.request)) replaceIn(args.request.body);
      return next(args);
    },
    // After the body is serialized, and before it is signed.
    { name: "replaceLoneSurrogates", step: "build", override: true },
  );
}

const hasBytes = (request: unknown): request is { readonly body: Uint8Array } =>
  typeof request === "object" && request !== null && "body" in request && request.body instanceof Uint8Array;

/** How a lone surrogate begins in the SDK's JSON; whole pairs are UTF-8, and nothing else is escaped like that. */
const LONE_SURROGATE = "\\ud";

function replaceIn({ buffer, byteOffset, byteLength }: Uint8Array): void {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  for (let at = bytes.indexOf(LONE_SURROGATE); at >= 0; at = bytes.indexOf(LONE_SURROGATE, at + 1)) {
    if (!isEscaped(bytes, at)) bytes.write("fffd", at + 2);
  }
}

const BACKSLASH = 0x5c;

/** Whether a backslash is escaped itself, because an odd number of others is before it. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at;
  while (bytes[before - 1] === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}
