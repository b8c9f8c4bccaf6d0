import { isObject } from "../schemas/values/json-values.ts";
import { portable } from "./portable-schema.ts";
import { pointerTo } from "./references.ts";
import { constantIn, discriminatorOf, flattened, type Part, tagOf } from "./tagged-choice.ts";

/** Takes a schema and what it is called; gives it in its place. */
type NamePart = (schema: Part, name: string) => Part;

export type Names = {
  /** All that have names; grows with every part that is named. */
  readonly schemas: Readonly<Record<string, Part>>;
  /** References the schema if it is a part. */
  readonly name: NamePart;
  /** Leaves the schema where it is, and references the parts within. */
  readonly within: NamePart;
};

/**
 * Names what stands within other schemas: objects that have members, and choices. Generators of clients make a type of each, and
 * number those without a name. A name says where the part stands: the member `tools` of `AgentResponse` is `AgentResponseTools`.
 * Parts in the same words are one part, named after the first place.
 *
 * @param components  the schemas that have names already; they keep them
 */
export function namedParts(components: Readonly<Record<string, Part>>): Names {
  const schemas: Record<string, Part> = {};
  const taken = new Set(Object.keys(components));
  const byContent = new Map<string, string>();
  const name: NamePart = (schema, wanted) => {
    const described = partsNamed(schema, wanted, name, schemas);
    if (!deservesName(described)) return described;
    const content = JSON.stringify(described);
    const found = byContent.get(content) ?? free(wanted, taken);
    byContent.set(content, found);
    taken.add(found);
    schemas[found] = described;
    return { $ref: pointerTo(found) };
  };
  for (const [known, schema] of Object.entries(components)) {
    schemas[known] = partsNamed(schema, known, name, schemas);
    byContent.set(JSON.stringify(schemas[known]), known);
  }
  return { schemas, name, within: (schema, own) => partsNamed(schema, own, name, schemas) };
}

function free(wanted: string, taken: ReadonlySet<string>): string {
  let found = wanted;
  for (let number = 2; taken.has(found); number += 1) found = `${wanted}${number}`;
  return found;
}

const isNull = ({ type }: Part): boolean => type === "null";
const variantsOf = ({ anyOf, oneOf }: Part): Part[] =>
  [anyOf, oneOf].flatMap((one) => (Array.isArray(one) ? one : []));

/** A choice of texts is a text, for languages. */
const isText = ({ type }: Part): boolean => type === "string";

function deservesName(schema: Part): boolean {
  const variants = variantsOf(schema).filter((one) => !isNull(one));
  return isObject(schema.properties) || (variants.length > 1 && !variants.every(isText));
}

function partsNamed(given: Part, own: string, name: NamePart, schemas: Readonly<Record<string, Part>>): Part {
  const schema = portable(given);
  const part = (value: unknown, suffix: string) => (isObject(value) ? name(value, own + suffix) : value);
  const { properties, items, additionalProperties, contentSchema, anyOf, oneOf, ...rest } = schema;
  const variants = variantsOf(schema);
  return {
    ...rest,
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [key, part(value, pascalCase(key))]),
      ),
    }),
    ...(items !== undefined && { items: part(items, "Item") }),
    ...(additionalProperties !== undefined && { additionalProperties: part(additionalProperties, "Value") }),
    ...(contentSchema !== undefined && { contentSchema: part(contentSchema, "") }),
    ...(variants.length > 0 && choiceOf(variants, own, name, schemas)),
  };
}

/** Null stays where it is allowed: languages have a form for "this or null", and none for null as one of several. */
function choiceOf(
  variants: readonly Part[],
  own: string,
  name: NamePart,
  schemas: Readonly<Record<string, Part>>,
): Part {
  const real = variants.filter((one) => !isNull(one));
  if (real.length < variants.length) {
    const one = real.length > 1 ? { anyOf: real } : real[0];
    return { anyOf: [...(one ? [name(one, own)] : []), { type: "null" }] };
  }
  const flat = flattened(real, schemas);
  const tag = tagOf(flat, schemas);
  const named = flat.map((one, index) => {
    const label = tag?.texts[index]?.[0] ?? constantIn(one) ?? `option_${index + 1}`;
    return name(one, own + pascalCase(label));
  });
  return tag ? { oneOf: named, discriminator: discriminatorOf(tag, named) } : { anyOf: named };
}

/** `tool_calls` as `ToolCalls`. */
export const pascalCase = (words: string): string =>
  words
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
