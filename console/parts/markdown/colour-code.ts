import type { HLJSApi, LanguageFn } from "highlight.js";
import { loadPart } from "../../api/load-part.ts";

/** Languages whose code is coloured, by the names under which answers have them. What is not here stays as it is. */
const languages: Readonly<Record<string, () => Promise<{ readonly default: LanguageFn }>>> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  css: () => import("highlight.js/lib/languages/css"),
  go: () => import("highlight.js/lib/languages/go"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  python: () => import("highlight.js/lib/languages/python"),
  rust: () => import("highlight.js/lib/languages/rust"),
  sql: () => import("highlight.js/lib/languages/sql"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

const otherNames: Readonly<Record<string, string>> = {
  html: "xml",
  js: "javascript",
  jsx: "javascript",
  py: "python",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  svg: "xml",
  ts: "typescript",
  tsx: "typescript",
  yml: "yaml",
};

/** Above this colours cost more than they help. */
const MOST_COLOURED = 40_000;

let library: Promise<HLJSApi> | undefined;

/**
 * Code as HTML that colours it; what colours it is loaded with the first code of its language.
 *
 * @param named  its language, as the answer has it
 * @returns      undefined where it stays as it is
 */
export async function colouredCode(code: string, named: string): Promise<string | undefined> {
  const language = otherNames[named.toLowerCase()] ?? named.toLowerCase();
  const load = Object.hasOwn(languages, language) ? languages[language] : undefined;
  if (!load || code.length > MOST_COLOURED) return undefined;
  library ??= loadPart(() => import("highlight.js/lib/core")).then((core) => core.default);
  const [colourer, { default: grammar }] = await Promise.all([library, loadPart(load)]);
  if (!colourer.getLanguage(language)) colourer.registerLanguage(language, grammar);
  return colourer.highlight(code, { language }).value;
}
