/**
 * The text of a message without Slack's marks: links, channels and users become what a reader sees, and the three escaped
 * characters what was written.
 *
 * @param bot  the bot's own user id: its name is removed
 * @source Slack, "Formatting text", "Retrieving messages"
 */
export const slackPlain = (text: string, bot?: string): string =>
  text
    .replace(/<([^<>|]+)(?:\|([^<>]*))?>[ \t]?/g, (whole, target: string, label = "") => {
      const after = /[ \t]$/.exec(whole)?.[0] ?? "";
      return bot !== undefined && target === `@${bot}` ? "" : shownAs(target, label) + after;
    })
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();

function shownAs(target: string, label: string): string {
  const sign = target[0];
  if (sign === "@" || sign === "#") return sign + (label || target.slice(1));
  if (sign === "!") return `@${(label || target.slice(1)).replace(/^@/, "")}`;
  const address = target.replace(/^mailto:/, "");
  return label === "" || label === address || target.endsWith(`//${label}`)
    ? address
    : `${label} (${address})`;
}
