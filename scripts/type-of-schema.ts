/** Declares a field. An optional one accepts undefined too, so that callers need not leave it out. */
export const field = (name: string, type: string, isRequired: boolean): string =>
  `${/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)}${isRequired ? "" : "?"}: ${type}${isRequired ? "" : " | undefined"};`;

/**
 * The TypeScript type of a JSON Schema, as far as this project's schemas need it. Anything unspecified is `unknown`, and
 * so is a text field that carries JSON of any kind. The client encodes such a value; text is sent as it is.
 */
export function typeOf(schema: unknown): string {
  const {
    $ref,
    const: only,
    enum: several,
    anyOf,
    oneOf,
    allOf,
    type,
    contentMediaType,
    contentSchema,
    format,
  } = recordOf(schema);
  if (typeof $ref === "string") return $ref.split("/").at(-1) ?? "unknown";
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(several)) return union(several.map((one) => JSON.stringify(one)));
  if (Array.isArray(anyOf)) return union(anyOf.map(typeOf));
  if (Array.isArray(oneOf)) return union(oneOf.map(typeOf));
  if (Array.isArray(allOf)) return allOf.map((one) => `(${typeOf(one)})`).join(" & ");
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...recordOf(schema), type: one })));
  if (contentMediaType === "application/json") return union([typeOf(contentSchema), "string"]);
  if (format === "binary") return "Blob";
  return typeOfPlain(String(type), recordOf(schema));
}

function typeOfPlain(type: string, schema: Readonly<Record<string, unknown>>): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return type;
    case "integer":
      return "number";
    case "array":
      return arrayType(schema);
    case "object":
      return objectType(schema);
    default:
      return "unknown";
  }
}

function arrayType({ items, prefixItems }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(prefixItems)) return `readonly [${prefixItems.map(typeOf).join(", ")}]`;
  return `readonly (${typeOf(items)})[]`;
}

function objectType({
  properties,
  required,
  additionalProperties,
}: Readonly<Record<string, unknown>>): string {
  const names = arrayOf(required);
  const fields = Object.entries(recordOf(properties)).map(([name, schema]) =>
    field(name, typeOf(schema), names.includes(name)),
  );
  if (fields.length > 0) return `{ ${fields.join(" ")} }`;
  if (additionalProperties === false) return "Record<string, never>";
  return `Readonly<Record<string, ${additionalProperties ? typeOf(additionalProperties) : "unknown"}>>`;
}

const union = (types: readonly string[]): string =>
  types.includes("unknown") ? "unknown" : [...new Set(types)].join(" | ") || "never";

export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

export const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
