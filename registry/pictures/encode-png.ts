import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Eight bits for each of red, green, blue and opacity. */
const RGBA_8_BIT = [8, 6, 0, 0, 0];

/**
 * A square picture.
 *
 * @param size     pixels on each side
 * @param colourAt red, green, blue and opacity of a pixel, 0 to 255 each
 * @source         W3C PNG, third edition
 */
export function encodePng(size: number, colourAt: (x: number, y: number) => readonly number[]): Uint8Array {
  const sides = range(size);
  // Every line begins with its filter; none is used.
  const lines = sides.flatMap((y) => [0, ...sides.flatMap((x) => colourAt(x, y))]);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", Uint8Array.of(...header, ...RGBA_8_BIT)),
    chunk("IDAT", deflateSync(Uint8Array.from(lines))),
    chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);
