import { isObject } from "../schemas/values/json-values.ts";
import type { Part } from "./tagged-choice.ts";

const LARGEST_INT32 = 2 ** 31 - 1;

/**
 * A schema in the form that generators of clients understand, which means the same:
 *
 *   number           a double: Go would make it a float32, which cannot hold an instant
 *   integer          with the bits that it needs, without the limits of JavaScript
 *   empty tuple      a list of at most no items
 *   constant         with its type; true or false is any boolean, because Java's enumerations hold texts
 *   several types    a choice
 *   any object       without an empty list of members
 *   default          none of a choice or of objects, for which they write no value that compiles
 */
export function portable(schema: Part): Part {
  const { default: given, ...rest } = schema;
  const isWritten = given !== undefined && !Array.isArray(rest.anyOf) && !holdsObjects(given);
  return { ...plain(rest), ...(isWritten && { default: given }) };
}

function plain(schema: Part): Part {
  const { type, prefixItems, const: only } = schema;
  if (typeof only === "boolean") return booleanOf(schema);
  if (only !== undefined && type === undefined) return { type: typeof only, ...schema };
  if (type === "number") return { format: "double", ...schema };
  if (type === "integer") return wholeNumber(schema);
  if (Array.isArray(prefixItems) && prefixItems.length === 0)
    return { type: "array", items: {}, maxItems: 0 };
  if (type === "object" && isEmpty(schema.properties)) return withoutMembers(schema);
  if (Array.isArray(type)) return { anyOf: type.map((one) => ({ type: one })) };
  return schema;
}

function wholeNumber(schema: Part): Part {
  const { maximum } = schema;
  const isSmall = typeof maximum === "number" && maximum <= LARGEST_INT32;
  return { ...schema, format: isSmall ? "int32" : "int64" };
}

const isEmpty = (members: unknown): boolean => isObject(members) && Object.keys(members).length === 0;
const withoutMembers = ({ properties: _, required: __, ...schema }: Part): Part => schema;

const booleanOf = ({ const: _, ...schema }: Part): Part => ({ ...schema, type: "boolean" });

const holdsObjects = (value: unknown): boolean =>
  isObject(value) || (Array.isArray(value) && value.some(isObject));
