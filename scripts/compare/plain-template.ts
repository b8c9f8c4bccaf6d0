/*
 * What of a synthesized app follows from the code of the functions and from where the sources are, and is left out:
 *
 *   Properties … "S3Key": "<64 hexadecimal digits>.zip"      the digest of a function's code
 *   Metadata … "aws:asset:path": "/…/dist/<function>"        the folder that it is read from
 *   "trace" and "aws:cdk:creationStack" of messages          where in the sources something was made
 *
 * The same code is the same number, so it still shows which functions share theirs. Everything else, logical ids above
 * all, is recorded as it is.
 */
const CODE = /^[0-9a-f]{64}\.zip$/;
const CODE_PATH = "aws:asset:path";
/** Messages of the app about itself: what a deployment is told, and which rules do not apply to it. */
const MESSAGES = /^aws:cdk:(?:warning|error|info|acknowledged-rules)$/;

export function plainTemplate(template: unknown): unknown {
  const numbers = new Map<string, number>();
  const numberOf = (code: string): number => {
    const number = numbers.get(code) ?? numbers.size + 1;
    numbers.set(code, number);
    return number;
  };
  const plain = (value: unknown, name = ""): unknown => {
    if (typeof value === "string") {
      if (name === "S3Key" && CODE.test(value)) return `<code ${numberOf(value)}>.zip`;
      return name === CODE_PATH ? "<folder>" : value;
    }
    if (Array.isArray(value)) return value.map((entry) => plain(entry));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry, key)]));
  };
  return plain(template);
}

type Entry = { readonly type: string; readonly data: unknown };

/** @param metadata  what the synthesis keeps beside a template: entries by construct */
export function messagesOf(metadata: unknown): unknown {
  return Object.entries(metadata as Readonly<Record<string, readonly Entry[]>>).flatMap(
    ([construct, entries]) =>
      entries.filter(({ type }) => MESSAGES.test(type)).map(({ type, data }) => ({ construct, type, data })),
  );
}
