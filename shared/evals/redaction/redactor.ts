import { createContext, Script } from "node:vm";
import { ServiceError } from "../../errors.ts";
import type { Redact } from "../../schemas/evals/dataset-case.ts";
import { detectorNames, detectors, type Found } from "./detectors.ts";

/** Milliseconds that the patterns of one request may take in all. */
const PATTERNS_MS = 1_000;

/** A part of a text: as it was said, or the token that stands for something. */
type Part = { readonly text: string; readonly isToken: boolean };

type Pass = {
  readonly kind: string;
  readonly find: (text: string) => readonly Found[];
  readonly canonical: (text: string) => string;
};

/**
 * Takes personal data out of texts. `forCase` begins a case: within it equal values have equal tokens, `<email_1>`, in all of its
 * texts.
 *
 * @throws ServiceError UNPROCESSABLE for a pattern that is none, or takes too long
 */
export function redactor({ detect = [], patterns = [], names = [] }: Redact): {
  readonly forCase: () => (text: string) => string;
} {
  const passes: Pass[] = [
    ...detectorNames.filter((name) => detect.includes(name)).map(detectorPass),
    ...patternPasses(patterns),
    ...(names.length === 0 ? [] : [namesPass(names)]),
  ];
  return {
    forCase: () => {
      const tokens = new Map<string, string>();
      const counts = new Map<string, number>();
      const tokenOf = (kind: string, value: string): string => {
        const key = `${kind}\n${value}`;
        const known = tokens.get(key);
        if (known !== undefined) return known;
        const count = (counts.get(kind) ?? 0) + 1;
        counts.set(kind, count);
        const token = `<${kind}_${count}>`;
        tokens.set(key, token);
        return token;
      };
      return (text) =>
        passes
          .reduce(
            (parts, pass) =>
              parts.flatMap((part) => (part.isToken ? [part] : splitBy(pass, part.text, tokenOf))),
            [{ text, isToken: false }] as readonly Part[],
          )
          .map((part) => part.text)
          .join("");
    },
  };
}

function splitBy(
  { kind, find, canonical }: Pass,
  text: string,
  tokenOf: (kind: string, value: string) => string,
): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { at, length } of find(text)) {
    parts.push({ text: text.slice(end, at), isToken: false });
    parts.push({ text: tokenOf(kind, canonical(text.slice(at, at + length))), isToken: true });
    end = at + length;
  }
  return [...parts, { text: text.slice(end), isToken: false }];
}

function detectorPass(name: (typeof detectorNames)[number]): Pass {
  const { form, lengthOf, canonical } = detectors[name];
  const find = (text: string) =>
    [...text.matchAll(form)]
      .map((match) => ({ at: match.index, length: lengthOf(match[0]) }))
      .filter(({ length }) => length > 0);
  return { kind: name, find, canonical };
}

function namesPass(names: readonly string[]): Pass {
  const longestFirst = [...names]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const form = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  const find = (text: string) =>
    [...text.matchAll(form)].map((match) => ({ at: match.index, length: match[0].length }));
  return { kind: "name", find, canonical: (text) => text.toLowerCase() };
}

/** A pattern of a caller may take forever on some text, which only a context with a limit of time ends. */
function patternPasses(patterns: readonly string[]): readonly Pass[] {
  if (patterns.length === 0) return [];
  const globals: { text: string; pattern: string } = { text: "", pattern: "" };
  const context = createContext(globals);
  const script = new Script(
    "JSON.stringify(Array.from(text.matchAll(new RegExp(pattern, 'gu')), (m) => ({ at: m.index, length: m[0].length })))",
  );
  let left = PATTERNS_MS;
  const find = (pattern: string, text: string): readonly Found[] => {
    Object.assign(globals, { pattern, text });
    const began = performance.now();
    try {
      if (left < 1) throw new Error("no time is left");
      const found: readonly Found[] = JSON.parse(script.runInContext(context, { timeout: Math.ceil(left) }));
      return found.filter(({ length }) => length > 0);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ServiceError("UNPROCESSABLE", `the pattern ${pattern} cannot be used: ${why}`);
    } finally {
      left -= performance.now() - began;
    }
  };
  return patterns.map((pattern) => {
    find(pattern, "");
    return { kind: "pattern", find: (text) => find(pattern, text), canonical: (text) => text };
  });
}
