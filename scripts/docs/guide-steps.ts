/** Something that a guide instructs its reader to do. */
export type GuideStep = GuideCommand | GuideSource;

export type GuideCommand = {
  readonly kind: "command";
  /** Where its first line is, from 1. */
  readonly line: number;
  /** The command without its comment; lines that belong together are one. */
  readonly text: string;
  /** What comments say of it: the one before it and the one at its end. */
  readonly said: readonly string[];
};

export type GuideSource = {
  readonly kind: "source";
  readonly line: number;
  readonly text: string;
  /** The file that the text before the block instructs the reader to write. */
  readonly path: string | undefined;
};

/** The steps of a guide, in order: commands of its `sh` and `bash` blocks, and its `ts` blocks. @param markdown the whole file */
export function stepsIn(markdown: string): GuideStep[] {
  const lines = markdown.split("\n");
  const steps: GuideStep[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, language] = /^```(sh|bash|ts)$/.exec(lines[at] ?? "") ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    if (end < 0) throw new Error(`line ${at + 1}: a block has no end`);
    const block = lines.slice(at + 1, end);
    if (language === "ts") {
      const [, path] = /\bWrite `([^`]+)`:/.exec(paragraphBefore(lines, at)) ?? [];
      steps.push({ kind: "source", line: at + 2, text: `${block.join("\n")}\n`, path });
    } else steps.push(...commandsIn(block, at + 2));
    at = end;
  }
  return steps;
}

function paragraphBefore(lines: readonly string[], at: number): string {
  let start = at - 1;
  while (start > 0 && lines[start] === "") start--;
  const end = start + 1;
  while (start > 0 && lines[start - 1] !== "") start--;
  return lines.slice(start, end).join(" ");
}

function commandsIn(block: readonly string[], firstLine: number): GuideCommand[] {
  const commands: GuideCommand[] = [];
  let before: string | undefined;
  let open: { line: number; text: string } | undefined;
  for (const [at, line] of block.entries()) {
    if (!open && line.startsWith("#")) before = line.replace(/^#\s*/, "");
    else if (!open && line.trim() === "") before = undefined;
    else {
      open = open ? { ...open, text: `${open.text}\n${line}` } : { line: firstLine + at, text: line };
      if (isUnfinished(open.text)) continue;
      const { text, comment } = withoutComment(open.text);
      commands.push({ kind: "command", line: open.line, text, said: [before, comment].filter(isSaid) });
      [open, before] = [undefined, undefined];
    }
  }
  if (open) throw new Error(`line ${open.line}: a command has no end`);
  return commands;
}

const isSaid = (text: string | undefined): text is string => text !== undefined;

const isUnfinished = (text: string): boolean => text.endsWith("\\") || openQuoteOf(text) !== undefined;

/** A comment begins with a `#` after a space, outside of quotes. */
function withoutComment(text: string): { text: string; comment: string | undefined } {
  for (let at = text.indexOf(" #"); at >= 0; at = text.indexOf(" #", at + 1)) {
    if (openQuoteOf(text.slice(0, at)) === undefined) {
      return { text: text.slice(0, at).trimEnd(), comment: text.slice(at + 2).trim() };
    }
  }
  return { text, comment: undefined };
}

/** The quote that a text leaves open. */
function openQuoteOf(text: string): string | undefined {
  let open: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "\\" && open !== "'") at++;
    else if (open === undefined ? char === "'" || char === '"' : char === open)
      open = open ? undefined : char;
  }
  return open;
}
