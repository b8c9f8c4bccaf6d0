import { isObject } from "../schemas/values/json-values.ts";

export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/**
 * The JSON Patch (RFC 6902) that makes one JSON value of another. Members of objects are compared one by one; a list that
 * differs is replaced as a whole.
 */
export function jsonPatch(before: unknown, after: unknown, path = ""): PatchOperation[] {
  if (isObject(before) && isObject(after))
    return [...removed(before, after, path), ...set(before, after, path)];
  return isSame(before, after) ? [] : [{ op: "replace", path, value: after }];
}

type Json = Readonly<Record<string, unknown>>;

const removed = (before: Json, after: Json, path: string): PatchOperation[] =>
  Object.keys(before)
    .filter((name) => !Object.hasOwn(after, name))
    .map((name) => ({ op: "remove", path: below(path, name) }));

const set = (before: Json, after: Json, path: string): PatchOperation[] =>
  Object.entries(after).flatMap(([name, value]): PatchOperation[] =>
    Object.hasOwn(before, name)
      ? jsonPatch(before[name], value, below(path, name))
      : [{ op: "add", path: below(path, name), value }],
  );

/** RFC 6901: `~` and `/` have escapes of their own. */
const below = (path: string, name: string): string =>
  `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
