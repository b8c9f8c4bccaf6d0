import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { needsNode, nodePackages } from "./create/needed-packages.ts";

/**
 * The Node that runs the platform: this process's own when it is new enough, else that of the package for this machine, which a
 * clone has and a new project where it is needed. Runs in Node 20.
 *
 * @throws Error with what to do when there is none
 */
export function nodeBinary(): string {
  if (!needsNode()) return process.execPath;
  for (const from of [`${process.cwd()}/package.json`, import.meta.url]) {
    const binary = binaryFrom(createRequire(from));
    if (binary !== undefined) return binary;
  }
  throw new Error(`Node 24 or newer is needed, and this is ${process.versions.node}. ${remedy()}`);
}

const ofMachine = () => nodePackages[`${process.platform}-${process.arch}`];

/** Projects of earlier versions have the package `node` instead. */
function binaryFrom({ resolve }: NodeJS.Require): string | undefined {
  const file = process.platform === "win32" ? "node.exe" : "node";
  for (const find of [
    () => join(dirname(resolve(`${ofMachine()?.name}/package.json`)), "bin", file),
    () => resolve(`node/bin/${file}`),
  ]) {
    try {
      return find();
    } catch {
      // It is not installed there.
    }
  }
  return undefined;
}

function remedy(): string {
  const fitting = ofMachine();
  if (fitting === undefined) return "Install it from https://nodejs.org.";
  const manager = process.env.npm_config_user_agent ?? "";
  const spec = `${fitting.name}@${fitting.version}`;
  if (manager.startsWith("pnpm")) return `Install it for this project alone: pnpm add -O ${spec}`;
  if (manager.startsWith("yarn")) return `Install it for this project alone: yarn add -O ${spec}`;
  return `Install it for this project alone: npm install --save-optional ${spec}`;
}
