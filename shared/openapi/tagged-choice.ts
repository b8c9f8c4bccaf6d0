import { isObject } from "../schemas/values/json-values.ts";
import { nameIn } from "./references.ts";

/** A schema of the document, or a part of one. */
export type Part = Readonly<Record<string, unknown>>;
type Parts = Readonly<Record<string, Part>>;

/** The member by whose text the variants of a choice are distinguished, with the texts of each variant. */
type Tag = { readonly member: string; readonly texts: readonly (readonly string[])[] };

/** The tag of a choice; undefined where no member is required in every variant with texts that no other variant has. */
export function tagOf(variants: readonly Part[], schemas: Parts): Tag | undefined {
  const candidates = membersOf(
    variants.map((one) => resolved(one, schemas)).find(({ properties }) => properties),
  );
  for (const member of candidates) {
    const texts = variants.map((one) => textsOf(one, member, schemas));
    const all = texts.flat();
    if (texts.every((some) => some.length > 0) && new Set(all).size === all.length) return { member, texts };
  }
  return undefined;
}

/** What generators read to make a variant of an answer without trying each. */
export const discriminatorOf = ({ member, texts }: Tag, references: readonly Part[]): Part => ({
  propertyName: member,
  mapping: Object.fromEntries(
    references.flatMap(({ $ref }, index) => (texts[index] ?? []).map((text) => [text, $ref])),
  ),
});

const membersOf = (schema: Part = {}): string[] =>
  isObject(schema.properties) ? Object.keys(schema.properties) : [];

const resolved = (schema: Part, schemas: Parts): Part =>
  typeof schema.$ref === "string" ? (schemas[nameIn(schema.$ref)] ?? {}) : schema;

/** The text of the first member that can have only one. */
export const constantIn = (schema: Part): string | undefined =>
  membersOf(schema)
    .map((member) => textsOf(schema, member, {}))
    .find(({ length }) => length === 1)?.[0];

/** The variants of a choice, with those of the tagged choices among them: generators do not look into a choice of choices. */
export const flattened = (variants: readonly Part[], schemas: Parts): Part[] =>
  variants.flatMap((one) => {
    const { oneOf } = resolved(one, schemas);
    return Array.isArray(oneOf) ? oneOf.filter(isObject) : [one];
  });

/** The texts that a member of a schema may have; none where it may be absent, or have any. */
function textsOf(schema: Part, member: string, schemas: Parts): string[] {
  const { properties, required } = resolved(schema, schemas);
  if (!isObject(properties) || !Array.isArray(required) || !required.includes(member)) return [];
  const value = properties[member];
  if (!isObject(value)) return [];
  return [value.const, ...(Array.isArray(value.enum) ? value.enum : [])].filter(
    (one) => typeof one === "string",
  );
}
