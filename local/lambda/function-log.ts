import { createWriteStream, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Readable } from "node:stream";

export type FunctionLog = {
  readonly take: (label: string, output: Readable) => void;
  readonly close: () => Promise<void>;
};

/** How a line that a function wrote is shown to the user; undefined for one that is not. */
export type ShownAs = (line: string, label: string) => string | undefined;

/** Lines that the user should see at once: errors and warnings of the logger, and what is no log line at all. */
const urgent = /"level":"(WARN|ERROR|CRITICAL)"|^(?!\{)/;

const urgentLines: ShownAs = (line, label) => (urgent.test(line) ? `[${label}] ${line}` : undefined);

/**
 * Keeps what functions write to their output: every line in a file, some on the console as well.
 *
 * @param show  takes the lines that are shown
 */
export function openFunctionLog(
  file: string,
  show: (line: string) => void,
  shownAs: ShownAs = urgentLines,
): FunctionLog {
  mkdirSync(dirname(file), { recursive: true });
  const sink = createWriteStream(file, { flags: "a" });
  return {
    take: (label, output) => {
      let rest = "";
      output.setEncoding("utf8");
      output.on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          sink.write(`${label} ${line}\n`);
          const shown = line === "" ? undefined : shownAs(line, label);
          if (shown !== undefined) show(shown);
        }
      });
    },
    close: () => new Promise((resolve) => sink.end(resolve)),
  };
}
