/** Elements whose content is not shown. */
const HIDDEN = new Set(["script", "style", "noscript", "template", "svg", "head", "iframe"]);
/** Elements that begin a new line. */
const BLOCKS = new Set(
  "address article aside blockquote br dd div dl dt figcaption footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul".split(
    " ",
  ),
);
const HEADINGS = new Set(["h1", "h2", "h3"]);

export type HtmlText = {
  /** A line for each block. */
  readonly text: string;
  readonly title: string | undefined;
  /** The first heading of the page. */
  readonly heading: string | undefined;
};

/** The text of a page, as it is shown. */
export async function htmlText(source: string): Promise<HtmlText> {
  const { Parser } = await import("htmlparser2");
  const parts: string[] = [];
  let hiddenDepth = 0;
  let [title, heading] = ["", ""];
  let [inTitle, inHeading] = [false, false];
  const parser = new Parser(
    {
      onopentag: (name) => {
        if (name === "title") inTitle = true;
        if (HEADINGS.has(name) && heading.trim() === "") inHeading = true;
        if (HIDDEN.has(name)) hiddenDepth += 1;
        if (BLOCKS.has(name)) parts.push("\n");
      },
      onclosetag: (name) => {
        if (name === "title") inTitle = false;
        if (HEADINGS.has(name)) inHeading = false;
        if (HIDDEN.has(name)) hiddenDepth -= 1;
        if (BLOCKS.has(name)) parts.push("\n");
      },
      ontext: (text) => {
        if (inTitle) title += text;
        else if (hiddenDepth === 0) parts.push(text);
        if (inHeading && hiddenDepth === 0) heading += text;
      },
    },
    { decodeEntities: true },
  );
  parser.end(source);
  const lines = parts
    .join("")
    .split("\n")
    .map((line) => oneLine(line));
  const text = lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return { text, title: oneLine(title) || undefined, heading: oneLine(heading) || undefined };
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
