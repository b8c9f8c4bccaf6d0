import { isObject, parsedJson } from "../../shared/schemas/values/json-values.ts";

/** What a command said: its output, and the status and type of what `curl` received. */
export type Answer = {
  readonly output: string;
  /** Undefined for a command that asks the platform nothing. */
  readonly status: number | undefined;
  readonly contentType: string;
};

/** The JSON of an answer, or that of the first event of a stream; undefined where there is none. */
export function jsonOf({ output }: Pick<Answer, "output">): unknown {
  const [, event] = /^data: (.*)$/m.exec(output) ?? [];
  return parsedJson(event ?? output);
}

/** What a command was answered. */
export type Answered = { readonly command: string; readonly json: unknown };

/**
 * Fills the placeholders of a command, such as `<run_id>`, from what earlier commands were answered. `<id>` and `<job_id>`
 * are the id of the record, or of the first one of the list, that the address before them has answered.
 *
 * @param answered  in order; the latest that has the value counts
 * @throws Error where no answer has one
 */
export function fillPlaceholders(command: string, answered: readonly Answered[]): string {
  return command.replace(/(\S*?)<([a-z_]+)>/g, (_whole, before: string, name: string) => {
    const isId = name === "id" || name === "job_id";
    const answers = isId ? answered.filter((one) => asks(one, before)) : answered;
    const values = answers.map(({ json }) => (isId ? idOf(json) : memberWithin(name, json)));
    const value = values.findLast((found) => found !== undefined);
    if (value === undefined) throw new Error(`no earlier answer has a value for <${name}>`);
    return before + value;
  });
}

/** Whether a command asked a collection. @param before  its address with a slash, as in a later command */
function asks({ command }: Answered, before: string): boolean {
  const [address = ""] = /\$API.*(?=\/)/.exec(before) ?? [];
  const at = command.indexOf(address);
  return address !== "" && at >= 0 && /^[\s"'?]|^$/.test(command.slice(at + address.length));
}

function idOf(answer: unknown): string | undefined {
  if (!isObject(answer)) return undefined;
  const record = Array.isArray(answer.data) ? answer.data[0] : answer;
  return isObject(record) && typeof record.id === "string" ? record.id : undefined;
}

/** The first value of this name, the outermost first. */
function memberWithin(name: string, answer: unknown): string | undefined {
  const inner = Array.isArray(answer) ? answer : isObject(answer) ? Object.values(answer) : [];
  const own = isObject(answer) ? answer[name] : undefined;
  if (typeof own === "string") return own;
  for (const value of inner) {
    const found = memberWithin(name, value);
    if (found !== undefined) return found;
  }
  return undefined;
}
