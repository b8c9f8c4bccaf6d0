import { inflateRawSync } from "node:zlib";

/** Unpacks stored bytes. Large values in items and objects are packed JSON or packed text; other bytes are a file. */
export function unpacked(bytes: Uint8Array): unknown {
  const text = inflated(bytes);
  if (text === undefined) return { "<bytes>": Buffer.from(bytes).toString("base64") };
  try {
    return { "<packed>": JSON.parse(text) };
  } catch {
    return { "<packed>": text };
  }
}

function inflated(bytes: Uint8Array): string | undefined {
  try {
    return inflateRawSync(bytes).toString("utf8");
  } catch {
    return undefined;
  }
}
