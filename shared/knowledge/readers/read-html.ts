import { decodedText, type Passage } from "./passage.ts";

/** Elements whose content is not shown. */
const HIDDEN = new Set(["script", "style", "noscript", "template", "svg", "head", "iframe"]);
/** Elements that begin a new line. */
const BLOCKS = new Set(
  "address article aside blockquote br dd div dl dt figcaption footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul".split(
    " ",
  ),
);

/** The text of a page, a line for each block, with its title. */
export async function readHtml(bytes: Uint8Array): Promise<Passage[]> {
  const { Parser } = await import("htmlparser2");
  const parts: string[] = [];
  let hiddenDepth = 0;
  let title = "";
  let inTitle = false;
  const parser = new Parser(
    {
      onopentag: (name) => {
        if (name === "title") inTitle = true;
        if (HIDDEN.has(name)) hiddenDepth += 1;
        if (BLOCKS.has(name)) parts.push("\n");
      },
      onclosetag: (name) => {
        if (name === "title") inTitle = false;
        if (HIDDEN.has(name)) hiddenDepth -= 1;
        if (BLOCKS.has(name)) parts.push("\n");
      },
      ontext: (text) => {
        if (inTitle) title += text;
        else if (hiddenDepth === 0) parts.push(text);
      },
    },
    { decodeEntities: true },
  );
  parser.end(decodedText(bytes));
  const lines = parts
    .join("")
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim());
  const text = lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return [{ text, about: title.trim() === "" ? {} : { title: title.replace(/\s+/g, " ").trim() } }];
}
