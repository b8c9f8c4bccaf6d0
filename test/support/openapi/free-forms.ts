import { document, type JsonSchema } from "./document.ts";

/** A place of the document that says nothing of what it holds, or that takes members that it does not name. */
export type FreeForm = {
  /** Of the component or the operation, with the members that lead there: `RunOutput.content`. */
  readonly place: string;
  /** Name of the last member that leads there. */
  readonly member: string;
};

/**
 * The free-form places of a schema, without those of the components that it references: `componentsWithin` finds those.
 *
 * @param place  of the schema itself
 */
export function freeFormsOf(schema: JsonSchema, place: string): FreeForm[] {
  const { $ref, anyOf, oneOf, allOf, items, prefixItems, maxItems, properties, additionalProperties, type } =
    schema;
  if ($ref !== undefined) return [];
  const parts = [anyOf, oneOf, allOf, prefixItems].flatMap((list) => (Array.isArray(list) ? list : []));
  if (parts.length > 0) return parts.flatMap((part) => freeFormsOf(part, place));
  if (type === "array") return prefixItems || maxItems === 0 ? [] : freeFormsOf(recordOf(items), place);
  const members = Object.entries(recordOf(properties));
  const within = members.flatMap(([name, member]) => freeFormsOf(recordOf(member), `${place}.${name}`));
  const isTyped = isObject(additionalProperties) && Object.keys(additionalProperties).length > 0;
  if (isTyped) within.push(...freeFormsOf(additionalProperties, place));
  const isOpen = isObject(additionalProperties) ? !isTyped : additionalProperties === true;
  const isFree =
    type === "object"
      ? isOpen || (members.length === 0 && additionalProperties === undefined)
      : type === undefined && !("const" in schema || "enum" in schema);
  return isFree ? [{ place, member: place.split(".").at(-1) ?? "" }, ...within] : within;
}

/** Names of the components that a part of the document references, also through others. */
export function componentsWithin(part: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    componentsWithin(document.components.schemas[name], found);
  }
  return found;
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): JsonSchema => (isObject(value) ? value : {});
