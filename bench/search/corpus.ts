import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Parser } from "htmlparser2";

/** A heading and the text below it, up to the next heading; `page` is the chapter that it is of. */
export type Section = {
  readonly language: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
};

const FOLDER = join(tmpdir(), "agent-platform-bench-search");
/** A handbook of Debian in several languages, section by section the same; free documentation that is packaged as such. */
const LANGUAGES = { en: "en", de: "de", ja: "ja", zh: "zh-cn" } as const;

/**
 * The sections of the handbook in each language. Its packages are fetched by the system's package manager into a temporary
 * folder, once; nothing of them is in the repository.
 *
 * @throws where there is no `apt-get` or no package
 */
export function readSections(): Section[] {
  mkdirSync(FOLDER, { recursive: true });
  return Object.entries(LANGUAGES).flatMap(([language, suffix]) => {
    const folder = join(FOLDER, suffix);
    if (!existsSync(folder)) unpack(`debian-reference-${suffix}`, folder);
    const pages = join(folder, "usr/share/debian-reference");
    const files = readdirSync(pages).filter((name) => /^ch\d+\..*\.html$/.test(name));
    return files
      .toSorted()
      .flatMap((name) => sectionsOf(readFileSync(join(pages, name), "utf8"), language, name));
  });
}

function unpack(packageName: string, folder: string): void {
  execFileSync("apt-get", ["-qq", "download", packageName], { cwd: FOLDER, stdio: "ignore" });
  const file = readdirSync(FOLDER).find((name) => name.startsWith(`${packageName}_`));
  if (!file) throw new Error(`the package ${packageName} is not to be had here`);
  execFileSync("dpkg-deb", ["-x", join(FOLDER, file), folder]);
}

function sectionsOf(html: string, language: string, page: string): Section[] {
  const sections: { heading: string; text: string }[] = [];
  let inHeading = false;
  let skipped = 0;
  const parser = new Parser({
    onopentag: (name, { class: kind }) => {
      if (/^h[1-6]$/.test(name) && kind === "title") {
        sections.push({ heading: "", text: "" });
        inHeading = true;
      }
      if (kind === "toc" || kind === "navheader" || kind === "navfooter" || skipped > 0) skipped += 1;
      if (/^(p|li|tr|pre|div|dt|dd)$/.test(name)) add("\n");
    },
    onclosetag: (name) => {
      if (/^h[1-6]$/.test(name)) inHeading = false;
      if (skipped > 0) skipped -= 1;
    },
    ontext: (text) => add(text),
  });
  const add = (text: string) => {
    const section = sections.at(-1);
    if (!section || skipped > 0) return;
    if (inHeading) section.heading += text;
    else section.text += text;
  };
  parser.write(html);
  parser.end();
  return sections.map(({ heading, text }) => ({
    language,
    page,
    heading: heading
      .replace(/\s+/g, " ")
      .replace(/^\s*(?:[^\d\s]{0,8}\s*)?(?:\d+(?:\.\d+)*)[.\s　章]*/u, "")
      .trim(),
    text: text
      .replace(/[ \t]+/g, " ")
      .replace(/\n\s*\n+/g, "\n\n")
      .trim(),
  }));
}

/**
 * Questions with their answers: headings that are headings once in their language, of sections that have a text.
 */
export function questionsOf(sections: readonly Section[]): Section[] {
  const times = new Map<string, number>();
  const named = ({ language, heading }: Section) => `${language} ${heading.toLowerCase()}`;
  for (const one of sections) times.set(named(one), (times.get(named(one)) ?? 0) + 1);
  return sections.filter(
    (one) =>
      times.get(named(one)) === 1 && one.heading.length > 2 && one.text.length >= 80 && isTranslated(one),
  );
}

/** Some sections of a translation are still in English. */
function isTranslated({ language, heading, text }: Section): boolean {
  if (language !== "ja" && language !== "zh") return true;
  const letters = (of: string) => of.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu)?.length ?? 0;
  return letters(heading) > 0 && letters(text) > text.length / 5;
}
