import type { ObjectPointer } from "../../schemas/values/object-pointer.ts";
import type { Db } from "../db.ts";
import { getObject } from "./get-object.ts";
import type { LoadObject } from "./show-media.ts";

/** Loads each object once and caches it as long as this function lives. Failed loads are not cached. */
export function cachedLoad(db: Db): LoadObject {
  const loaded = new Map<string, Promise<Uint8Array>>();
  const start = (pointer: ObjectPointer): Promise<Uint8Array> => {
    const loading = getObject(db, pointer);
    loaded.set(pointer.key, loading);
    loading.catch(() => loaded.delete(pointer.key));
    return loading;
  };
  return (pointer) => loaded.get(pointer.key) ?? start(pointer);
}
