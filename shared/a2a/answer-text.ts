/** A run's answer as text: a structured answer as JSON. Empty where there is none. */
export function answerText(content: unknown): string {
  if (content === undefined || content === null) return "";
  return typeof content === "string" ? content : JSON.stringify(content);
}
