import DOMPurify from "dompurify";
import { Marked } from "marked";
import { memo, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { colouredCode } from "./colour-code.ts";

const marked = new Marked({
  gfm: true,
  breaks: true,
  // HTML within Markdown is shown as it was written. Reading it, even only to sanitize it, has the browser report each
  // handler in it as an attempt to break the page's policy.
  renderer: { html: ({ text }) => escaped(text) },
});

/** `[^1]` in a text, and `[^1]: what it says` in a line of its own. The name is text, as all that is not known here. */
const NOTE = /^\[\^([^\]\s^]{1,40})\]/;
const NOTE_TEXT = /^\[\^([^\]\s^]{1,40})\]: *([^\n]*(?:\n(?!\n|\[\^)[^\n]+)*)(?:\n+|$)/;
marked.use({
  extensions: [
    {
      name: "noteText",
      level: "block",
      tokenizer(source) {
        const [raw, name, text] = NOTE_TEXT.exec(source) ?? [];
        if (raw === undefined) return undefined;
        return { type: "noteText", raw, name, tokens: this.lexer.inlineTokens(text ?? "") };
      },
      renderer({ name, tokens = [] }) {
        return `<p><small><sup>${escaped(String(name))}</sup> ${this.parser.parseInline(tokens)}</small></p>`;
      },
    },
    {
      name: "note",
      level: "inline",
      start: (source) => source.indexOf("[^"),
      tokenizer(source) {
        const [raw, name] = NOTE.exec(source) ?? [];
        return raw === undefined ? undefined : { type: "note", raw, name };
      },
      renderer: ({ name }) => `<sup>${escaped(String(name))}</sup>`,
    },
  ],
});

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const ALLOWED = {
  ALLOWED_TAGS: [
    "a",
    "blockquote",
    "br",
    "code",
    "del",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "img",
    "input",
    "li",
    "ol",
    "p",
    "pre",
    "small",
    "strong",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
  ],
  ALLOWED_ATTR: ["href", "title", "src", "alt", "start", "align", "type", "checked", "disabled"],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/|#|blob:)/i,
  // Without this the values of these would have to be addresses too.
  ADD_URI_SAFE_ATTR: ["start", "align", "type"],
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

/** What colours code needs, and no more. */
const COLOURS = { ALLOWED_TAGS: ["span"], ALLOWED_ATTR: ["class"], RETURN_DOM_FRAGMENT: true as const };
/** Code without colours is code all the same. */
const ignored = () => undefined;

const directed: ReadonlySet<string> = new Set([
  "P",
  "LI",
  "H1",
  "H2",
  "H3",
  "H4",
  "H5",
  "H6",
  "TD",
  "TH",
  "BLOCKQUOTE",
  "UL",
  "OL",
]);

const purify = DOMPurify();
purify.addHook("afterSanitizeAttributes", (node) => {
  // A paragraph in Arabic or Hebrew is read from the right, whatever stands around it.
  if (directed.has(node.tagName)) node.setAttribute("dir", "auto");
  if (node.tagName === "A") {
    node.setAttribute("rel", "noopener noreferrer nofollow");
    node.setAttribute("target", "_blank");
  }
  // A picture from elsewhere would show its server who reads this.
  if (node.tagName === "IMG" && !isOwn(node.getAttribute("src") ?? "")) node.remove();
});

const isOwn = (address: string): boolean => {
  try {
    return new URL(address, location.href).origin === location.origin;
  } catch {
    return false;
  }
};

/** Blocks of a text that grows, as far as they cannot change any more, and the rest of it. */
type Blocks = { readonly text: string; readonly done: readonly string[]; readonly rest: string };

const noBlocks: Blocks = { text: "", done: [], rest: "" };

/**
 * Splits a text into its top-level blocks. Only the last one can still change while the text grows, so only that one is
 * read again.
 */
function blocksOf(text: string, before: Blocks): Blocks {
  const from = text.startsWith(before.text) ? before : noBlocks;
  const rest = from.rest + text.slice(from.text.length);
  const raws = marked.lexer(rest).map(({ raw }) => raw);
  const last = raws.pop() ?? "";
  return { text, done: raws.length === 0 ? from.done : [...from.done, ...raws], rest: last };
}

/** A long text that grows costs only what its last block costs. */
export default function MarkdownRendered({ text }: { readonly text: string }) {
  const before = useRef(noBlocks);
  const blocks = useMemo(() => {
    before.current = blocksOf(text, before.current);
    return before.current;
  }, [text]);
  return (
    <div className="markdown">
      {[...blocks.done, blocks.rest].map((block, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only added at the end
        block.trim() === "" ? null : <Block key={at} text={block} />,
      )}
    </div>
  );
}

const Block = memo(function Block({ text }: { readonly text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const html = marked.parse(text, { async: false });
    place.current?.replaceChildren(purify.sanitize(html, ALLOWED));
  }, [text]);
  useEffect(() => {
    // Code that still arrives is coloured when it has ended.
    const [, , language] = /^ {0,3}(```+|~~~+) *([\w+#-]+)[^\n]*\n[\s\S]*\n {0,3}\1\s*$/.exec(text) ?? [];
    const code = place.current?.querySelector("pre > code");
    if (language === undefined || !code) return;
    let isGone = false;
    void colouredCode(code.textContent ?? "", language).then((coloured) => {
      if (coloured !== undefined && !isGone) code.replaceChildren(purify.sanitize(coloured, COLOURS));
    }, ignored);
    return () => {
      isGone = true;
    };
  }, [text]);
  return <div ref={place} className="markdown-block" />;
});
