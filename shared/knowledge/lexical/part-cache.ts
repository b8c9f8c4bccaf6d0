import type { Db } from "../../stores/db.ts";
import { openPart, type Part } from "./part.ts";

/** Most bytes of parts that stay in memory: about half a million chunks. */
const MAX_BYTES = 128 * 1024 * 1024;

/** A part's object is gone: it was put together with others, or its content removed. */
export class PartMissing extends Error {
  override readonly name = "PartMissing";
}

export type LoadPart = (object: string) => Promise<Part>;

/**
 * Reads parts, each once while there is room. An object never changes, so what is in memory is never old.
 *
 * @throws PartMissing, when it is used
 */
export function cachedParts(db: Db): LoadPart {
  const loaded = new Map<string, Promise<Part>>();
  let bytes = 0;
  const read = async (object: string): Promise<Part> => {
    const packed = await db.objects.get(object);
    if (!packed) throw new PartMissing(object);
    return openPart(packed);
  };
  const makeRoom = async (): Promise<void> => {
    // A map keeps the order in which entries were set: the first was used longest ago.
    for (const [object, part] of loaded) {
      if (bytes <= MAX_BYTES || loaded.size === 1) return;
      loaded.delete(object);
      bytes -= (await part).bytes;
    }
  };
  return async (object) => {
    const known = loaded.get(object);
    if (known) {
      loaded.delete(object);
      loaded.set(object, known);
      return known;
    }
    const loading = read(object);
    loaded.set(object, loading);
    try {
      const part = await loading;
      bytes += part.bytes;
      await makeRoom();
      return part;
    } catch (error) {
      loaded.delete(object);
      throw error;
    }
  };
}
