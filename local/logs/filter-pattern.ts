/** Whether a line of JSON matches a filter pattern. */
export type Matches = (line: Readonly<Record<string, unknown>>) => boolean;

const TOKEN = /\s*(\(|\)|&&|\|\||!=|=|NOT EXISTS|\$(?:\.[A-Za-z_][\w-]*)+|"(?:[^"\\]|\\.)*")/y;

/**
 * Reads a pattern of CloudWatch Logs for lines of JSON: texts that are compared, `NOT EXISTS`, `&&`, `||` and
 * parentheses. A field that a line has not differs from no text.
 *
 * @returns undefined for a pattern that is malformed, or uses what is not known here
 * @source AWS documentation, "Filter pattern syntax", JSON log events
 */
export function parsePattern(pattern: string): Matches | undefined {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(pattern)?.[1];
  const tokens = inner === undefined ? undefined : tokensOf(inner);
  if (!tokens) return undefined;
  try {
    const matches = either(tokens);
    return tokens.length === 0 ? matches : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  let end = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    tokens.push(found[1] ?? "");
    end = TOKEN.lastIndex;
  }
  return text.slice(end).trim() === "" ? tokens : undefined;
}

function either(tokens: string[]): Matches {
  const parts = [both(tokens)];
  while (tokens[0] === "||") {
    tokens.shift();
    parts.push(both(tokens));
  }
  return (line) => parts.some((part) => part(line));
}

function both(tokens: string[]): Matches {
  const parts = [condition(tokens)];
  while (tokens[0] === "&&") {
    tokens.shift();
    parts.push(condition(tokens));
  }
  return (line) => parts.every((part) => part(line));
}

function condition(tokens: string[]): Matches {
  const first = tokens.shift();
  if (first === "(") {
    const within = either(tokens);
    if (tokens.shift() !== ")") throw new SyntaxError("a parenthesis is not closed");
    return within;
  }
  if (!first?.startsWith("$")) throw new SyntaxError("a condition begins with a field");
  const valueIn = fieldOf(first);
  const operator = tokens.shift();
  if (operator === "NOT EXISTS") return (line) => valueIn(line) === undefined;
  const text = tokens.shift() ?? "";
  if (!text.startsWith('"') || (operator !== "=" && operator !== "!=")) {
    throw new SyntaxError("a field is compared with a text");
  }
  const wanted: unknown = JSON.parse(text);
  return operator === "="
    ? (line) => valueIn(line) === wanted
    : (line) => valueIn(line) !== undefined && valueIn(line) !== wanted;
}

function fieldOf(selector: string): (line: unknown) => unknown {
  const names = selector.split(".").slice(1);
  return (line) =>
    names.reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name] // its own member, as just checked
          : undefined,
      line,
    );
}
