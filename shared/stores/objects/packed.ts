import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** 5 MB take 100 ms, which would block other runs of the process; a small value is packed before a thread starts. */
const WORTH_A_THREAD_BYTES = 256_000;

/** A value as packed JSON. */
export async function packJson(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const text = Buffer.from(JSON.stringify(value));
  return new Uint8Array(text.length > WORTH_A_THREAD_BYTES ? await deflate(text) : deflateRawSync(text));
}

/** @returns the value; its type is what was packed under this name */
export async function unpackJson<Value>(packed: Uint8Array): Promise<Value> {
  const text = packed.length > WORTH_A_THREAD_BYTES ? await inflate(packed) : inflateRawSync(packed);
  return JSON.parse(text.toString("utf8"));
}
