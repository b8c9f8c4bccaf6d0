/** Code is shown as it is; the pieces between are what is formatted. */
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/;

/** Markdown in WhatsApp's own marks. @source contract, chat-webhooks section 5, "formatting" */
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
