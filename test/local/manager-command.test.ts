import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { managerCommand } from "../../local/machine/manager-command.ts";

const windows = { platform: "win32", node: String.raw`C:\node\node.exe`, environment: {} };

describe("a package manager is started without a shell", () => {
  test("by its name where its command is a program", () => {
    const { file, args } = managerCommand("npm", ["--version"], {
      platform: "linux",
      node: process.execPath,
      environment: {},
    });
    expect(execFileSync(file, args, { encoding: "utf8" })).toMatch(/^\d+\.\d+\.\d+$/m);
  });

  test("as the program that started this process says where it is", () => {
    const of = (name: string, program: string, agent = `${name}/11.0.0 node/v24`) => {
      const environment = { npm_execpath: program, npm_config_user_agent: agent };
      const { file, args } = managerCommand(name, ["install"], { ...windows, environment });
      return [file, ...args];
    };
    expect(of("pnpm", String.raw`C:\pnpm\pnpm.cjs`)).toEqual([
      windows.node,
      String.raw`C:\pnpm\pnpm.cjs`,
      "install",
    ]);
    expect(of("bun", String.raw`C:\bun\bun.exe`)).toEqual([String.raw`C:\bun\bun.exe`, "install"]);
    expect(of("npm", String.raw`C:\npm\bin\npx-cli.js`)).toEqual([
      windows.node,
      String.raw`C:\npm\bin\npm-cli.js`,
      "install",
    ]);
    // Another one is wanted than the one that started it.
    expect(of("npm", String.raw`C:\pnpm\pnpm.cjs`, "pnpm/12.0.0 node/v24")[0]).toBe("cmd.exe");
  });
});

describe("a script of Windows' shell", () => {
  const line = (...args: string[]) => managerCommand("pnpm", args, windows);

  test("is given its arguments in quotes, so that nothing in them means something to the shell", () => {
    expect(line("add", "-D", "aws-cdk@2.1148.1")).toEqual({
      file: "cmd.exe",
      args: ["/d", "/s", "/c", '"pnpm add -D aws-cdk@2.1148.1"'],
      isQuoted: true,
    });
    expect(line("add", String.raw`file:C:\My Projects\a&b.tgz`).args.at(-1)).toBe(
      String.raw`"pnpm add "file:C:\My Projects\a&b.tgz""`,
    );
  });

  test("is not given what no quotes keep from the shell", () => {
    expect(() => line("add", 'a" & calc "')).toThrow("cannot be given");
    expect(() => line("add", "%PATH%")).toThrow("cannot be given");
  });
});
