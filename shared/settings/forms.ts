import * as v from "valibot";

/**
 * The form of a setting's values. There is one schema: what it refuses is refused when templates are made, and the function
 * that reads the variable reads it by the same one.
 */
export type Form<Given = unknown, Text extends string = string, Value = unknown> = {
  /** What a value may be, as the guide says it. */
  readonly may: string;
  /** What may be written in a config or in the context, and the text that it becomes. */
  readonly given: v.GenericSchema<Given, string>;
  /** The text of the variable, and what it means. */
  readonly schema: v.GenericSchema<Text, Value>;
};

const plain = v.pipe(
  v.union([v.string(), v.number(), v.boolean()], "must be a plain value"),
  v.transform(String),
);
const isStructured = (value: unknown): value is object => typeof value === "object" && value !== null;
const list = v.union([
  plain,
  v.pipe(
    v.array(plain),
    v.transform((items) => items.join(",")),
  ),
]);
const json = v.union([
  plain,
  v.pipe(
    v.custom<object>(isStructured),
    v.transform((value) => JSON.stringify(value)),
  ),
]);

/** Promises less to the compiler than a schema takes: what a config may be of, while the command line gives texts alone. */
export const takes = <Given>(schema: v.GenericSchema<unknown, string>) =>
  schema as v.GenericSchema<Given, string>;

/** A text that a schema reads. */
export const text = <Value>(
  may: string,
  schema: v.GenericSchema<string, Value>,
): Form<string, string, Value> => ({ may, given: takes<string>(plain), schema });

/** A text of a pattern. @param message  such as `must be the ARN of a key` */
export const matching = (may: string, pattern: RegExp, message: string): Form<string, string, string> =>
  text(may, v.pipe(v.string(), v.regex(pattern, message)));

export const choice = <const Options extends readonly string[]>(
  ...options: Options
): Form<Options[number], Options[number], Options[number]> => ({
  may: options.map((option) => `\`${option}\``).join(" or "),
  given: takes<Options[number]>(plain),
  schema: v.picklist(options, `must be ${options.join(" or ")}`),
});

export const onOff = choice("on", "off");
const trueOrFalse = choice("true", "false");
export const yesNo = { ...trueOrFalse, given: takes<"true" | "false" | boolean>(plain) };

type Bounds = { readonly min: number; readonly max?: number; readonly whole?: true };

export const number = ({ min, max, whole }: Bounds): Form<string | number, string, number> => ({
  may: `${whole ? "whole, " : ""}from ${min}${max === undefined ? "" : ` to ${max}`}`,
  given: takes<string | number>(plain),
  schema: v.pipe(
    v.string(),
    v.check((digits) => digits.trim() !== "", "must be a number"),
    v.transform(Number),
    v.check((n) => Number.isFinite(n), "must be a number"),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max ?? Number.MAX_SAFE_INTEGER, `must be at most ${max ?? Number.MAX_SAFE_INTEGER}`),
    v.check((n) => whole === undefined || Number.isInteger(n), "must be a whole number"),
  ),
});

export const whole = (min: number, max?: number) =>
  number({ min, whole: true, ...(max !== undefined && { max }) });

export const url = text("a URL", v.pipe(v.string(), v.url("must be a URL")));

/** Texts of a pattern, in a list or separated by commas. */
export const texts = <Value>(
  may: string,
  schema: v.GenericSchema<readonly string[], Value>,
): Form<string | readonly string[], string, Value> => ({
  may,
  given: takes<string | readonly string[]>(list),
  schema: v.pipe(v.string(), v.transform(separated), schema),
});

const separated = (all: string): readonly string[] =>
  all
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** Texts of a schema's, none of them empty. */
export const eachOf = (schema: v.GenericSchema<string, string>) =>
  v.pipe(v.custom<readonly string[]>(Array.isArray), v.array(schema));

type Structured<S extends v.GenericSchema> = Form<v.InferInput<S> | string, string, v.InferOutput<S>>;

/** A JSON object, as it is or as text. @param message  for what is none, such as `must be a JSON object` */
export const jsonObject = <S extends v.GenericSchema>(schema: S, message = "must be a JSON object") =>
  structured("a JSON object", schema, (value) => isStructured(value) && !Array.isArray(value), message);

/** A JSON array, as it is or as text. */
export const jsonArray = <S extends v.GenericSchema>(may: string, schema: S, message: string) =>
  structured(may, schema, Array.isArray, message);

function structured<S extends v.GenericSchema>(
  may: string,
  schema: S,
  isOfShape: (value: unknown) => boolean,
  message: string,
): Structured<S> {
  const read = v.rawTransform<string, v.InferOutput<S>>(({ dataset, addIssue, NEVER }) => {
    const value = parsedJson(dataset.value);
    const parsed = isOfShape(value) ? v.safeParse(schema, value) : undefined;
    if (parsed?.success) return parsed.output;
    addIssue({ message: parsed?.issues.map(issueText).join("; ") ?? message });
    return NEVER;
  });
  return { may, given: takes<v.InferInput<S> | string>(json), schema: v.pipe(v.string(), read) };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const issueText = (issue: v.BaseIssue<unknown>): string => {
  const path = v.getDotPath(issue);
  return path === null ? issue.message : `${path}: ${issue.message}`;
};

/** Name of a secret in Secrets Manager. */
export const SecretName = v.pipe(v.string(), v.regex(/^[\w/+=.@-]+$/, "must be the name of a secret"));
export const secretName = text("a secret's name", SecretName);
