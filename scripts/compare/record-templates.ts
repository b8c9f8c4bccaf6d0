import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messagesOf, plainTemplate } from "./plain-template.ts";
import { runCommand } from "./run-command.ts";
import { type Context, variants } from "./template-variants.ts";
import { writeRecord } from "./write-record.ts";

/** Apps that are synthesized at once. */
const CONCURRENCY = 2;
const GROUP = "templates";

/** Synthesizes the app of a side in variants. @param output  receives a folder for each variant */
export async function recordTemplates(
  folder: string,
  output: string,
  contexts: Readonly<Record<string, Context>> = variants,
): Promise<void> {
  const waiting = Object.entries(contexts);
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const outdir = mkdtempSync(`${folder}-synth-`);
      try {
        await recordVariant(folder, output, outdir, ...next);
      } finally {
        rmSync(outdir, { recursive: true, force: true });
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function recordVariant(
  folder: string,
  output: string,
  outdir: string,
  name: string,
  context: Context,
): Promise<void> {
  const { code, output: log } = await synthesize(folder, outdir, context);
  if (code !== 0) return writeRecord(output, GROUP, `${name}/refused.txt`, errorIn(log));
  const files = readdirSync(outdir).sort();
  for (const file of files) {
    const read = (): unknown => JSON.parse(readFileSync(join(outdir, file), "utf8"));
    if (file.endsWith(".template.json")) {
      writeRecord(output, GROUP, `${name}/${file.replace(".json", "")}`, plainTemplate(read()));
    }
    if (file.endsWith(".metadata.json")) {
      writeRecord(
        output,
        GROUP,
        `${name}/${file.replace(".metadata.json", ".messages")}`,
        messagesOf(read()),
      );
    }
  }
}

/** Synthesizes like the CDK command line, but without loading it: sets the same variables for the app. */
async function synthesize(folder: string, outdir: string, context: Context) {
  const { app, context: own } = JSON.parse(readFileSync(join(folder, "cdk.json"), "utf8"));
  const whole = { ...own, ...context, "aws:cdk:disable-asset-staging": true };
  const [command = "", ...args] = String(app).split(" ");
  const env = { CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(whole), CDK_VALIDATION: "false" };
  return runCommand(folder, command, args, env);
}

/** The app's error message, without its stack. */
const errorIn = (log: string): string => `${/^\w*Error: .*$/m.exec(log)?.[0] ?? log}\n`;
