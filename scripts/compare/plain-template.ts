/*
 * Parts of a synthesized app that depend on the code of the functions or the place of the sources, and are left out:
 *
 *   Properties … "S3Key": "<64 hexadecimal digits>.zip"      the digest of a function's code
 *   Properties … "Content": "<32 hexadecimal digits>"        the digest of functions, with that of their code and its folder
 *   Metadata … "aws:asset:path": "/…/dist/<function>"        the folder with the code
 *   "trace" and "aws:cdk:creationStack" of messages          the place in the sources that created it
 *
 * The same code gets the same number, so the record shows which functions share code. Everything else, above all logical
 * ids, is recorded unchanged.
 */
const CODE = /^[0-9a-f]{64}\.zip$/;
const CONTENT = /^[0-9a-f]{32}$/;
const CODE_PATH = "aws:asset:path";
/** Messages of the app: warnings, errors and notices of a deployment, and acknowledged rules. */
const MESSAGES = /^aws:cdk:(?:warning|error|info|acknowledged-rules)$/;

export function plainTemplate(template: unknown): unknown {
  const [codes, contents] = [numbering(), numbering()];
  const plain = (value: unknown, name = ""): unknown => {
    if (typeof value === "string") {
      if (name === "S3Key" && CODE.test(value)) return `<code ${codes(value)}>.zip`;
      if (name === "Content" && CONTENT.test(value)) return `<content ${contents(value)}>`;
      return name === CODE_PATH ? "<folder>" : value;
    }
    if (Array.isArray(value)) return value.map((entry) => plain(entry));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry, key)]));
  };
  return plain(template);
}

/** Numbers values in the order of their first use. */
function numbering(): (value: string) => number {
  const numbers = new Map<string, number>();
  return (value) => {
    const number = numbers.get(value) ?? numbers.size + 1;
    numbers.set(value, number);
    return number;
  };
}

type Entry = { readonly type: string; readonly data: unknown };

/** @param metadata  contents of the metadata file beside a template: entries by construct */
export function messagesOf(metadata: unknown): unknown {
  return Object.entries(metadata as Readonly<Record<string, readonly Entry[]>>).flatMap(
    ([construct, entries]) =>
      entries.filter(({ type }) => MESSAGES.test(type)).map(({ type, data }) => ({ construct, type, data })),
  );
}
