/** The names and values that the expressions of one write refer to. */
export type Placeholders = {
  /** `#status` for the attribute `status`. */
  readonly name: (attribute: string) => string;
  /** The same for a member of a map. A map may have many: theirs are short, for an expression has 4 KB. */
  readonly member: (name: string) => string;
  /** `:status` for a value. @param hint what the placeholder is called, as far as it is free; "" for a short one */
  readonly value: (hint: string, value: unknown) => string;
  /** The parameters of the request: absent where nothing is referred to, as the service demands. */
  readonly parameters: () => {
    readonly ExpressionAttributeNames?: Record<string, string>;
    readonly ExpressionAttributeValues?: Record<string, unknown>;
  };
};

/** What a placeholder may be called, and not too long. */
const SPEAKING = /^[A-Za-z]\w{0,39}$/;

/** Placeholders that are called what they stand for, where that can be; a value never takes the place of another. */
export function placeholders(): Placeholders {
  const names = new Map<string, string>();
  const values = new Map<string, unknown>();
  const named = (name: string, isSpeaking: boolean) => {
    const placeholder = names.get(name) ?? (isSpeaking ? `#${name}` : `#${names.size}`);
    names.set(name, placeholder);
    return placeholder;
  };
  return {
    name: (attribute) => named(attribute, SPEAKING.test(attribute)),
    member: (name) => named(name, false),
    value(hint, value) {
      if (value === undefined) throw new Error(`${hint} has no value`);
      const wanted = SPEAKING.test(hint) ? `:${hint}` : `:${values.size}`;
      let placeholder = wanted;
      for (let n = 2; values.has(placeholder); n += 1) placeholder = `${wanted}_${n}`;
      values.set(placeholder, value);
      return placeholder;
    },
    parameters: () => ({
      ...(names.size > 0 && {
        ExpressionAttributeNames: Object.fromEntries(
          [...names].map(([name, placeholder]) => [placeholder, name]),
        ),
      }),
      ...(values.size > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
    }),
  };
}
