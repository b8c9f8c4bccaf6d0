/** Code is shown as it is; only the text between is formatted. */
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/;

/** Converts Markdown to WhatsApp's formatting. @source docs/interface/chat.md 3.3 */
export const whatsappText = (markdown: string): string =>
  markdown
    .split(CODE)
    .map((piece, i) => (i % 2 === 1 ? piece : format(piece)))
    .join("");

const format = (text: string): string =>
  text
    .replace(/!?\[([^\]\n]+)\]\((\S+?)\)/g, "$1 ($2)")
    .replace(/^#{1,6}[ \t]+(.+?)[ \t]*#*$/gm, (_, title: string) => `*${title.replaceAll("**", "")}*`)
    .replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, "*$1*")
    .replace(/~~(?=\S)(.+?)(?<=\S)~~/g, "~$1~");
