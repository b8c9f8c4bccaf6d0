import { enteredValue, isObject } from "../../pauses/values.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The type of a schema's values; of several the first that is not null. */
export function typeOf({ type, properties, items }: JsonSchema): string {
  const named = Array.isArray(type) ? type.find((one) => one !== "null") : type;
  if (typeof named === "string") return named;
  return isObject(properties) ? "object" : isObject(items) ? "array" : "any";
}

/** What a form begins with: the fields of objects, and the items that a list has at least. */
export function initialValue(schema: JsonSchema): unknown {
  const type = typeOf(schema);
  if (type === "object" && isObject(schema.properties))
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, of]) => [name, isObject(of) ? initialValue(of) : ""]),
    );
  if (type === "array" && isObject(schema.items)) {
    const { items, minItems } = schema;
    return Array.from({ length: typeof minItems === "number" ? minItems : 0 }, () => initialValue(items));
  }
  return typeof schema.default === "string" ? schema.default : "";
}

export const wireTypes: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  array: "list",
  object: "dict",
};

/** The value that a form's texts stand for. Fields without a text are left out; what does not fit stays text. */
export function inputValue(schema: JsonSchema, entered: unknown): unknown {
  const type = typeOf(schema);
  if (type === "object" && isObject(schema.properties)) {
    const given = isObject(entered) ? entered : {};
    const values = Object.entries(schema.properties).map(
      ([name, of]) => [name, inputValue(isObject(of) ? of : {}, given[name])] as const,
    );
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }
  if (type === "array" && isObject(schema.items)) {
    const { items } = schema;
    return (Array.isArray(entered) ? entered : []).map((one) => inputValue(items, one));
  }
  const text = typeof entered === "string" ? entered : "";
  if (text === "") return undefined;
  const { value, problem } = enteredValue(wireTypes[type] ?? "any", text, false);
  return problem === undefined ? value : text;
}

/** Why a text is no value of its schema. */
export function problemOf(schema: JsonSchema, entered: unknown, isRequired: boolean): string | undefined {
  const text = typeof entered === "string" ? entered : "";
  return enteredValue(wireTypes[typeOf(schema)] ?? "any", text, isRequired).problem;
}

/** Whether everything that a schema wants is there. The platform checks what it says beyond types. */
export function isWhole(schema: JsonSchema, entered: unknown, isRequired = true): boolean {
  const type = typeOf(schema);
  if (type === "object" && isObject(schema.properties)) {
    const given = isObject(entered) ? entered : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    return Object.entries(schema.properties).every(([name, of]) =>
      isWhole(isObject(of) ? of : {}, given[name], required.includes(name)),
    );
  }
  if (type === "array" && isObject(schema.items)) {
    const { items } = schema;
    return (Array.isArray(entered) ? entered : []).every((one) => isWhole(items, one));
  }
  return problemOf(schema, entered, isRequired) === undefined;
}
