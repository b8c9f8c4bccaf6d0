import { createHash } from "node:crypto";
import type { ObjectStore } from "../../shared/stores/objects/connect-objects.ts";

/** An object store that a test can look into, damage, and switch off. */
export type ObjectsInMemory = ObjectStore & {
  readonly held: Map<string, Uint8Array>;
  /** Requests so far, by their kind. */
  readonly asked: { put: number; get: number };
  /** While true every request fails as one to a service that is not there. */
  isDown: boolean;
};

export function objectsInMemory(): ObjectsInMemory {
  const held = new Map<string, Uint8Array>();
  const asked = { put: 0, get: 0 };
  const objects: ObjectsInMemory = {
    held,
    asked,
    isDown: false,
    put: async (key, bytes, sha256) => {
      asked.put += 1;
      reach();
      if (createHash("sha256").update(bytes).digest("hex") !== sha256) throw new Error("BadDigest");
      held.set(key, new Uint8Array(bytes));
    },
    get: async (key) => {
      asked.get += 1;
      reach();
      return held.get(key);
    },
    getRange: async (key, from, bytes) => {
      asked.get += 1;
      reach();
      const part = held.get(key)?.slice(from, from + bytes);
      return part?.length ? part : undefined;
    },
    copy: async (from, to) => {
      reach();
      const bytes = held.get(from);
      if (bytes) held.set(to, bytes);
      return bytes?.length;
    },
    sign: async (key) => `https://objects.example/${key}`,
    removeAll: async (prefix) => {
      reach();
      for (const key of held.keys()) if (key.startsWith(prefix)) held.delete(key);
    },
  };
  const reach = () => {
    if (objects.isDown) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  };
  return objects;
}
