import { builtinModules } from "node:module";
import type { Plugin } from "esbuild";
import { asPackage } from "./own-maps.ts";

const NAMESPACE = "node-module";

/** Some have only the name with the prefix; without it, that is a package's. */
const bare = builtinModules.filter((name) => !name.startsWith("node:"));
const names = new RegExp(`^(?:node:.+|${bare.join("|")})$`);

/**
 * Has bundles take what they use out of Node's own modules, instead of importing these. For an import Node reads everything
 * that a module exports, and some of it is made only when it is read: behind `WebSocket` of `node:http` a whole HTTP client,
 * behind other names HTTP/2, threads and a terminal. That was an eighth of the time that a cold start takes to load a function.
 */
export const nodeModules: Plugin = {
  name: "node-modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: names }, ({ path: given, kind }) => {
      const path = `node:${given.replace(/^node:/, "")}`;
      // What is imported while the code runs stays an import: it is unknown what is used of it.
      if (kind !== "import-statement" || !moduleOf(path)) return undefined;
      return { path, namespace: NAMESPACE, sideEffects: false };
    });
    onLoad({ filter: /^/, namespace: NAMESPACE }, ({ path }) => ({ contents: asPackage(takenFrom(path)) }));
  },
};

const moduleOf = (name: string): object | undefined => process.getBuiltinModule(name);

/** A module whose exports are taken one by one: what a bundle does not use of them is left out, and not read. */
function takenFrom(name: string): string {
  const exported = Object.getOwnPropertyNames(moduleOf(name)).filter((one) =>
    /^(?!default$)[A-Za-z_$][\w$]*$/.test(one),
  );
  return [
    `const whole = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(name)});`,
    "export default whole;",
    ...exported.map((one, i) => `const taken${i} = /* @__PURE__ */ (() => whole.${one})();`),
    `export { ${exported.map((one, i) => `taken${i} as ${one}`).join(", ")} };`,
  ].join("\n");
}
