import { createWriteStream, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Readable } from "node:stream";

export type FunctionLog = {
  readonly take: (label: string, output: Readable) => void;
  readonly close: () => Promise<void>;
};

/** Lines that the user should see at once: errors and warnings of the logger, and what is no log line at all. */
const urgent = /"level":"(WARN|ERROR|CRITICAL)"|^(?!\{)/;

/**
 * Keeps what functions write to their output: every line in a file, the urgent ones on the console as well.
 *
 * @param show  takes the urgent lines
 */
export function openFunctionLog(file: string, show: (line: string) => void): FunctionLog {
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
          if (line !== "" && urgent.test(line)) show(`[${label}] ${line}`);
        }
      });
    },
    close: () => new Promise((resolve) => sink.end(resolve)),
  };
}
