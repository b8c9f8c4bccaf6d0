import { parentPort, workerData } from "node:worker_threads";
import { buildApp } from "../../bin/agent-platform.ts";
import type { Stack } from "./stack.ts";
import type { SynthesisOrder } from "./synthesize.ts";

/** Synthesizes the app once, and hands its templates over. */
const order: SynthesisOrder = workerData;
const assembly = buildApp(order).synth();
const stacks: Stack[] = assembly.stacks.map(({ stackName, template }) => ({
  name: stackName,
  assetFolder: assembly.directory,
  template,
}));
parentPort?.postMessage(stacks);
